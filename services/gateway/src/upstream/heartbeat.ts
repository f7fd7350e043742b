import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { HEARTBEAT_INTERVAL_HEADER, HEARTBEAT_PATH } from '@storefront/http'
import type { ReplicaPools } from './replica-pools.ts'
import type { Watch } from './replicas.ts'

/** The interval of attempts to a replica that is down: a start is noticed about as soon as it is ready. */
const CHECK_AGAIN_MS = 250
/** A replica of a version without the route, as during an update, does not count as down. */
const UNKNOWN_AGAIN_MS = 5000
/** Lines that may be missing: a replica that collects garbage, or a busy machine, is late with one or two. */
const MISSED_LINES = 3

/**
 * Holds a request open to each replica, whose response the replica ends when it is about to stop, and the system when
 * its process is gone. When no line has come for a while, the machine of the replica has vanished, and requests that
 * were sent to it are broken off instead of waiting for their timeout.
 */
export function watchHeartbeats(pools: ReplicaPools): Watch {
  return (origin, report) => {
    const ended = new AbortController()
    const { signal } = ended

    /** @returns the pause before the next attempt */
    async function hold(): Promise<number> {
      try {
        const request = { path: HEARTBEAT_PATH, method: 'GET', bodyTimeout: 0, signal } as const
        const { statusCode, headers, body } = await pools.of(origin).request(request)
        report(statusCode !== 503)
        const silent = await readToEnd(body, Number(headers[HEARTBEAT_INTERVAL_HEADER] ?? 0) * MISSED_LINES)
        if (silent) pools.breakOff(origin)
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
    return () => {
      ended.abort()
      pools.remove(origin)
    }
  }
}

/**
 * Reads a response to its end.
 * @param silenceMs after which it is given up; 0 for never
 * @returns whether it was given up
 */
async function readToEnd(body: Readable, silenceMs: number): Promise<boolean> {
  let silent = false
  let lastWait: NodeJS.Timeout | undefined
  const giveUp = (): void => {
    silent = true
    body.destroy()
  }
  // This process itself may have been busy: what has arrived meanwhile is read before the second timer ends.
  const giveUpSoon = (): void => {
    lastWait = setTimeout(giveUp, silenceMs / 4)
  }
  const timer = silenceMs > 0 ? setTimeout(giveUpSoon, silenceMs) : undefined
  body.on('data', () => {
    clearTimeout(lastWait)
    timer?.refresh()
  })
  try {
    await finished(body)
  } catch (error) {
    if (!silent) throw error
  } finally {
    clearTimeout(timer)
    clearTimeout(lastWait)
  }
  return silent
}
