import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ACTOR_HEADER, ADDED_KEY_HEADER, REPEATED_HEADER, REQUEST_ID_HEADER, type Actor } from '@storefront/contracts'
import { namesBrowser } from '@storefront/http'
import { traceHeaders, type ActorSigner } from '@storefront/service'
import { isRead, type RequestContext } from '../front/request-context.ts'
import { SHOPPER_ADDRESS_HEADER, STOREFRONT_KEY_HEADER } from '../front/storefront-key.ts'
import { consoleTokenOf, withoutConsoleToken } from '../sessions/console-token.ts'
import { bearerOf, isJwt } from '../sessions/identify-caller.ts'
import { CONNECTION_HEADERS } from './response-headers.ts'

/** Headers about one connection, and those that the gateway handles itself. */
const NOT_FORWARDED = new Set([
  ...CONNECTION_HEADERS,
  'expect',
  'http2-settings',
  // Replaced by the address of the service.
  'host',
  // The gateway compresses for all clients.
  'accept-encoding',
  'forwarded',
  // The gateway decides which trace a request belongs to.
  'traceparent',
  'tracestate',
  'baggage',
  // A secret of the gateway and the storefront.
  STOREFRONT_KEY_HEADER,
  SHOPPER_ADDRESS_HEADER,
  // Only the gateway knows which request is a retry, and which key is its own.
  REPEATED_HEADER,
  ADDED_KEY_HEADER,
])

/**
 * The headers that a service gets. Whatever a client claims about its identity is removed, and the gateway signs the
 * actor.
 */
export function requestHeaders(
  sent: IncomingHttpHeaders,
  context: RequestContext,
  sign: ActorSigner,
  trustedProxies: number,
): IncomingHttpHeaders {
  const forwarded: IncomingHttpHeaders = {}
  for (const name of Object.keys(sent)) {
    if (NOT_FORWARDED.has(name) || name === ACTOR_HEADER) continue
    if (trustedProxies === 0 && name.startsWith('x-forwarded-')) continue
    // A body of a GET is not forwarded; its length would make the service wait for it.
    if ((name === 'content-length' || name === 'content-type') && isRead(context)) continue
    forwarded[name] = sent[name]
  }
  if (sent.cookie !== undefined) setOrDelete(forwarded, 'cookie', withoutConsoleToken(sent.cookie))
  if (endsConsoleSession(context) && bearerOf(sent.authorization) === undefined) {
    // Identity reads the token itself, so that a sign-out is not lost while the state of the session is unknown here.
    const token = consoleTokenOf(sent, context.https)
    if (token !== undefined && isJwt(token)) forwarded.authorization = `Bearer ${token}`
  }
  if (forwarded['idempotency-key'] === undefined && needsKey(context, sent)) {
    forwarded['idempotency-key'] = randomUUID()
    forwarded[ADDED_KEY_HEADER] = '1'
  }
  return Object.assign(forwarded, addedHeaders(context, context.actor, sign))
}

function endsConsoleSession({ method, path }: RequestContext): boolean {
  return method === 'DELETE' && path === '/admin/console/session'
}

function setOrDelete(headers: IncomingHttpHeaders, name: string, value: string | undefined): void {
  if (value === undefined) delete headers[name]
  else headers[name] = value
}

/** Whether the gateway adds an Idempotency-Key, so that the request can be retried (upstreams.ts). */
function needsKey(context: RequestContext, sent: IncomingHttpHeaders): boolean {
  const { route, actor } = context
  if (isRead(context)) return false
  // The customer or the browser that placed an order identifies the caller; the token of an admin does not.
  if (route?.idempotent === 'by caller') return actor.kind !== 'customer' && !namesBrowser(sent.cookie)
  return route?.idempotent === 'by key'
}

/** The headers that the gateway itself adds to a request. */
export function addedHeaders(context: RequestContext, actor: Actor, sign: ActorSigner): Record<string, string> {
  return {
    [ACTOR_HEADER]: sign(actor),
    [REQUEST_ID_HEADER]: context.requestId,
    'x-forwarded-for': context.address,
    'x-forwarded-proto': context.https ? 'https' : 'http',
    ...traceHeaders(context.upstreamSpan ?? context.span),
  }
}
