import { consume, type Consumer } from '@storefront/messaging'
import { OrderPlaced, type Order } from '@storefront/contracts'
import type { OrdersContext } from '../../context.ts'
import { confirmPayments } from '../confirm-payments.ts'
import { DEMO } from './demo-event.ts'

/** The demo provider pays each of its orders moments after it was placed. */
export function consumeOrderPlaced(context: OrdersContext): Consumer {
  return consume(context, OrderPlaced, async (tx, events) => {
    const pending = events.map(({ data }) => data.order).filter(({ payment }) => isWaiting(payment))
    await confirmPayments(
      tx,
      pending.map(({ id, total }) => ({
        provider: DEMO,
        reference: demoReferenceOf(id),
        orderId: id,
        amountMinor: total.amount,
        currency: total.currency,
        method: DEMO,
      })),
      context.clock.now(),
    )
  })
}

/** The same for the same order, however often the event arrives and whichever source reports the payment. */
export function demoReferenceOf(orderId: string): string {
  return `demo_${orderId}`
}

function isWaiting({ provider, status }: Order['payment']): boolean {
  return provider === DEMO && status === 'pending'
}
