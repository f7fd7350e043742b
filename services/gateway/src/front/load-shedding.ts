import type { IncomingMessage, ServerResponse } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { every, type Log } from '@storefront/chassis'
import { partyCounts } from './party-counts.ts'
import type { Patience } from './patience.ts'

const SAMPLE_MS = 250
/** One late sample is a start, a collection of garbage or a busy machine; two in a row are too much work. */
const LATE_SAMPLES = 2

export interface LoadShedding {
  /** Counts a request of a party until its answer is out. @returns false when the party has too many already */
  admit(party: string, response: ServerResponse): boolean
  /**
   * Counts a body that streams until it is there, or answered.
   * @returns false when there are too many already, of the party or of all
   */
  takeUpload(party: string, request: IncomingMessage, response: ServerResponse): boolean
  /** Takes a request in until its answer is out. @returns false when there is too much to do already */
  takeIn(response: ServerResponse): boolean
  stop(): Promise<void>
}

/** Watches how much is under way, and how late the event loop runs. */
export function watchLoad(
  log: Log,
  most: Pick<Patience, 'lateMs' | 'requestsUnderWay' | 'uploadsUnderWay' | 'uploadsPerAddress' | 'requestsPerAddress'>,
): LoadShedding {
  const delays = monitorEventLoopDelay({ resolution: 20 })
  let late = 0
  let underWay = 0
  let uploads = 0
  const parties = partyCounts()
  const uploaders = partyCounts()
  const isOver = () => underWay--
  delays.enable()
  const timer = every(SAMPLE_MS, 'load', log, async () => {
    const delayMs = delays.percentile(99) / 1e6
    delays.reset()
    late = delayMs > most.lateMs ? late + 1 : 0
    if (late === LATE_SAMPLES) log.warn({ delayMs: Math.round(delayMs) }, 'too much to do, refusing some of it')
  })
  return {
    admit(party, response) {
      const count = parties.take(party)
      response.once('close', () => parties.release(party))
      return count <= most.requestsPerAddress
    },
    takeUpload(party, request, response) {
      let counted = true
      const uploadIsOver = () => {
        if (!counted) return
        counted = false
        uploads--
        uploaders.release(party)
      }
      uploads++
      if (uploaders.take(party) > most.uploadsPerAddress || uploads > most.uploadsUnderWay) {
        uploadIsOver()
        return false
      }
      request.once('end', uploadIsOver).once('close', uploadIsOver)
      response.once('close', uploadIsOver)
      return true
    },
    takeIn(response) {
      if (late >= LATE_SAMPLES || underWay >= most.requestsUnderWay) return false
      underWay++
      response.once('close', isOver)
      return true
    },
    async stop() {
      await timer.stop()
      delays.disable()
    },
  }
}
