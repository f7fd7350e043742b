import { processBatches } from '@storefront/jobs'
import type { Log, Timer } from '@storefront/service'
import { transaction } from '@storefront/postgres'
import type { Database } from '../database.ts'
import { addToDays, addToTotals, deleteEmptyDays, lockCounts, takeChanges } from './apply-count-changes.queries.ts'

/** A list adds the waiting changes itself, so there should be few. */
const AT_ONCE = 1000
const EVERY_MS = 5000

/**
 * Adds the waiting changes to the counts of orders. A change leaves its table in the transaction that adds it, so it
 * counts once, whatever crashes, and in whatever order transactions commit.
 */
export function applyCountChanges({ db, log }: { db: Database; log: Log }): Timer {
  return processBatches({
    name: 'fold counts of orders',
    log,
    everyMs: EVERY_MS,
    next: () =>
      transaction(db, async (tx) => {
        await lockCounts(tx)
        const changes = await takeChanges(tx, AT_ONCE)
        if (changes.length === 0) return false
        await addToDays(tx, changes)
        await addToTotals(tx, changes)
        await deleteEmptyDays(tx, changes)
        return changes.length === AT_ONCE
      }),
  })
}
