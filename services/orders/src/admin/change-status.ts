import { publish } from '@storefront/messaging'
import { OrderPaid, type OrderStatus, type Tracking } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { invalidTransition } from '../errors.ts'
import { sendParcel } from '../fulfilments/send-parcel.ts'
import { cancelOrder } from '../orders/cancel-order.ts'
import { saveStatus } from '../orders/changes.queries.ts'
import type { StoredOrder } from '../orders/order.ts'
import { countOrderEvent } from '../orders/order-metrics.ts'
import { orderEventData } from '../orders/order-event-data.ts'
import { mayBecome, TRANSITIONS } from '../orders/transitions.ts'
import { hasMoney } from '../payments/confirm-payments.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { recordPayment } from './record-payment.ts'

interface Change {
  now: Date
  actor: string
  /** The tracking that was sent with the status, if any. */
  tracking?: Tracking | null | undefined
}

/**
 * A merchant changes the status of an order. The order must be locked and just read, because the event carries it.
 * @throws HttpError `invalid_transition`
 */
export async function changeStatus(tx: Tx, order: StoredOrder, to: OrderStatus, change: Change): Promise<void> {
  const { status: from } = order
  // A repeated click, or a second admin at the same moment, is not an error.
  if (from === to) return
  if (!mayBecome(from, to)) throw invalidTransition({ from, to, allowed: TRANSITIONS[from] })
  switch (to) {
    case 'paid':
      return markPaid(tx, order, change)
    case 'fulfilled':
      return sendParcel(tx, order, { tracking: change.tracking }, change)
    case 'delivered':
      return moveTo(tx, order, to, change)
    case 'cancelled':
      return cancelOrder(tx, order, { ...change, restock: true })
    case 'placed':
      // Never reached: no transition leads to `placed`.
      throw invalidTransition({ from, to, allowed: TRANSITIONS[from] })
  }
}

/**
 * The merchant reports that the money was received. They may also do so for money that arrived and did not make the
 * order paid, because the goods were gone or the amount differed: then no further money is recorded.
 */
async function markPaid(tx: Tx, order: StoredOrder, change: Change): Promise<void> {
  if (hasMoney(order)) {
    await publish(tx, OrderPaid, await orderEventData(tx, { ...order, status: 'paid' }), change.now)
    countOrderEvent(tx, 'paid')
    return moveTo(tx, order, 'paid', change)
  }
  await recordPayment(tx, order, {}, change)
}

async function moveTo(tx: Tx, order: StoredOrder, to: 'paid' | 'delivered', change: Change): Promise<void> {
  await saveStatus(tx, order.id, to)
  await recordSteps(tx, [{ orderId: order.id, kind: to, actor: change.actor }], change.now)
}
