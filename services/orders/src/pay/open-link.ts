import { HttpError } from '@storefront/service'
import type { Quote } from '@storefront/contracts'
import { hashSecret } from '../access/capability.ts'
import type { OrdersContext } from '../context.ts'
import type { StoredDraft } from '../drafts/draft.ts'
import { findDraft } from '../drafts/drafts.queries.ts'
import { findLinkedDraft } from '../drafts/payment-links.queries.ts'
import { priceDraft } from '../drafts/price-draft.ts'
import { isComplete } from '../drafts/require-complete-draft.ts'
import { paymentLinkNotFound } from '../errors.ts'
import { cancelledPage, expiredPage, orderedPage, unbuyablePage } from './payment-page.ts'

export type OpenedLink =
  | { kind: 'payable'; draft: StoredDraft; quote: Quote }
  /** Nothing can be paid: what the buyer sees instead. */
  | { kind: 'over'; status: number; html: string }

/** What a payment link leads to now. @throws HttpError `not_found` for a token that opens nothing */
export async function openLink(context: OrdersContext, token: string): Promise<OpenedLink> {
  const id = await findLinkedDraft(context.db, hashSecret(token))
  const draft = id === undefined ? undefined : await findDraft(context.db, id)
  if (!draft) throw paymentLinkNotFound()
  if (draft.status === 'ordered') return { kind: 'over', status: 200, html: orderedPage(draft) }
  if (draft.status === 'cancelled') return { kind: 'over', status: 410, html: cancelledPage() }
  if (draft.expiresAt === null || draft.expiresAt <= context.clock.now()) {
    return { kind: 'over', status: 410, html: expiredPage() }
  }
  if (!isComplete(draft)) {
    return { kind: 'over', status: 409, html: unbuyablePage('Its delivery address or email address is incomplete.') }
  }
  try {
    return { kind: 'payable', draft, quote: await priceDraft(context, draft.id, draft) }
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error
    return { kind: 'over', status: error.status, html: unbuyablePage(error.message) }
  }
}
