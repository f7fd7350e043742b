import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { ANONYMOUS } from '@storefront/contracts'
import type { ActorSigner, Clock } from '@storefront/service'
import type { RequestContext } from '../front/request-context.ts'
import { isJson } from '../upstream/response-headers.ts'
import { upstreamError } from '../upstream/upstream-errors.ts'
import { endUpstreamSpan, startUpstreamSpan } from '../upstream/upstream-span.ts'
import { addedHeaders } from '../upstream/request-headers.ts'
import type { Upstreams } from '../upstream/upstreams.ts'
import { badGateway } from '../errors.ts'
import type { BodyMemory } from './body-memory.ts'
import { createEntry, type Entry } from './entry.ts'
import { freshnessOf } from './policy.ts'

/** Larger responses, which only images are, are passed through without being cached. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

export type Fetched =
  | { kind: 'response'; entry: Entry }
  /** The service returned an error; every waiting client gets it, and it is not cached. */
  | { kind: 'error'; status: number; headers: IncomingHttpHeaders; body: Buffer }
  /** A private response, or one that is too large: each client sends its own request. */
  | { kind: 'personal' }
  /** Bodies that clients have not read fill the memory: each sends its own request, and an old response is kept. */
  | { kind: 'no memory' }
  /** The service is down, slow or broken. */
  | { kind: 'fault'; error: unknown }

export type FetchResponse = (key: string, context: RequestContext) => Promise<Fetched>

/** Fetches a public response as an anonymous visitor, regardless of which client requested it first. */
export function responseFetcher(
  upstreams: Upstreams,
  sign: ActorSigner,
  clock: Clock,
  memory: BodyMemory,
): FetchResponse {
  return async (key, context) => {
    const service = context.route && context.route.to !== 'gateway' ? context.route.to : 'catalog'
    let end = () => {}
    try {
      end = upstreams.begin(service)
      startUpstreamSpan(context, service)
      const startedMs = clock.now().getTime()
      const headers = addedHeaders(context, ANONYMOUS, sign)
      const response = await upstreams.read(service, key, { headers, span: context.upstreamSpan })
      const fetched = await classify(key, response, startedMs, memory)
      endUpstreamSpan(context, { status: response.statusCode })
      return fetched
    } catch (error) {
      endUpstreamSpan(context, { error })
      return { kind: 'fault', error: upstreamError(error, service) }
    } finally {
      end()
    }
  }
}

async function classify(
  key: string,
  response: Dispatcher.ResponseData,
  startedMs: number,
  memory: BodyMemory,
): Promise<Fetched> {
  const { statusCode: status, headers, body } = response
  const freshness = freshnessOf(status, headers)
  const length = Number(headers['content-length'] ?? 0)
  const isShared = freshness !== undefined && length <= MAX_BODY_BYTES
  const fits = memory.fits(length)
  if (status < 400 && !(isShared && fits)) {
    // undici reports a discarded body as an error, which nothing here waits for.
    body.on('error', () => {}).destroy()
    return { kind: isShared ? 'no memory' : 'personal' }
  }
  if (status >= 400 && !isJson(headers['content-type'])) {
    await body.dump()
    return { kind: 'fault', error: badGateway() }
  }
  const release = memory.hold(length)
  const bytes = Buffer.from(await body.arrayBuffer().finally(release))
  if (status >= 500) return { kind: 'fault', error: new ServiceFailed(status, headers, bytes) }
  if (!freshness) return { kind: 'error', status, headers, body: bytes }
  if (bytes.length > MAX_BODY_BYTES) return { kind: 'personal' }
  return { kind: 'response', entry: createEntry(key, headers, bytes, freshness, startedMs) }
}

/** The JSON error of a service that failed: the client gets it when there is no cached response. */
export class ServiceFailed extends Error {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer

  constructor(status: number, headers: IncomingHttpHeaders, body: Buffer) {
    super(`a service responded with ${status}`)
    this.status = status
    this.headers = headers
    this.body = body
  }
}
