import { consume, type Clock, type Consumer, type Log, type Messaging } from '@storefront/chassis'
import { OrderPlaced } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { confirmPayment } from './confirm-payment.ts'

/** The provider of a shop that is being tried out: it pays every order moments after it was placed. */
export function hearOrderPlaced(context: { db: Database; messaging: Messaging; log: Log; clock: Clock }): Consumer {
  return consume(context, OrderPlaced, async (tx, events) => {
    for (const { data } of events) {
      if (data.order.payment.provider !== 'demo') continue
      const { id } = data.order
      // The same reference for the same order, however often the event comes.
      const confirmation = { orderId: id, provider: 'demo', method: 'demo', reference: `demo_${id}` }
      await confirmPayment(tx, confirmation, context.clock.now())
    }
  })
}
