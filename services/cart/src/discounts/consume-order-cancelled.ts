import { consume, type Consumer } from '@storefront/messaging'
import { OrderCancelled } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { releaseRedemptions } from './redemptions.queries.ts'

/**
 * Releases the redemption of a cancelled order, so that another buyer can use the code. This event may arrive before
 * `order.placed`, which then finds the redemption released and leaves it so.
 */
export function consumeOrderCancelled(context: CartContext): Consumer {
  return consume(context, OrderCancelled, async (tx, events) => {
    await releaseRedemptions(
      tx,
      events.flatMap((event) => event.data.discountClaim ?? []),
      ['held', 'used'],
    )
  })
}
