import type { RequestContext } from '../front/request-context.ts'
import type { FetchResponse, Fetched } from './fetch-response.ts'
import type { Store } from './store.ts'

export type PendingFetches = ReturnType<typeof createPendingFetches>

/** Running fetches, one per key: a thousand clients with the same request cost their service one request. */
export function createPendingFetches(store: Store, fetchResponse: FetchResponse) {
  const joinable = new Map<string, Promise<Fetched>>()

  async function fetchAgainIfSuperseded(key: string, context: RequestContext): Promise<Fetched> {
    const first = await attempt(key, context)
    // A response that a purge has superseded is correct for earlier requests, but a cache in front of the gateway would
    // keep it.
    return first.superseded ? (await attempt(key, context)).fetched : first.fetched
  }

  async function attempt(key: string, context: RequestContext): Promise<{ fetched: Fetched; superseded: boolean }> {
    const since = store.fetchBegins()
    try {
      const fetched = await fetchResponse(key, context)
      return { fetched, superseded: fetched.kind === 'response' && store.keep(fetched.entry, since) === 'superseded' }
    } catch (error) {
      return { fetched: { kind: 'fault', error }, superseded: false }
    } finally {
      store.fetchEnds()
    }
  }

  return {
    has: (key: string) => joinable.has(key),
    /** Waits for the running fetch of this key, or starts one. Never rejects. */
    join(key: string, context: RequestContext): Promise<Fetched> {
      const underWay = joinable.get(key)
      if (underWay) return underWay
      const pending = fetchAgainIfSuperseded(key, context).finally(() => {
        if (joinable.get(key) === pending) joinable.delete(key)
      })
      joinable.set(key, pending)
      return pending
    },
    /** From now on no caller joins the running fetches: they may have read the state before a purge. */
    detach: () => joinable.clear(),
  }
}
