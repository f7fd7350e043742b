import { transaction } from '@storefront/chassis'
import type { OrdersContext } from '../context.ts'
import type { StoredOrder } from '../orders/order.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { confirmPayments } from './confirm-payments.ts'
import { findOrderIdOfSession } from './payments.queries.ts'
import type { PaymentNews } from './provider.ts'

/** Takes what a provider says of money, whoever brought the news. */
export async function takePaymentNews(
  { db, clock }: OrdersContext,
  news: PaymentNews,
): Promise<{ kind: 'order'; order: StoredOrder } | { kind: 'unknown' } | { kind: 'noted' }> {
  const { provider, reference, amount, method = null } = news
  return transaction(db, async (tx) => {
    const orderId = (await findOrderIdOfSession(tx, news)) ?? news.orderId
    const order = orderId === undefined ? undefined : await findOrder(tx, orderId)
    if (!order) return { kind: 'unknown' }
    if (news.status !== 'captured' || reference === undefined || amount === undefined) return { kind: 'noted' }
    const { id } = order
    await confirmPayments(
      tx,
      [{ provider, reference, orderId: id, amountMinor: amount.amount, currency: amount.currency, method }],
      clock.now(),
    )
    return { kind: 'order', order: (await findOrder(tx, id)) ?? order }
  })
}
