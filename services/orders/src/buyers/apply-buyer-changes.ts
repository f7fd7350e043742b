import { processBatches } from '@storefront/jobs'
import { transaction } from '@storefront/postgres'
import type { Log, Timer } from '@storefront/service'
import { findDeletedOwners } from '../access/closed-orders.queries.ts'
import type { Database, Tx } from '../database.ts'
import {
  addOrdersToBuyers,
  deleteEmptyBuyers,
  findCountedAddresses,
  isChangeQueued,
  lockBuyers,
  removeOrders,
  sumBuyers,
  takeChangedOrders,
} from './apply-buyer-changes.queries.ts'

const AT_ONCE = 500
const EVERY_MS = 1000

/**
 * Adds orders that were placed or changed to the totals of their buyers. A change leaves its table in the transaction
 * that counts it, and an order replaces what it had added before: nothing is missed or counted twice, whatever crashes
 * or is repeated.
 */
export function applyBuyerChanges({ db, log }: { db: Database; log: Log }): Timer {
  return processBatches({
    name: 'fold buyers',
    log,
    everyMs: EVERY_MS,
    isWaiting: () => isChangeQueued(db),
    next: () => applyNextBuyerChanges(db),
  })
}

/**
 * Counts a batch of changes, for a list that includes what was placed before it was requested.
 * @returns whether more changes may wait
 */
export async function applyNextBuyerChanges(db: Database): Promise<boolean> {
  return transaction(db, async (tx) => {
    await lockBuyers(tx)
    const { rows, orderIds } = await takeChangedOrders(tx, AT_ONCE)
    if (rows > 0) await countAgain(tx, orderIds)
    return rows === AT_ONCE
  })
}

async function countAgain(tx: Tx, orderIds: readonly string[]): Promise<void> {
  // Orders of deleted accounts and erased guests stay for accounting only.
  const closed = await findDeletedOwners(tx, orderIds)
  const open = orderIds.filter((id) => !closed.has(id))
  const before = await findCountedAddresses(tx, orderIds)
  if (closed.size > 0) await removeOrders(tx, [...closed.keys()])
  await addOrdersToBuyers(tx, open)
  const after = await findCountedAddresses(tx, open)
  await sumBuyers(tx, [...new Set([...before, ...after])])
  const left = before.filter((address) => !after.includes(address))
  if (left.length > 0) await deleteEmptyBuyers(tx, left)
}
