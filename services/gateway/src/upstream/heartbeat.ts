import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { HEARTBEAT_INTERVAL_HEADER, HEARTBEAT_PATH } from '@storefront/http'
import type { ReplicaPools } from './replica-pools.ts'
import type { Watch } from './replicas.ts'

/** The interval of attempts to connect to a replica that is down. Short, so that it is used soon after its start. */
const CHECK_AGAIN_MS = 250
/** A replica of a version without the route, as during an update, does not count as down. */
const UNKNOWN_AGAIN_MS = 5000
/** The number of missed lines after which a replica is lost: a garbage collection may delay one or two. */
const MISSED_LINES = 3

/**
 * Holds a request open to each replica. The response ends when the replica is about to stop or its process has ended.
 * When no line arrives for a while, the machine of the replica is lost, and the requests to it are aborted instead of
 * waiting for their timeout.
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
 * @param silenceMs after which it is aborted; 0 for never
 * @returns whether it was aborted
 */
async function readToEnd(body: Readable, silenceMs: number): Promise<boolean> {
  let silent = false
  let lastWait: NodeJS.Timeout | undefined
  const giveUp = (): void => {
    silent = true
    body.destroy()
  }
  // This process itself may have been busy: lines that have arrived meanwhile are read before the second timer ends.
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
