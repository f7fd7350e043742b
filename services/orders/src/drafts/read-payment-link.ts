import { replyTo } from '@storefront/messaging'
import { ReadPaymentLink } from '@storefront/contracts'
import { hashSecret } from '../access/capability.ts'
import type { OrdersContext } from '../context.ts'
import { addToLink } from './payment-links.queries.ts'
import { paymentPageUrl } from './payment-links.ts'

/** Notifier requests a payment link at the moment it sends the mail, so that no event and no queue ever holds it. */
export function replyToReadPaymentLink(context: OrdersContext): void {
  replyTo(context, ReadPaymentLink, async ({ draftId, linkNumber }) => {
    const { db, clock, paymentLinks, publicUrl } = context
    const token = paymentLinks({ draftId, number: linkNumber })
    const expiresAt = await addToLink(db, { draftId, linkNumber, tokenHash: hashSecret(token), now: clock.now() })
    return expiresAt ? { url: paymentPageUrl(publicUrl, token), expiresAt: expiresAt.toISOString() } : {}
  })
}
