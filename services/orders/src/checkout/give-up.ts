import { sendRequest } from '@storefront/messaging'
import { isDatabaseTimeout, isOutage, limitLockWaits, transaction } from '@storefront/postgres'
import { ReleaseDiscount, ReleaseInventory } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { lockCarts } from '../sessions/sessions.queries.ts'
import { abandonUnusedClaims } from './claims.queries.ts'

const LOCK_MS = 1000

/** What is held for a cart: its goods, and a redemption of its discount code. */
export interface Holds {
  cartId: string
  claim: string | null
  discountClaim: string | null
}

/**
 * Releases what was held. First it records that no order may use it: if the failed transaction did commit after all,
 * its own record is found and the goods stay reserved. What cannot be released now is released by its deadline.
 */
export async function giveUp(
  { db, messaging, clock, log }: Pick<OrdersContext, 'db' | 'messaging' | 'clock' | 'log'>,
  { cartId, claim, discountClaim }: Holds,
): Promise<void> {
  const claims = [claim, discountClaim].filter((each) => each !== null)
  if (claims.length === 0) return
  try {
    const abandoned = await transaction(db, async (tx) => {
      // The caller may have waited for the same locks already.
      await limitLockWaits(tx, LOCK_MS)
      // A session that is being written now either uses these holds or fails on this record.
      await lockCarts(tx, [cartId])
      return abandonUnusedClaims(tx, cartId, claims, clock.now())
    })
    const releases = abandoned.map((each) =>
      sendRequest(messaging, each === claim ? ReleaseInventory : ReleaseDiscount, { claim: each }),
    )
    const failed = (await Promise.allSettled(releases)).find((each) => each.status === 'rejected')
    if (failed) throw failed.reason
  } catch (error) {
    // It would take the place of the result that the caller has.
    if (!isOutage(error) && !isDatabaseTimeout(error)) throw error
    log.warn({ err: error, claims }, 'a hold could not be released now; it is released when its deadline passes')
  }
}
