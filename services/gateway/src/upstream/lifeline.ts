import { finished } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { LIFELINE_PATH } from '@storefront/http'
import type { Watch } from './replicas.ts'

/** The interval of attempts to a replica that is down: a start is noticed about as soon as it is ready. */
const CHECK_AGAIN_MS = 250
/** A replica of a version without lifelines, as during an update, does not count as down. */
const UNKNOWN_AGAIN_MS = 5000

/**
 * Holds a lifeline, an open connection, to each replica, which the replica ends when it is about to stop, and the
 * system when its process is gone.
 */
export function watchLifelines(agent: Dispatcher): Watch {
  return (origin, report) => {
    const ended = new AbortController()
    const { signal } = ended

    /** @returns the pause before the next attempt */
    async function hold(): Promise<number> {
      try {
        const request = { origin, path: LIFELINE_PATH, method: 'GET', bodyTimeout: 0, signal } as const
        const { statusCode, body } = await agent.request(request)
        report(statusCode !== 503)
        await finished(body.resume())
        if (statusCode === 404) return UNKNOWN_AGAIN_MS
      } catch {
        // Rejected or disconnected: down either way.
      }
      if (!signal.aborted) report(false)
      return CHECK_AGAIN_MS
    }

    void (async () => {
      while (!signal.aborted) await pause(await hold(), undefined, { signal, ref: false }).catch(() => {})
    })()
    return () => ended.abort()
  }
}
