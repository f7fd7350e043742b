import { consume, type Consumer } from '@storefront/messaging'
import { CustomerUnverified } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { withdrawVerifications } from './customers.queries.ts'

/**
 * The last verification of an address is revoked: guest orders with it no longer belong to the customer, including
 * older ones.
 */
export function consumeCustomerUnverified(context: OrdersContext): Consumer {
  return consume(context, CustomerUnverified, async (tx, events) => {
    for (const { data, at } of events) await withdrawVerifications(tx, data.customerId, at)
  })
}
