import { ask, isOutage, transaction } from '@storefront/chassis'
import { ReleaseDiscount, ReleaseInventory } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { lockCarts } from '../sessions/sessions.queries.ts'
import { abandonUnusedClaims } from './claims.queries.ts'

/** What is held for a cart: its goods, and a use of its discount code. */
export interface Holds {
  cartId: string
  claim: string | null
  discountClaim: string | null
}

/**
 * Undoes what was held. First it is written down that no order stands on it: if the transaction whose failure brought us
 * here did commit after all, its own record is found and the goods stay. What cannot be undone now, the deadline undoes.
 */
export async function giveUp(
  { db, messaging, clock, log }: Pick<OrdersContext, 'db' | 'messaging' | 'clock' | 'log'>,
  { cartId, claim, discountClaim }: Holds,
): Promise<void> {
  const claims = [claim, discountClaim].filter((each) => each !== null)
  if (claims.length === 0) return
  try {
    const abandoned = await transaction(db, async (tx) => {
      // A session that is being written at this moment stands on them, or comes second.
      await lockCarts(tx, [cartId])
      return abandonUnusedClaims(tx, cartId, claims, clock.now())
    })
    const releases = abandoned.map((each) =>
      ask(messaging, each === claim ? ReleaseInventory : ReleaseDiscount, { claim: each }),
    )
    const failed = (await Promise.allSettled(releases)).find((each) => each.status === 'rejected')
    if (failed) throw failed.reason
  } catch (error) {
    if (!isOutage(error)) throw error
    log.warn({ err: error, claims }, 'a hold could not be given up and waits for its deadline')
  }
}
