import { readAtScrape, scrapedGauge, type Stoppable } from '@storefront/service'
import type { Database } from '../database.ts'
import { countOpenReservations, sumOversold } from './oversold.queries.ts'
import { watchLedger } from './watch-ledger.ts'

/**
 * The interval at which the whole stock table is read, short enough for an alert. That takes 0.1 s for the 133 MB of
 * 600,000 variants (PostgreSQL 18, from the page cache).
 */
const OVERSOLD_MAX_AGE_MS = 30_000

const open = scrapedGauge('storefront_reservations_open', 'Reservations that hold goods, up to 100,000')
const oversold = scrapedGauge(
  'storefront_oversold_units',
  'Units that are promised but not in stock, or by which stock and its movements differ; any value but 0 is an error',
)

/** Reports the number of held reservations, and units that are oversold or differ from the ledger. */
export function watchStock(db: Database): Stoppable[] {
  const checkLedger = watchLedger()

  return [
    readAtScrape({ source: 'reservations' }, async () => [{ gauge: open, value: await countOpenReservations(db) }]),
    readAtScrape({ source: 'oversold', maxAgeMs: OVERSOLD_MAX_AGE_MS }, async () => {
      const differing = await checkLedger(db)
      return [{ gauge: oversold, value: (await sumOversold(db)) + differing }]
    }),
  ]
}
