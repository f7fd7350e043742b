import { processBatches } from '@storefront/jobs'
import { settleClaims } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import type { Timer } from '@storefront/service'
import type { CartContext } from '../context.ts'
import { findDueRedemptions, markRedeemed, releaseRedemptions } from './redemptions.queries.ts'

const SETTLE_MS = 1000
const BATCH = 200

/**
 * Settles held redemptions whose deadline has passed: redeems those that orders has an order for, and releases those
 * that orders has recorded as abandoned. While orders does not reply, nothing is released.
 */
export function settleOverdueRedemptions(context: CartContext): Timer {
  return processBatches({
    name: 'settle overdue discount redemptions',
    log: context.log,
    everyMs: SETTLE_MS,
    next: () => settleBatch(context),
  })
}

/** @returns whether more may be due */
async function settleBatch(context: CartContext): Promise<boolean> {
  const { db, clock } = context
  const claims = await findDueRedemptions(db, clock.now(), BATCH)
  if (claims.length === 0) return false
  const settled = await settleClaims(context, claims, 'overdue discount redemptions')
  if (!settled) return false
  await transaction(db, async (tx) => {
    await releaseRedemptions(tx, settled.abandoned, ['held'])
    await markRedeemed(tx, settled.ordered)
  })
  // Claims that orders has not decided are sent again at the next run; sending them now could loop forever.
  return claims.length === BATCH && settled.abandoned.length + settled.ordered.length > 0
}
