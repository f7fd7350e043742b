import { jetstream, type JsMsg } from '@nats-io/jetstream'
import type { Kysely } from 'kysely'
import { deadLetterSubject } from '@storefront/contracts'
import { isDatabaseTimeout, isOutage } from '@storefront/postgres'
import { systemClock, type Log } from '@storefront/service'
import { deadLetterHeaders, eventIdOf } from './dead-letter.ts'
import { countHandled } from './event-metrics.ts'
import type { Messaging } from './messaging.ts'
import { recordGivenUp } from './receipts.ts'

/**
 * After this many failures an event is put on the dead-letter stream; outages of our own servers do not count. Each
 * replica counts its own failures and starts again at zero when it starts: an event may be tried more often, but never
 * less.
 */
const MAX_FAILURES = 8
/** Another transaction may hold a lock for minutes. With 5 s for each wait, this many attempts take an hour. */
const MAX_DATABASE_TIMEOUTS = 60
/**
 * More than can be in flight at once (`max_ack_pending`); the counts of events that other replicas have settled are
 * dropped, oldest first.
 */
const MAX_COUNTED = 10_000

interface Context<Schema> {
  db: Kysely<Schema>
  messaging: Messaging
  log: Log
  durable: string
  /** Of the event. */
  name: string
  /** Pauses after the first, second and further failures; the last one repeats. */
  backoffMs: readonly number[]
  outageRetryMs: number
}

/** What happens to a message after its event was handled, or could not be. */
export function messageSettler<Schema>(context: Context<Schema>) {
  const { db, messaging, log, durable, name, backoffMs, outageRetryMs } = context
  // By stream sequence. The server's delivery count includes deliveries that an outage interrupted: by that count an
  // event that waited ten seconds for Postgres would be given up at its first failure afterwards.
  const failures = new Map<number, number>()
  const timeouts = new Map<number, number>()

  function clearCounts({ seq }: JsMsg): void {
    failures.delete(seq)
    timeouts.delete(seq)
  }

  /** Puts it on the dead-letter stream. */
  async function giveUp(message: JsMsg, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error)
    log.error(
      { err: error, event: name, sequence: message.seq },
      'an event was given up and goes to the dead-letter stream',
    )
    try {
      const { service } = messaging
      const head = deadLetterHeaders(message, { service, durable, event: name, reason, at: systemClock.now() })
      const subject = deadLetterSubject(messaging.namespace, service, name)
      await jetstream(messaging.connection()).publish(subject, message.data, { headers: head })
      await recordGivenUp(db, durable, eventIdOf(message))
      // Without a reason: NATS 2.9 leaves the message pending when term carries one.
      message.term()
      clearCounts(message)
      countHandled(name, 'dead')
    } catch (publishError) {
      log.warn({ err: publishError }, 'an event could not be given up; it is delivered again')
      message.nak(outageRetryMs)
    }
  }

  return {
    giveUp,
    acknowledge(message: JsMsg) {
      message.ack()
      clearCounts(message)
      countHandled(name, 'handled')
    },
    /** Tries it again after a pause, or gives it up after too many failures. */
    async retryLater(message: JsMsg, error: unknown): Promise<void> {
      if (isOutage(error)) {
        message.nak(outageRetryMs)
        countHandled(name, 'outage')
        return
      }
      const isTimeout = isDatabaseTimeout(error)
      const failed = countFailure(isTimeout ? timeouts : failures, message.seq)
      if (failed >= (isTimeout ? MAX_DATABASE_TIMEOUTS : MAX_FAILURES)) return giveUp(message, error)
      const delayMs = backoffMs[Math.min(failed, backoffMs.length) - 1] ?? outageRetryMs
      log.warn({ err: error, event: name, failures: failed, delayMs }, 'an event could not be processed; trying again')
      message.nak(delayMs)
      countHandled(name, isTimeout ? 'outage' : 'failed')
    },
  }
}

function countFailure(failures: Map<number, number>, sequence: number): number {
  const failed = (failures.get(sequence) ?? 0) + 1
  // Inserted again, so that the oldest entry comes first.
  failures.delete(sequence)
  failures.set(sequence, failed)
  const [oldest] = failures.keys()
  if (failures.size > MAX_COUNTED && oldest !== undefined) failures.delete(oldest)
  return failed
}
