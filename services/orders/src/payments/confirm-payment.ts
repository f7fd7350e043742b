import { publish } from '@storefront/chassis'
import { ORDER_STATUSES, OrderPaid } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { markPaid } from '../orders/orders.queries.ts'
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
  const number = await markPaid(
    tx,
    confirmation,
    ORDER_STATUSES.filter((status) => mayBecome(status, 'paid')),
  )
  if (number === undefined) return false
  await publish(tx, OrderPaid, { orderId: confirmation.orderId, number }, now)
  return true
}
