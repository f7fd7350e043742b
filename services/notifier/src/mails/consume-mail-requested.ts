import { consume, type Consumer } from '@storefront/messaging'
import { MailRequested, newId, readEmailAddress } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { emptyMailsTo, lockDeletions } from './customer-mails.queries.ts'
import { queueMails } from './queue-mails.ts'

/**
 * Queues a mail about an account or the newsletter. With the last mail to a deleted account, its address is deleted
 * from the log.
 */
export function consumeMailRequested(context: NotifierContext): Consumer {
  const { clock, sendMails } = context
  return consume(
    context,
    MailRequested,
    async (tx, events) => {
      const hasFarewells = events.some(({ data }) => data.kind === 'accountDeleted')
      if (hasFarewells) await lockDeletions(tx)
      const mails = events.map(({ id, at, data: { kind, to, customerId, confirmationId, name, unproven } }) => ({
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
      const farewells = mails.filter(({ kind }) => kind === 'accountDeleted')
      await emptyMailsTo(
        tx,
        farewells.map(({ recipient, eventAt }) => ({
          recipient: readEmailAddress(recipient)?.canonical ?? recipient,
          deletedAt: eventAt,
        })),
        clock.now(),
      )
    },
    { afterCommit: sendMails },
  )
}
