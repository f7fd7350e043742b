import type { IncomingMessage, ServerResponse } from 'node:http'
import { every, type Log } from '@storefront/service'
import { clientCounts } from './client-counts.ts'
import type { Timeouts } from './timeouts.ts'

/** One late sample is a start, a garbage collection or a busy machine; two in a row are overload. */
const OVERLOAD_SAMPLES = 2
/** Half of a higher limit would notice an overload late; half of no limit, which is Infinity, would be due at once. */
const LONGEST_SAMPLE_MS = 250

export type LoadShedding = ReturnType<typeof watchLoad>

/** Measures the running requests, and the delay of the event loop. */
export function watchLoad(
  log: Log,
  max: Pick<Timeouts, 'lateMs' | 'requestsUnderWay' | 'uploadsUnderWay' | 'uploadsPerAddress' | 'requestsPerAddress'>,
) {
  let sampledMs = performance.now()
  let lateSamples = 0
  let underWay = 0
  let uploads = 0
  const clients = clientCounts()
  const uploaders = clientCounts()
  const releaseSlot = () => underWay--
  // Due after half of that time, so that each turn of a busy event loop is measured separately.
  const timer = every(Math.min(max.lateMs / 2, LONGEST_SAMPLE_MS), 'load', log, async () => {
    const delayMs = performance.now() - sampledMs
    sampledMs += delayMs
    lateSamples = delayMs > max.lateMs ? lateSamples + 1 : 0
    if (lateSamples === OVERLOAD_SAMPLES)
      log.warn(
        { delayMs: Math.round(delayMs) },
        'the gateway is overloaded: it rejects requests that need a service until it recovers; add a replica',
      )
  })
  return {
    /** Counts a request of a client until its response ends. @returns false when the client has too many already */
    admit(client: string, response: ServerResponse) {
      const count = clients.take(client)
      response.once('close', () => clients.release(client))
      return count <= max.requestsPerAddress
    },
    /**
     * Counts a streaming body until it is complete, or answered.
     * @returns false when there are too many already, of the client or in total
     */
    takeUpload(client: string, request: IncomingMessage, response: ServerResponse) {
      let counted = true
      const endUpload = () => {
        if (!counted) return
        counted = false
        uploads--
        uploaders.release(client)
      }
      uploads++
      if (uploaders.take(client) > max.uploadsPerAddress || uploads > max.uploadsUnderWay) {
        endUpload()
        return false
      }
      request.once('end', endUpload).once('close', endUpload)
      response.once('close', endUpload)
      return true
    },
    /** Takes a slot among the running requests until the response ends. @returns false when it is overloaded */
    takeSlot(response: ServerResponse) {
      if (lateSamples >= OVERLOAD_SAMPLES || underWay >= max.requestsUnderWay) return false
      underWay++
      response.once('close', releaseSlot)
      return true
    },
    stop: () => timer.stop(),
  }
}
