import type { Visit } from '../front/visit.ts'
import type { FetchAnswer, Fetched } from './fetch-answer.ts'
import type { Store } from './store.ts'

export interface Flights {
  has(key: string): boolean
  /** Waits for the running fetch of this key, or starts one. Never rejects. */
  join(key: string, visit: Visit): Promise<Fetched>
  /** No caller joins the running fetches any more: they may have read the state before a purge. */
  detach(): void
}

/** Running fetches, one per key: a thousand clients with the same request cost their service one request. */
export function createFlights(store: Store, fetchAnswer: FetchAnswer): Flights {
  const joinable = new Map<string, Promise<Fetched>>()

  async function fly(key: string, visit: Visit): Promise<Fetched> {
    const first = await attempt(key, visit)
    // A response that a purge has overtaken is correct for requests from before it, but a cache in front of us would
    // keep it.
    return first.overtaken ? (await attempt(key, visit)).fetched : first.fetched
  }

  async function attempt(key: string, visit: Visit): Promise<{ fetched: Fetched; overtaken: boolean }> {
    const since = store.fetchBegins()
    try {
      const fetched = await fetchAnswer(key, visit)
      return { fetched, overtaken: fetched.kind === 'answer' && store.keep(fetched.entry, since) === 'overtaken' }
    } catch (error) {
      return { fetched: { kind: 'fault', error }, overtaken: false }
    } finally {
      store.fetchEnds()
    }
  }

  return {
    has: (key) => joinable.has(key),
    join(key, visit) {
      const underWay = joinable.get(key)
      if (underWay) return underWay
      const flight = fly(key, visit).finally(() => {
        if (joinable.get(key) === flight) joinable.delete(key)
      })
      joinable.set(key, flight)
      return flight
    },
    detach: () => joinable.clear(),
  }
}
