import { consume, type Consumer } from '@storefront/chassis'
import { newId, OrderPlaced } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { findDeletedCustomers } from './customer-mails.queries.ts'
import { insertMails } from './mails.queries.ts'

/** The buyer hears that the order was received. */
export function mailOrderPlaced(context: NotifierContext & { sendMails: () => void }): Consumer {
  const { clock, sendMails } = context
  return consume(
    context,
    OrderPlaced,
    async (tx, events) => {
      const deleted = await findDeletedCustomers(
        tx,
        events.flatMap(({ data }) => data.customerId ?? []),
      )
      const wanted = events.filter(({ data }) => !deleted.has(data.customerId ?? ''))
      const mails = wanted.map(({ id, at, data }) => ({
        id: newId('mail'),
        eventId: id,
        eventAt: new Date(at),
        kind: 'orderPlaced',
        recipient: data.order.email,
        reference: data.order.number,
        customerId: data.customerId,
        data: { order: withoutSecrets(data.order), locale: data.locale },
      }))
      await insertMails(tx, mails, clock.now())
    },
    { afterCommit: sendMails },
  )
}

/** The way back into the order is nobody's business but the buyer's. */
function withoutSecrets<Order extends { accessToken?: string | undefined }>(order: Order): Omit<Order, 'accessToken'> {
  const { accessToken: _, ...rest } = order
  return rest
}
