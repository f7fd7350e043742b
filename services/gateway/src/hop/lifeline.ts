import { finished } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { LIFELINE_PATH } from '@storefront/chassis'
import type { Watch } from './copies.ts'

/** A copy that is away is asked so often: a start is noticed about as soon as it can be of use. */
const ASK_AGAIN_MS = 250
/** One that knows no lifelines, as in the middle of an update, is not held to have gone. */
const UNKNOWN_AGAIN_MS = 5000

/** Holds a lifeline to each copy, which the copy ends when it is about to stop, and the system when its process is gone. */
export function watchLifelines(agent: Dispatcher): Watch {
  return (origin, heard) => {
    const ended = new AbortController()
    const { signal } = ended

    /** @returns how long to wait before the next try */
    async function hold(): Promise<number> {
      try {
        const request = { origin, path: LIFELINE_PATH, method: 'GET', bodyTimeout: 0, signal } as const
        const { statusCode, body } = await agent.request(request)
        heard(statusCode !== 503)
        await finished(body.resume())
        if (statusCode === 404) return UNKNOWN_AGAIN_MS
      } catch {
        // Refused, or broken off: gone either way.
      }
      if (!signal.aborted) heard(false)
      return ASK_AGAIN_MS
    }

    void (async () => {
      while (!signal.aborted) await pause(await hold(), undefined, { signal, ref: false }).catch(() => {})
    })()
    return () => ended.abort()
  }
}
