import { transaction } from '@storefront/postgres'
import { DAY_MS, every, type Timer } from '@storefront/service'
import type { CatalogContext } from '../context.ts'
import type { ListingIndex } from '../listings/listing-index.ts'
import { queueRefresh } from './responses.queries.ts'
import {
  findNoLongerNew,
  findWithOldSales,
  findWronglyRanked,
  deleteOldSales,
  saveBestsellerUnits,
} from './badges.queries.ts'
import { BESTSELLER_UNITS, NEW_FOR_DAYS } from './product.ts'

/** Days for which sales are kept beyond the thirty, in case a clock was wrong and is corrected. */
const SPARE_DAYS = 10

/**
 * Queues the products whose facts change with time or with the sales of others: best-sellers, products that are no
 * longer new, and sales that are more than thirty days old.
 */
export function keepBadges(context: CatalogContext): Timer {
  return every(5 * context.pollMs, 'keep badges', context.log, () => keepBadgesOnce(context))
}

/** One run of `keepBadges`. */
export async function keepBadgesOnce({ db, lists, clock }: CatalogContext): Promise<void> {
  const thirtyDaysAgo = new Date(clock.now().getTime() - NEW_FOR_DAYS * DAY_MS)
  const bestsellerUnits = await lists.read((moment) => Promise.resolve(bestsellerUnitsIn(moment.index().listings)))
  await transaction(db, async (tx) => {
    await saveBestsellerUnits(tx, bestsellerUnits)
    const changed = [
      ...(await findWronglyRanked(tx, bestsellerUnits)),
      ...(await findNoLongerNew(tx, thirtyDaysAgo)),
      ...(await findWithOldSales(tx, thirtyDaysAgo)),
    ]
    await queueRefresh(tx, changed)
  })
  await deleteOldSales(db, new Date(thirtyDaysAgo.getTime() - SPARE_DAYS * DAY_MS))
}

/** The minimum number of units of a best-seller: fewer than a tenth of the products sell more. */
function bestsellerUnitsIn(index: ListingIndex): number {
  return Math.max(BESTSELLER_UNITS, index.unitsSoldAt(Math.max(Math.ceil(index.count * 0.1) - 1, 0)))
}
