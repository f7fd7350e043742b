import type { IncomingMessage, ServerResponse } from 'node:http'
import { isErrorCode } from '@storefront/contracts'
import { PRIVATE_CACHE_CONTROL, type Clock } from '@storefront/chassis'
import { refuse, sendJson } from '../front/answer.ts'
import type { CacheOutcome, Visit } from '../front/visit.ts'
import { faultName, hopRefusal } from '../hop/faults.ts'
import type { Entry } from './entry.ts'
import { ServiceFailed, type FetchAnswer, type Fetched } from './fetch-answer.ts'
import { createFlights } from './flights.ts'
import type { Store } from './store.ts'
import { writeEntry } from './write-entry.ts'

/** How long a failed refresh is not repeated while an old response is served. */
const RETRY_MS = 1000

export interface EdgeCache {
  /** Responds at once if it can. @returns whether it did */
  answerFromStore(
    key: string,
    visit: Visit,
    request: IncomingMessage,
    response: ServerResponse,
    done: () => void,
  ): boolean
  /**
   * Responds after a request to the service.
   * @param key undefined for a response that must not be cached
   * @returns false when the response is private: pass the request on
   */
  answerByFetching(
    key: string | undefined,
    visit: Visit,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean>
  purge(tags: readonly string[]): void
  clear(): void
}

/**
 * Caches public responses as long as they allow and as long as nothing they were made from changes.
 * @param canHearPurges while it is false nothing is served beyond its max-age: a purge may have been missed
 */
export function createEdgeCache(options: {
  store: Store
  fetchAnswer: FetchAnswer
  clock: Clock
  canHearPurges: () => boolean
}): EdgeCache {
  const { store, clock, canHearPurges } = options
  const flights = createFlights(store, options.fetchAnswer)
  const nowMs = () => clock.now().getTime()
  const grown = (entry: Entry) => store.grown(entry)

  function refreshInBackground(entry: Entry, visit: Visit, now: number): void {
    if (flights.has(entry.key) || entry.retryAtMs > now) return
    void flights.join(entry.key, visit).then((fetched) => {
      if (fetched.kind === 'fault') entry.retryAtMs = nowMs() + RETRY_MS
      // The entry was purged: the old response must not outlive it.
      else if (fetched.kind !== 'answer') store.drop(entry)
    })
  }

  function answerFault(error: unknown, visit: Visit, response: ServerResponse): void {
    visit.fault = faultName(error)
    if (error instanceof ServiceFailed) answerAsTheServiceDid(error, visit, response)
    else refuse(response, visit, hopRefusal(error, visit.route?.to ?? 'service'))
  }

  return {
    answerFromStore(key, visit, request, response, done) {
      const entry = store.get(key)
      if (!entry) return false
      const now = nowMs()
      let outcome: CacheOutcome = 'HIT'
      if (now >= entry.freshUntilMs) {
        if (now >= entry.staleUntilMs || !canHearPurges()) return false
        outcome = 'STALE'
        refreshInBackground(entry, visit, now)
      }
      writeEntry(entry, visit, request, response, { outcome, now, grown, done })
      return true
    },

    async answerByFetching(key, visit, request, response) {
      const fetched: Fetched =
        key === undefined ? await options.fetchAnswer(visit.target, visit) : await flights.join(key, visit)
      const now = nowMs()
      const write = (entry: Entry, outcome: CacheOutcome) =>
        writeEntry(entry, visit, request, response, { outcome, now, grown, done: () => {} })
      const outcome: CacheOutcome = key === undefined ? 'BYPASS' : 'MISS'
      if (fetched.kind === 'answer') {
        write(fetched.entry, outcome)
        return true
      }
      const old = key === undefined ? undefined : store.get(key)
      // The entry was purged: the old response must not be served again when the service fails next.
      if (old && fetched.kind !== 'fault') store.drop(old)
      if (fetched.kind === 'personal') {
        visit.cache = 'BYPASS'
        return false
      }
      visit.cache = outcome
      if (fetched.kind === 'refusal') {
        answerAsTheServiceDid(fetched, visit, response)
        return true
      }
      if (old && now < old.goodIfErrorUntilMs) {
        visit.fault = faultName(fetched.error)
        write(old, 'STALE')
      } else answerFault(fetched.error, visit, response)
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
function answerAsTheServiceDid(
  said: { status: number; headers: Record<string, unknown>; body: Buffer },
  visit: Visit,
  response: ServerResponse,
): void {
  const retry = said.headers['retry-after']
  const allow = said.headers['allow']
  sendJson(response, visit, said.status, withRequestId(said.body, visit.requestId), [
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
