import type { IncomingMessage, ServerResponse } from 'node:http'
import { isErrorCode } from '@storefront/contracts'
import { PRIVATE_CACHE_CONTROL } from '@storefront/http'
import type { Clock } from '@storefront/service'
import { reject, sendJson } from '../front/send-error.ts'
import type { CacheOutcome, RequestContext } from '../front/request-context.ts'
import { errorName, upstreamError } from '../upstream/upstream-errors.ts'
import type { Entry } from './entry.ts'
import { ServiceFailed, type FetchResponse, type Fetched } from './fetch-response.ts'
import { createFlights } from './flights.ts'
import type { Store } from './store.ts'
import { writeEntry } from './write-entry.ts'

/** How long a failed refresh is not repeated while an old response is served. */
const RETRY_MS = 1000

export interface EdgeCache {
  /** Responds at once if it can. @returns whether it did */
  respondFromStore(key: string, context: RequestContext, request: IncomingMessage, response: ServerResponse): boolean
  /**
   * Responds after a request to the service.
   * @param key undefined for a response that must not be cached
   * @returns false when the response is private: pass the request on
   */
  respondByFetching(
    key: string | undefined,
    context: RequestContext,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean>
  purge(tags: readonly string[]): void
  clear(): void
}

/**
 * Caches public responses as long as they allow and as long as nothing they were made from changes.
 * @param canReceivePurges while it is false nothing is served beyond its max-age: a purge may have been missed
 */
export function createEdgeCache(options: {
  store: Store
  fetchResponse: FetchResponse
  clock: Clock
  canReceivePurges: () => boolean
}): EdgeCache {
  const { store, clock, canReceivePurges } = options
  const flights = createFlights(store, options.fetchResponse)
  const nowMs = () => clock.now().getTime()
  const grown = (entry: Entry) => store.grown(entry)

  function refreshInBackground(entry: Entry, context: RequestContext, now: number): void {
    if (flights.has(entry.key) || entry.retryAtMs > now) return
    void flights.join(entry.key, context).then((fetched) => {
      if (fetched.kind === 'fault') entry.retryAtMs = nowMs() + RETRY_MS
      // The entry was purged: the old response must not outlive it.
      else if (fetched.kind !== 'response') store.drop(entry)
    })
  }

  function respondWithError(error: unknown, context: RequestContext, response: ServerResponse): void {
    context.fault = errorName(error)
    if (error instanceof ServiceFailed) respondAsTheServiceDid(error, context, response)
    else reject(response, context, upstreamError(error, context.route?.to ?? 'service'))
  }

  return {
    respondFromStore(key, context, request, response) {
      const entry = store.get(key)
      if (!entry) return false
      const now = nowMs()
      let outcome: CacheOutcome = 'HIT'
      if (now >= entry.freshUntilMs) {
        if (now >= entry.staleUntilMs || !canReceivePurges()) return false
        outcome = 'STALE'
        refreshInBackground(entry, context, now)
      }
      writeEntry(entry, context, request, response, { outcome, now, grown })
      return true
    },

    async respondByFetching(key, context, request, response) {
      const fetched: Fetched =
        key === undefined ? await options.fetchResponse(context.target, context) : await flights.join(key, context)
      const now = nowMs()
      const write = (entry: Entry, outcome: CacheOutcome) =>
        writeEntry(entry, context, request, response, { outcome, now, grown })
      const outcome: CacheOutcome = key === undefined ? 'BYPASS' : 'MISS'
      if (fetched.kind === 'response') {
        write(fetched.entry, outcome)
        return true
      }
      const old = key === undefined ? undefined : store.get(key)
      // The entry was purged: the old response must not be served again when the service fails next.
      if (old && fetched.kind !== 'fault') store.drop(old)
      if (fetched.kind === 'personal') {
        context.cache = 'BYPASS'
        return false
      }
      context.cache = outcome
      if (fetched.kind === 'error') {
        respondAsTheServiceDid(fetched, context, response)
        return true
      }
      if (old && now < old.goodIfErrorUntilMs) {
        context.fault = errorName(fetched.error)
        write(old, 'STALE')
      } else respondWithError(fetched.error, context, response)
      return true
    },

    purge(tags) {
      store.purge(tags)
      flights.detach()
    },
    clear() {
      store.clear()
      flights.detach()
    },
  }
}

/** Sends a service's own error. It was fetched once for several clients, and each has a request id of their own. */
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
