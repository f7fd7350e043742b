import { counter, readAtScrape, scrapedGauge, type Stoppable } from '@storefront/service'
import type { Database } from '../database.ts'
import type { Outcome } from './endpoint-outcomes.ts'
import { readBacklog } from './backlog.queries.ts'

const attempts = counter(
  'storefront_webhook_attempts_total',
  'Attempts to deliver a webhook, by result: delivered, retried later, interrupted by a stop, or given up',
  ['outcome'],
)
const waiting = scrapedGauge(
  'storefront_webhook_deliveries_waiting',
  'Webhooks that are waiting to be sent, up to 100,000',
)
const oldestDue = scrapedGauge(
  'storefront_webhook_oldest_due_age_seconds',
  'How long the oldest of them has been due, without those of paused endpoints',
)
const circuitsOpen = scrapedGauge(
  'storefront_webhook_circuits_open',
  'Endpoints that are paused because they failed too often',
)

export function countAttempt({ failed, result }: Pick<Outcome, 'failed' | 'result'>): void {
  const outcomeOfRetried = failed ? 'failed' : 'interrupted'
  attempts.inc({ outcome: result === 'waiting' ? outcomeOfRetried : result })
}

export function watchDeliveries(db: Database): Stoppable {
  return readAtScrape({ source: 'deliveries' }, async () => {
    const backlog = await readBacklog(db)
    return [
      { gauge: waiting, value: backlog.waiting },
      { gauge: oldestDue, value: backlog.oldestDueSeconds },
      { gauge: circuitsOpen, value: backlog.circuitsOpen },
    ]
  })
}
