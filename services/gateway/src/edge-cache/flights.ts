import type { Visit } from '../front/visit.ts'
import type { FetchAnswer, Fetched } from './fetch-answer.ts'
import type { Store } from './store.ts'

export interface Flights {
  has(key: string): boolean
  /** Waits for the fetch of this key that is under way, or begins one. Never rejects. */
  join(key: string, visit: Visit): Promise<Fetched>
  /** Nobody joins what is under way any more: it may have read what was true before a purge. */
  detach(): void
}

/** Fetches under way, one a key: a thousand visitors who ask for the same cost their service one request. */
export function createFlights(store: Store, fetchAnswer: FetchAnswer): Flights {
  const joinable = new Map<string, Promise<Fetched>>()

  async function fly(key: string, visit: Visit): Promise<Fetched> {
    const first = await attempt(key, visit)
    // What a purge has overtaken is right for whoever asked before it, but a cache in front of us would keep it.
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
