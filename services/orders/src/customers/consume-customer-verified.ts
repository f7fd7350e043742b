import { consume, type Consumer } from '@storefront/messaging'
import { CustomerVerified } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { insertVerifications } from './customers.queries.ts'

/**
 * A customer verified an address: guest orders with it, also future ones, belong to the customer, and those with the
 * previous address no longer do.
 */
export function consumeCustomerVerified(context: OrdersContext): Consumer {
  return consume(context, CustomerVerified, async (tx, events) => {
    await insertVerifications(
      tx,
      events.map(({ data, at }) => ({ ...data, at })),
    )
  })
}
