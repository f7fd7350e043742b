import { processBatches } from '@storefront/jobs'
import type { Log, Timer } from '@storefront/service'
import { transaction } from '@storefront/postgres'
import type { Database } from '../database.ts'
import { countChanges, findChanges, lockSales, saveSoldProducts } from './sales.queries.ts'

/** A batch takes some tens of milliseconds, for which a summary may wait. */
const AT_ONCE = 500
const EVERY_MS = 5000

/**
 * Adds the waiting changes to the sales figures. A change leaves its table in the transaction that
 * counts it, so it counts once, whatever crashes, and in whatever order transactions commit.
 */
export function applySalesChanges({ db, log }: { db: Database; log: Log }): Timer {
  return processBatches({ name: 'fold sales', log, everyMs: EVERY_MS, next: () => applyBatch(db) })
}

/** Counts every change that is committed by now. */
export async function applyAllSalesChanges(db: Database): Promise<void> {
  while (await applyBatch(db));
}

/** @returns whether more changes may wait */
async function applyBatch(db: Database): Promise<boolean> {
  return transaction(db, async (tx) => {
    await lockSales(tx)
    const changeIds = await findChanges(tx, AT_ONCE)
    if (changeIds.length === 0) return false
    await saveSoldProducts(tx, changeIds)
    await countChanges(tx, changeIds)
    return changeIds.length === AT_ONCE
  })
}
