import { replyTo } from '@storefront/messaging'
import { ReadPaymentLink } from '@storefront/contracts'
import { hashSecret } from '../access/capability.ts'
import type { OrdersContext } from '../context.ts'
import { findDraft } from './drafts.queries.ts'
import { addLink } from './payment-links.queries.ts'
import { paymentPageUrl } from './payment-links.ts'

/** Notifier requests a payment link at the moment it sends the mail, so that no event and no queue ever holds it. */
export function replyToReadPaymentLink(context: OrdersContext): void {
  replyTo(context, ReadPaymentLink, async ({ draftId, linkNumber }) => {
    const { db, clock, paymentLinks, publicUrl } = context
    const draft = await findDraft(db, draftId)
    if (draft?.status !== 'sent' || draft.linkNumber !== linkNumber) return {}
    if (draft.expiresAt === null || draft.expiresAt <= clock.now()) return {}
    const token = paymentLinks({ draftId, number: linkNumber })
    await addLink(db, draftId, hashSecret(token))
    return { url: paymentPageUrl(publicUrl, token), expiresAt: draft.expiresAt.toISOString() }
  })
}
