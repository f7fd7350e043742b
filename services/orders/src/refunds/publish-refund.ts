import { publish } from '@storefront/messaging'
import { OrderRefunded, type Refund } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { countOrderEvent } from '../orders/order-metrics.ts'
import { orderEventData } from '../orders/order-event-data.ts'
import { publicRefund } from '../orders/order.ts'
import { findOrder } from '../orders/orders.queries.ts'
import type { StoredRefund } from './refund.ts'

/**
 * Publishes that a refund succeeded, with the order as it is after all effects. Once for a refund, because a refund
 * succeeds once; a refund by hand, and one made in the provider's dashboard, are published like any other.
 *
 * The refund of a second payment is published as well, because it is on the buyer's bank statement. The order's list
 * and sum of refunds do not contain it, so its reason says what it is, and that the order stands.
 *
 * Nothing is published when a refund is reversed later (`withdrawRefund`): the money is owed again, the order is
 * flagged, and the next refund has an event of its own. Nor for a payment in another currency than the order's, which
 * cannot be expressed in amounts of the order: the merchant looks at such a payment.
 */
export async function publishRefund(tx: Tx, refund: StoredRefund, now: Date): Promise<void> {
  const order = await findOrder(tx, refund.orderId)
  if (!order || refund.currency !== order.document.total.currency) return
  const listed = order.refunds.find(({ id }) => id === refund.id)
  await publish(
    tx,
    OrderRefunded,
    { ...(await orderEventData(tx, order)), refund: listed ? publicRefund(listed) : refundOfDuplicate(refund) },
    now,
  )
  countOrderEvent(tx, 'refunded')
}

function refundOfDuplicate({ id, amountMinor, currency, createdAt, reference }: StoredRefund): Refund {
  return {
    id,
    amount: { amount: amountMinor, currency },
    reason: 'The order was paid twice. This refund returns the second payment; your order is unchanged.',
    createdAt: createdAt.toISOString(),
    ...(reference === null ? {} : { reference }),
    restocked: false,
    status: 'succeeded',
  }
}
