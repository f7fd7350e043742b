import { DAY_MS } from '@storefront/service'
import { z } from 'zod'
import { recordAction, type ActorNames } from '@storefront/audit'
import type { App } from '@storefront/http'
import { publish } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import { DraftOrder, PaymentLinkRequested, type Actor } from '@storefront/contracts'
import { hashSecret } from '../access/capability.ts'
import type { OrdersContext } from '../context.ts'
import { draftChangedMeanwhile, draftIsOver, draftNotFound } from '../errors.ts'
import { isFree } from '../payments/free-order.ts'
import { paymentFlowOf, withOperatorKey } from '../payments/providers.ts'
import { DraftHeaders, etagOf, requireVersion } from './draft-etag.ts'
import { isUndecided, shownDraft, type StoredDraft } from './draft.ts'
import { findDraft, lockDraft, saveSent } from './drafts.queries.ts'
import { replaceLink } from './payment-links.queries.ts'
import { paymentPageUrl } from './payment-links.ts'
import { priceDraft, shownQuote } from './price-draft.ts'
import { requireCompleteDraft } from './require-complete-draft.ts'
import { DraftParams } from './get-draft.ts'

const Body = z
  .object({
    mail: z
      .boolean()
      .optional()
      .describe('false: no mail is sent, and you pass the link on yourself. true if omitted.'),
  })
  .nullish()

const SentDraftOrder = DraftOrder.extend({
  url: z.string().describe('The payment link. It is in this response only, and opens the order with the address.'),
}).meta({ id: 'SentDraftOrder' })

export function sendDraftRoute(app: App, context: OrdersContext & { names: ActorNames }): void {
  app.post('/admin/draft-orders/:id/send', {
    config: {
      access: { admin: 'orders:write' },
      errors: [
        'conflict',
        'email_required',
        'invalid_discount',
        'invalid_shipping_method',
        'missing_fields',
        'not_found',
        'out_of_stock',
        'undeliverable_country',
        'variant_not_found',
      ],
    },
    schema: {
      summary: 'Make the payment link of a draft order, and mail it to the buyer',
      description:
        'The link works for `PAYMENT_LINK_DAYS` days; a link that was made before stops working. No stock is ' +
        'reserved before the buyer goes to pay. The buyer pays the prices of that moment, and sees when they have changed.',
      params: DraftParams,
      headers: DraftHeaders,
      body: Body,
      response: { 200: SentDraftOrder },
    },
    handler: async ({ params: { id }, body, headers, actor }, reply) => {
      const { names, publicUrl } = context
      const before = await findDraft(context.db, id)
      if (!before) throw draftNotFound()
      requireVersion(headers, before)
      const { token, draft } = await send(context, before, { isMailed: body?.mail !== false, actor })
      reply.header('etag', etagOf(draft))
      return { ...shownDraft(draft, await names([draft.createdBy])), url: paymentPageUrl(publicUrl, token) }
    },
  })
}

async function send(
  context: OrdersContext,
  before: StoredDraft,
  { isMailed, actor }: { isMailed: boolean; actor: Actor },
): Promise<{ token: string; draft: StoredDraft }> {
  const { id } = before
  if (!isUndecided(before)) throw draftIsOver(before.status)
  requireCompleteDraft(before)
  const quote = await priceDraft(context, id, before)
  // A shop that cannot take payments says so here, and not to the buyer.
  if (!isFree(quote)) paymentFlowOf(context.providers, withOperatorKey(quote.terms, context.razorpayKeyId))
  const number = before.linkNumber + 1
  const token = context.paymentLinks({ draftId: id, number })
  const draft = await transaction(context.db, async (tx) => {
    const current = await lockDraft(tx, id)
    if (current?.version !== before.version) throw draftChangedMeanwhile()
    const sentAt = context.clock.now()
    const expiresAt = new Date(sentAt.getTime() + context.paymentLinkDays * DAY_MS)
    await saveSent(tx, id, { number, sentAt, expiresAt, quote: shownQuote(quote) })
    await replaceLink(tx, id, hashSecret(token))
    await recordAction(tx, { actor, action: 'send', subject: { kind: 'draft-order', id }, at: sentAt })
    const data = { draftId: id, linkNumber: number, to: before.email, name: before.shippingAddress.name }
    if (isMailed) await publish(tx, PaymentLinkRequested, data, sentAt)
    return findDraft(tx, id)
  })
  if (!draft) throw draftNotFound()
  return { token, draft }
}
