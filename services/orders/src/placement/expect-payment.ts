import { transaction } from '@storefront/postgres'
import type { OrdersContext } from '../context.ts'
import type { StoredOrder } from '../orders/order.ts'
import { findOrder, lockOrder, nameExpectedPayment } from '../orders/orders.queries.ts'
import { recordExpectedPayment } from '../orders/place-order.ts'
import { hasMoney } from '../payments/confirm-payments.ts'
import { findOrderNamedByPayment } from '../payments/payments.queries.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import type { ExpectedPayment } from './merchant-placement.ts'

/** Records a payment that is not captured yet for an order that exists and has no money: its capture then finds it. */
export async function expectPayment(
  { db, clock }: OrdersContext,
  order: StoredOrder,
  payment: ExpectedPayment | undefined,
  actor: string | undefined,
): Promise<StoredOrder> {
  if (!payment || hasMoney(order)) return order
  const { provider, reference, status } = payment
  // A repeated request, or the payment of another order, which keeps it.
  if ((await findOrderNamedByPayment(db, provider, reference)) !== undefined) return order
  await transaction(db, async (tx) => {
    const locked = await lockOrder(tx, order.id)
    if (!locked || hasMoney(locked)) return
    const now = clock.now()
    await recordExpectedPayment(tx, { ...locked, payment }, now)
    // A concurrent request may have recorded it for another order.
    if ((await findOrderNamedByPayment(tx, provider, reference)) !== order.id) return
    const isNamed = await nameExpectedPayment(tx, order.id, payment)
    if (!isNamed || status !== 'authorized') return
    await recordSteps(
      tx,
      [{ orderId: order.id, kind: 'payment_authorized', actor, detail: { provider, reference } }],
      now,
    )
  })
  return (await findOrder(db, order.id)) ?? order
}
