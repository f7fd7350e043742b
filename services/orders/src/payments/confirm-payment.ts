import { publish } from '@storefront/chassis'
import { OrderPaid } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { lockOrder, savePayment } from '../orders/orders.queries.ts'
import { mayBecome } from '../orders/transitions.ts'

export interface PaymentConfirmation {
  orderId: string
  provider: string
  method: string
  /** The provider's name for this payment; a refund needs it. */
  reference: string
}

/**
 * The money has arrived: the one way by which an order becomes paid, whoever brings the news. Repeated news changes
 * nothing.
 * @returns whether the order became paid by this
 */
export async function confirmPayment(tx: Tx, confirmation: PaymentConfirmation, now: Date): Promise<boolean> {
  const order = await lockOrder(tx, confirmation.orderId)
  if (!order || order.payment.status === 'captured' || !mayBecome(order.status, 'paid')) return false
  const { provider, method, reference } = confirmation
  await savePayment(tx, {
    id: order.id,
    status: 'paid',
    payment: { provider, status: 'captured', method, reference },
  })
  await publish(tx, OrderPaid, { orderId: order.id, number: order.number }, now)
  return true
}
