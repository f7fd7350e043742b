import { consume, type Consumer } from '@storefront/chassis'
import { MailRequested, newId } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { findDeletedCustomers } from './customer-mails.queries.ts'
import { queueMails, type Limiting } from './queue-mails.ts'

/** Somebody gets a mail about an account or the newsletter. */
export function mailAccount(context: NotifierContext & Limiting & { sendMails: () => void }): Consumer {
  const { sendMails } = context
  return consume(
    context,
    MailRequested,
    async (tx, events) => {
      const deleted = await findDeletedCustomers(
        tx,
        events.flatMap(({ data }) => data.customerId ?? []),
      )
      // The farewell is all that a deleted customer still gets.
      const wanted = events.filter(({ data }) => data.kind === 'accountDeleted' || !deleted.has(data.customerId ?? ''))
      const mails = wanted.map(({ id, at, data: { kind, to, customerId, confirmationId, name, unproven } }) => ({
        id: newId('mail'),
        eventId: id,
        eventAt: new Date(at),
        kind,
        recipient: to,
        reference: confirmationId ?? id,
        customerId,
        data: { name, confirmationId },
        unproven,
      }))
      await queueMails(tx, context, mails)
    },
    { afterCommit: sendMails },
  )
}
