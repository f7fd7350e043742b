import type { IncomingMessage, ServerResponse } from 'node:http'
import { isErrorCode } from '@storefront/contracts'
import { PRIVATE_CACHE_CONTROL } from '@storefront/http'
import type { Clock } from '@storefront/service'
import { reject, sendJson } from '../front/send-error.ts'
import type { CacheOutcome, RequestContext } from '../front/request-context.ts'
import { errorName, upstreamError } from '../upstream/upstream-errors.ts'
import type { BodyMemory } from './body-memory.ts'
import type { Entry } from './entry.ts'
import { ServiceFailed, type FetchResponse, type Fetched } from './fetch-response.ts'
import { createPendingFetches, type PendingFetches } from './pending-fetches.ts'
import type { Store } from './store.ts'
import { writeEntry } from './write-entry.ts'

/** The pause after a failed refresh, during which the old response is served. */
const RETRY_MS = 1000

interface EdgeCacheParts {
  store: Store
  fetchResponse: FetchResponse
  clock: Clock
  /** While it is false nothing is served beyond its max-age: a purge may have been missed. */
  canReceivePurges: () => boolean
  memory: BodyMemory
}

/** Caches public responses as long as they allow and as long as nothing they were made from changes. */
export class EdgeCache {
  readonly #parts: EdgeCacheParts
  readonly #fetches: PendingFetches

  constructor(parts: EdgeCacheParts) {
    this.#parts = parts
    this.#fetches = createPendingFetches(parts.store, parts.fetchResponse)
  }

  /** @returns whether it responded, which it does if it has a response that may be served */
  respondFromStore(key: string, context: RequestContext, request: IncomingMessage, response: ServerResponse): boolean {
    const { store, memory, canReceivePurges } = this.#parts
    const entry = store.get(key)
    if (!entry) return false
    const nowMs = this.#nowMs()
    let outcome: CacheOutcome = 'HIT'
    if (nowMs >= entry.freshUntilMs) {
      if (nowMs >= entry.staleUntilMs || !canReceivePurges()) return false
      outcome = 'STALE'
      this.#refreshInBackground(entry, context, nowMs)
    }
    writeEntry(entry, context, request, response, { outcome, nowMs, store, memory })
    return true
  }

  /**
   * Responds after a request to the service.
   * @param key undefined for a response that must not be cached
   * @returns false when the response is not for all clients, or is too large: forward the request
   */
  async respondByFetching(
    key: string | undefined,
    context: RequestContext,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    const { store, memory, fetchResponse } = this.#parts
    const fetched: Fetched =
      key === undefined ? await fetchResponse(context.target, context) : await this.#fetches.join(key, context)
    const nowMs = this.#nowMs()
    const write = (entry: Entry, outcome: CacheOutcome) =>
      writeEntry(entry, context, request, response, { outcome, nowMs, store, memory })
    const outcome: CacheOutcome = key === undefined ? 'BYPASS' : 'MISS'
    if (fetched.kind === 'response') {
      write(fetched.entry, outcome)
      return true
    }
    const old = key === undefined ? undefined : store.get(key)
    // The old response must not be served when the service fails the next time.
    if (old && isGone(fetched)) store.drop(old)
    // It was already answered, for example because its body is malformed.
    if (response.headersSent) return true
    if (fetched.kind === 'personal' || fetched.kind === 'no memory') {
      context.cache = 'BYPASS'
      return false
    }
    context.cache = outcome
    if (fetched.kind === 'error') {
      respondAsTheServiceDid(fetched, context, response)
      return true
    }
    if (old && nowMs < old.goodIfErrorUntilMs) {
      context.fault = errorName(fetched.error)
      write(old, 'STALE')
    } else respondWithError(fetched.error, context, response)
    return true
  }

  /**
   * @param tags surrogate keys of what changed: every response that was made from it is dropped
   * @param againAfterMs once more then: until then catalog may read from a standby that does not have the change yet
   */
  purge(tags: readonly string[], againAfterMs?: number): void {
    this.#parts.store.purge(tags)
    this.#fetches.detach()
    if (againAfterMs !== undefined) setTimeout(() => this.purge(tags), againAfterMs).unref()
  }

  clear(): void {
    this.#parts.store.clear()
    this.#fetches.detach()
  }

  #nowMs(): number {
    return this.#parts.clock.now().getTime()
  }

  #refreshInBackground(entry: Entry, context: RequestContext, nowMs: number): void {
    if (this.#fetches.has(entry.key) || entry.retryAtMs > nowMs) return
    void this.#fetches.join(entry.key, context).then((fetched) => {
      if (fetched.kind === 'fault' || fetched.kind === 'no memory') entry.retryAtMs = this.#nowMs() + RETRY_MS
      // For example because its product was deleted.
      else if (isGone(fetched)) this.#parts.store.drop(entry)
    })
  }
}

/** Whether the service no longer returns a response for all clients. */
const isGone = ({ kind }: Fetched): boolean => kind === 'error' || kind === 'personal'

function respondWithError(error: unknown, context: RequestContext, response: ServerResponse): void {
  context.fault = errorName(error)
  if (error instanceof ServiceFailed) respondAsTheServiceDid(error, context, response)
  else reject(response, context, upstreamError(error, context.route?.to ?? 'service'))
}

/** Sends a service's own error. It was fetched once for several clients, and each gets its own request id. */
function respondAsTheServiceDid(
  received: { status: number; headers: Record<string, unknown>; body: Buffer },
  context: RequestContext,
  response: ServerResponse,
): void {
  const retry = received.headers['retry-after']
  const allow = received.headers['allow']
  sendJson(response, context, received.status, withRequestId(received.body, context.requestId), [
    'cache-control',
    PRIVATE_CACHE_CONTROL,
    ...(typeof retry === 'string' ? ['retry-after', retry] : []),
    ...(typeof allow === 'string' ? ['allow', allow] : []),
  ])
}

function withRequestId(body: Buffer, requestId: string): string {
  const text = body.toString()
  try {
    const parsed: unknown = JSON.parse(text)
    const isOurs = typeof parsed === 'object' && parsed !== null && 'code' in parsed && isErrorCode(String(parsed.code))
    return isOurs ? JSON.stringify({ ...parsed, requestId }) : text
  } catch {
    return text
  }
}
