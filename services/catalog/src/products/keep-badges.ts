import { transaction, type Clock } from '@storefront/chassis'
import type { Database } from '../database.ts'
import { queueRefresh } from './answers.queries.ts'
import { findOutgrown, findWithOldSales, findWronglyRanked, forgetOldSales, rankBestsellers } from './badges.queries.ts'
import { BESTSELLER_UNITS, NEW_FOR_DAYS } from './product.ts'

const DAY_MS = 24 * 3600 * 1000
/** Days beyond the thirty that sales are kept: a clock may be set wrong and right again. */
const SPARE_DAYS = 10

/**
 * Queues the products whose facts changed although nobody touched them: one more or less among the best-selling tenth,
 * new no longer, sales that are thirty days old.
 */
export async function keepBadges({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const thirtyDaysAgo = new Date(clock.now().getTime() - NEW_FOR_DAYS * DAY_MS)
  await transaction(db, async (tx) => {
    await rankBestsellers(tx, BESTSELLER_UNITS)
    const changed = [
      ...(await findWronglyRanked(tx)),
      ...(await findOutgrown(tx, thirtyDaysAgo)),
      ...(await findWithOldSales(tx, thirtyDaysAgo)),
    ]
    await queueRefresh(tx, changed)
  })
  await forgetOldSales(db, new Date(thirtyDaysAgo.getTime() - SPARE_DAYS * DAY_MS))
}
