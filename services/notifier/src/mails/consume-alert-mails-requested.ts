import { consume, type Consumer } from '@storefront/messaging'
import { AlertMailsRequested, newId } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { queueMails } from './queue-mails.ts'

/**
 * Queues the mails to shoppers who wait for a product. One event requests many; each has an identity of its own, so
 * that none is queued twice.
 */
export function consumeAlertMailsRequested(context: NotifierContext): Consumer {
  return consume(
    context,
    AlertMailsRequested,
    async (tx, events) => {
      const mails = events.flatMap(({ id, at, data: { kind, about, product, mails: requested } }) =>
        requested.map(({ alertId, to, formerPrice, unproven }) => ({
          id: newId('mail'),
          eventId: `${id}.${alertId}`,
          eventAt: new Date(at),
          kind,
          recipient: to,
          reference: alertId,
          data: { about, product, optionNames: Object.keys(product.options), formerPrice },
          unproven,
        })),
      )
      await queueMails(tx, context, mails)
    },
    { afterCommit: context.sendMails },
  )
}
