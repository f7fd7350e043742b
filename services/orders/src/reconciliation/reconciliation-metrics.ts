import { readAtScrape, scrapedGauge, type Stoppable } from '@storefront/service'
import type { Database } from '../database.ts'
import { countFindings } from './ledger.queries.ts'

const findings = scrapedGauge(
  'storefront_reconciliation_findings',
  'Inconsistencies of payments, refunds, orders and stock found by the last reconciliation',
  ['state'],
)

/** Shows how many findings the last reconciliation left for people to look at. */
export function watchFindings(db: Database): Stoppable {
  return readAtScrape({ source: 'reconciliation' }, async () => [
    { gauge: findings, labels: { state: 'open' }, value: await countFindings(db) },
  ])
}
