import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ACTOR_HEADER, REPEATED_HEADER, REQUEST_ID_HEADER, type Actor } from '@storefront/contracts'
import { namesBrowser, traceHeaders, type ActorSigner } from '@storefront/chassis'
import type { Visit } from '../front/visit.ts'

/** About one connection, not about the request (RFC 9110, section 7.6.1), and what we answer for ourselves. */
const STOPS_HERE = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'http2-settings',
  // The service's own is put in its place.
  'host',
  // The gateway compresses for everybody.
  'accept-encoding',
  'forwarded',
  // Whose trace a request belongs to is for us to say.
  'traceparent',
  'tracestate',
  'baggage',
  // Only we know which request goes again.
  REPEATED_HEADER,
])
const BODYLESS = new Set(['GET', 'HEAD'])

/**
 * The headers a service gets: nothing that speaks for the caller's identity comes from outside, and who is asking is
 * said by our signature.
 */
export function requestHeaders(
  sent: IncomingHttpHeaders,
  visit: Visit,
  sign: ActorSigner,
  trustedProxies: number,
): IncomingHttpHeaders {
  const passed: IncomingHttpHeaders = {}
  for (const [name, value] of Object.entries(sent)) {
    if (STOPS_HERE.has(name) || name === ACTOR_HEADER) continue
    if (name.startsWith('x-forwarded-') && trustedProxies === 0) continue
    // A body that a GET brings along is not passed on; its length would make the service wait for it.
    if (BODYLESS.has(visit.method) && (name === 'content-length' || name === 'content-type')) continue
    passed[name] = value
  }
  if (needsKey(visit, sent)) passed['idempotency-key'] ??= randomUUID()
  return Object.assign(passed, addedHeaders(visit, visit.actor, sign))
}

/** So that it can go again, see upstreams.ts. */
function needsKey({ method, route, actor }: Visit, sent: IncomingHttpHeaders): boolean {
  if (BODYLESS.has(method)) return false
  if (route?.repeatable === 'by caller') return actor.kind === 'anonymous' && !namesBrowser(sent.cookie)
  return route?.repeatable === 'by key'
}

/** What the gateway itself says of a request. */
export function addedHeaders(visit: Visit, actor: Actor, sign: ActorSigner): Record<string, string> {
  return {
    [ACTOR_HEADER]: sign(actor),
    [REQUEST_ID_HEADER]: visit.requestId,
    'x-forwarded-for': visit.address,
    'x-forwarded-proto': visit.https ? 'https' : 'http',
    ...traceHeaders(visit.hop ?? visit.span),
  }
}
