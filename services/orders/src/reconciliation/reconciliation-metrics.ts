import { readAtScrape, scrapedGauge, type Stoppable } from '@storefront/chassis'
import type { Database } from '../database.ts'
import { countFindings } from './books.queries.ts'

const findings = scrapedGauge(
  'storefront_reconciliation_findings',
  'What of payments, refunds, orders and stock did not add up when it was last compared',
  ['state'],
)

/** Shows what the last comparison of the books left for people to look at. */
export function watchFindings(db: Database): Stoppable {
  return readAtScrape({ source: 'reconciliation' }, async () => [
    { gauge: findings, labels: { state: 'open' }, value: await countFindings(db) },
  ])
}
