import { consume, type Consumer } from '@storefront/messaging'
import { BuyerErased } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { deleteCustomers, emptyMailsTo } from './customer-mails.queries.ts'

/** Deletes the personal data of a guest, as the deletion of an account does for a customer. */
export function consumeBuyerErased(context: NotifierContext): Consumer {
  return consume(context, BuyerErased, async (tx, events) => {
    const now = context.clock.now()
    await deleteCustomers(
      tx,
      events.flatMap(({ data }) => data.customerId ?? []),
      now,
    )
    await emptyMailsTo(
      tx,
      events.map(({ at, data }) => ({ recipient: data.email, deletedAt: new Date(at) })),
      now,
    )
  })
}
