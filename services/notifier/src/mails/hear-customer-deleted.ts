import { consume, type Consumer } from '@storefront/chassis'
import { CustomerDeleted } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { forgetCustomers } from './customer-mails.queries.ts'

/** Deletes the personal data of a deleted account. */
export function forgetCustomerMails(context: NotifierContext): Consumer {
  return consume(context, CustomerDeleted, async (tx, events) => {
    await forgetCustomers(
      tx,
      events.map(({ data }) => data.customerId),
      context.clock.now(),
    )
  })
}
