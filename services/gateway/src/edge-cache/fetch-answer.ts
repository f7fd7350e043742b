import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { ANONYMOUS } from '@storefront/contracts'
import type { ActorSigner, Clock } from '@storefront/chassis'
import type { Visit } from '../front/visit.ts'
import { isJson } from '../hop/answer-headers.ts'
import { hopRefusal } from '../hop/faults.ts'
import { endHop, startHop } from '../hop/hop-span.ts'
import { addedHeaders } from '../hop/request-headers.ts'
import type { Upstreams } from '../hop/upstreams.ts'
import { badGateway } from '../refusals.ts'
import { createEntry, type Entry } from './entry.ts'
import { freshnessOf } from './policy.ts'

/** Larger responses, which only images are, are passed through without being cached. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

export type Fetched =
  | { kind: 'answer'; entry: Entry }
  /** The service returned an error; every waiting client gets it, and it is not cached. */
  | { kind: 'refusal'; status: number; headers: IncomingHttpHeaders; body: Buffer }
  /** A private response: each client sends its own request. */
  | { kind: 'personal' }
  /** The service is down, slow or broken. */
  | { kind: 'fault'; error: unknown }

export type FetchAnswer = (key: string, visit: Visit) => Promise<Fetched>

/** Fetches a public response: as an anonymous visitor, whichever client requested it first. */
export function answerFetcher(upstreams: Upstreams, sign: ActorSigner, clock: Clock): FetchAnswer {
  return async (key, visit) => {
    const service = visit.route && visit.route.to !== 'gateway' ? visit.route.to : 'catalog'
    let end = () => {}
    try {
      end = upstreams.begin(service)
      startHop(visit, service)
      const startedMs = clock.now().getTime()
      const headers = addedHeaders(visit, ANONYMOUS, sign)
      const answer = await upstreams.read(service, key, { headers, span: visit.hop })
      const fetched = await judge(key, answer, startedMs)
      endHop(visit, { status: answer.statusCode })
      return fetched
    } catch (error) {
      endHop(visit, { error })
      return { kind: 'fault', error: hopRefusal(error, service) }
    } finally {
      end()
    }
  }
}

async function judge(key: string, answer: Dispatcher.ResponseData, startedMs: number): Promise<Fetched> {
  const { statusCode: status, headers, body } = answer
  const freshness = freshnessOf(status, headers)
  const length = Number(headers['content-length'] ?? 0)
  if (status < 400 && (!freshness || length > MAX_BODY_BYTES)) {
    // Giving up a body is an error in undici, which no caller here waits for.
    body.on('error', () => {}).destroy()
    return { kind: 'personal' }
  }
  if (status >= 400 && !isJson(headers['content-type'])) {
    await body.dump()
    return { kind: 'fault', error: badGateway() }
  }
  const bytes = Buffer.from(await body.arrayBuffer())
  if (status >= 500) return { kind: 'fault', error: new ServiceFailed(status, headers, bytes) }
  if (!freshness) return { kind: 'refusal', status, headers, body: bytes }
  if (bytes.length > MAX_BODY_BYTES) return { kind: 'personal' }
  return { kind: 'answer', entry: createEntry(key, headers, bytes, freshness, startedMs) }
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
