import { consume, type Consumer } from '@storefront/messaging'
import { CustomerDeleted } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { deleteCustomers } from './customer-mails.queries.ts'

/** Deletes the personal data of a deleted account. */
export function consumeCustomerDeleted(context: NotifierContext): Consumer {
  return consume(context, CustomerDeleted, async (tx, events) => {
    await deleteCustomers(
      tx,
      events.map(({ data }) => data.customerId),
      context.clock.now(),
    )
  })
}
