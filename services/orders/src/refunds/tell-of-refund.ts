import { publish } from '@storefront/chassis'
import { OrderRefunded, type Refund } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { countOrders } from '../orders/order-metrics.ts'
import { newsOf } from '../orders/order-news.ts'
import { findOrder } from '../orders/orders.queries.ts'
import type { StoredRefund } from './refund.ts'

/**
 * Says that money went back, with the order as it is after everything that followed from it. Once for a refund, because a
 * refund succeeds once; a by-hand one, and one that somebody made in the provider's own pages, are told of like any other.
 *
 * The buyer hears of a second payment that goes back as well, because it is on the same bank statement. The order's list and
 * sum of refunds know nothing of it, so its reason says what it is, and that the order stands.
 *
 * Nothing is said when a refund comes back later (`takeBackRefund`): the money is owed again, a person has to look at the
 * order, and the refund that follows has news of its own. Nor of money in another currency than the order's, which cannot
 * be told in amounts of the order: such a payment is looked at by the merchant.
 */
export async function tellOfRefund(tx: Tx, refund: StoredRefund, now: Date): Promise<void> {
  const order = await findOrder(tx, refund.orderId)
  if (!order || refund.currency !== order.document.total.currency) return
  const listed = order.refunds.find(({ id }) => id === refund.id)
  await publish(tx, OrderRefunded, { ...(await newsOf(tx, order)), refund: listed ?? refundOfDuplicate(refund) }, now)
  countOrders(tx, 'refunded')
}

function refundOfDuplicate({ id, amountMinor, currency, createdAt, reference }: StoredRefund): Refund {
  return {
    id,
    amount: { amount: amountMinor, currency },
    reason: 'it was paid twice, and the order stays as it is',
    createdAt: createdAt.toISOString(),
    ...(reference === null ? {} : { reference }),
    restocked: false,
    status: 'succeeded',
  }
}
