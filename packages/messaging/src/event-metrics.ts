import { jetstreamManager } from '@nats-io/jetstream'
import type { Kysely } from 'kysely'
import { eventsStream } from '@storefront/contracts'
import { type Clock, type Stoppable, readAtScrape, scrapedGauge, counter } from '@storefront/service'
import { readOutbox } from './outbox.ts'
import type { Messaging } from './messaging.ts'

const NATS_TIMEOUT_MS = 1000

const outboxEvents = scrapedGauge(
  'storefront_outbox_events',
  'Events that were committed and not yet published, up to 100,000',
)
const outboxAge = scrapedGauge(
  'storefront_outbox_oldest_age_seconds',
  'Age of the oldest event in the outbox in seconds, 0 when there is none',
)
const pending = scrapedGauge('storefront_consumer_pending', 'Events that were not yet delivered to this service', [
  'event',
])
const unacknowledged = scrapedGauge(
  'storefront_consumer_unacknowledged',
  'Events that were delivered and not yet acknowledged',
  ['event'],
)
const handled = counter(
  'storefront_consumer_handled_total',
  'Events by outcome: handled, to be tried again after a failure or an outage, or given up',
  ['event', 'outcome'],
)
const deadLetters = counter(
  'storefront_dead_letters_total',
  'Events that were given up and put on the dead-letter stream',
  ['event'],
)

export type EventOutcome = 'handled' | 'failed' | 'outage' | 'dead'

export function countHandled(event: string, outcome: EventOutcome): void {
  handled.inc({ event, outcome })
  if (outcome === 'dead') deadLetters.inc({ event })
}

/** Shows how many events wait to be published. */
export function watchOutbox<Schema>({ db, clock }: { db: Kysely<Schema>; clock: Clock }): Stoppable {
  return readAtScrape({ source: 'outbox' }, async () => {
    const { events, oldestAt } = await readOutbox(db)
    const ageMs = oldestAt === undefined ? 0 : clock.now().getTime() - oldestAt.getTime()
    return [
      { gauge: outboxEvents, value: events },
      { gauge: outboxAge, value: Math.max(0, ageMs) / 1000 },
    ]
  })
}

/** Shows how far a durable consumer is behind. */
export function watchConsumer(messaging: Messaging, durable: string, event: string): Stoppable {
  // Present from the first scrape on: an increase from a missing series is not seen.
  handled.inc({ event, outcome: 'handled' }, 0)
  deadLetters.inc({ event }, 0)
  return readAtScrape({ source: 'consumer' }, async () => {
    const manager = await jetstreamManager(messaging.connection(), { checkAPI: false, timeout: NATS_TIMEOUT_MS })
    const info = await manager.consumers.info(eventsStream(messaging.namespace), durable)
    return [
      { gauge: pending, labels: { event }, value: info.num_pending },
      { gauge: unacknowledged, labels: { event }, value: info.num_ack_pending },
    ]
  })
}
