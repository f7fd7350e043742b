import { consume, type Consumer, type Log, type Messaging } from '@storefront/chassis'
import { OrderCancelled } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { releaseUses } from './uses.queries.ts'

/**
 * An order is cancelled: somebody else may use its code. This may be heard before the order itself, whose news then finds
 * the use given back and leaves it so.
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
