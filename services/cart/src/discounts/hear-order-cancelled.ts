import { consume, type Consumer, type Log, type Messaging } from '@storefront/chassis'
import { OrderCancelled } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { releaseUses } from './uses.queries.ts'

/**
 * Releases the redemption of a cancelled order, so that another buyer can use the code. This event may arrive before
 * `order.placed`, which then finds the redemption released and leaves it so.
 */
export function hearOrderCancelled(context: { db: Database; messaging: Messaging; log: Log }): Consumer {
  return consume(context, OrderCancelled, async (tx, events) => {
    await releaseUses(
      tx,
      events.flatMap((event) => event.data.discountClaim ?? []),
      ['held', 'used'],
    )
  })
}
