import { consume, type Consumer } from '@storefront/messaging'
import { newId, PaymentLinkRequested } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { queueMails } from './queue-mails.ts'

/** Queues the mail with the payment link of a draft order. A merchant has sent it, so no limits of outsiders apply. */
export function consumePaymentLinkRequested(context: NotifierContext): Consumer {
  return consume(
    context,
    PaymentLinkRequested,
    async (tx, events) => {
      const mails = events.map(({ id, at, data: { draftId, linkNumber, to, name } }) => ({
        id: newId('mail'),
        eventId: id,
        eventAt: new Date(at),
        kind: 'paymentLink' as const,
        recipient: to,
        reference: draftId,
        data: { name, paymentLink: { draftId, linkNumber } },
      }))
      await queueMails(tx, context, mails)
    },
    { afterCommit: context.sendMails },
  )
}
