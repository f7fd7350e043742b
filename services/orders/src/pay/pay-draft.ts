import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { HttpError } from '@storefront/service'
import { networkOf, newSecret, type App } from '@storefront/http'
import { checkOut, type CheckedOut } from '../checkout/checkout.ts'
import type { CheckoutRequest } from '../checkout/checkout-request.ts'
import { countCheckout } from '../checkout/checkout-metrics.ts'
import { TotalChanged } from '../checkout/total-changed.ts'
import type { OrdersContext } from '../context.ts'
import { DraftChanged, type StoredDraft } from '../drafts/draft.ts'
import { goodsOf, shownQuote } from '../drafts/price-draft.ts'
import { endIfChanged } from './end-if-changed.ts'
import { sendPage } from './send-page.ts'
import { openLink, type OpenedLink } from './open-link.ts'
import { payablePage, totalKey } from './payment-page.ts'
import { razorpayPage } from './razorpay-page.ts'
import { PaymentLinkParams } from './get-payment-page.ts'

const Form = z.object({ total: z.string().max(100).optional() }).nullish()

/**
 * Checks out a draft order as if it were a cart with its id, and leads the buyer to the payment. When the button is
 * pressed twice, or in two windows, both lead to the same payment or the same order.
 */
export function payDraftRoute(app: App, context: OrdersContext): void {
  app.post('/pay/:token', {
    config: { access: 'public', errors: ['not_found'] },
    schema: { hide: true, params: PaymentLinkParams, body: Form },
    handler: async (request, reply) => {
      const { token } = request.params
      const opened = await openLink(context, token)
      // It was ordered in another window a moment ago: the buyer sees the order here as well.
      if (opened.kind === 'over' && opened.status === 200) return reply.redirect(token, 303)
      if (opened.kind === 'over') return sendPage(reply.code(opened.status), opened.html)
      const { draft, quote } = opened
      try {
        if (request.body?.total !== totalKey(quote.total)) throw new TotalChanged(quote)
        const checkout = { ...checkoutOf(context, request, draft), seenTotal: quote.total }
        const checkedOut = await countCheckout(() => checkOut(context, checkout))
        const isChanged = checkedOut.kind === 'session' && (await endIfChanged(context, draft, checkedOut.session))
        return isChanged ? reply.redirect(token, 303) : leadToPayment(context, reply, { token, checkedOut })
      } catch (error) {
        if (error instanceof DraftChanged) return reply.redirect(token, 303)
        if (!(error instanceof HttpError)) throw error
        return showAgain(reply, { draft, quote: error instanceof TotalChanged ? error.quote : quote }, error)
      }
    },
  })
}

function checkoutOf(context: OrdersContext, request: FastifyRequest, draft: StoredDraft): CheckoutRequest {
  const { id, email, shippingAddress: address, shippingMethod } = draft
  const pages = { successUrl: undefined, cancelUrl: undefined }
  return {
    cartId: id,
    details: { email, address, shippingMethod, currency: undefined, ...pages },
    actorToken: undefined,
    customerId: undefined,
    buyer: { network: networkOf(request, context.verifyActor) },
    secrets: [newSecret()],
    goods: goodsOf(draft),
    draftVersion: draft.version,
  }
}

type Payable = Omit<Extract<OpenedLink, { kind: 'payable' }>, 'kind'>

function showAgain(reply: FastifyReply, { draft, quote }: Payable, { message, status }: HttpError): FastifyReply {
  const { storeName, locale } = quote.terms
  const shown = { draft, quote: shownQuote(quote), storeName, locale, notice: message }
  return sendPage(reply.code(status), payablePage(shown))
}

/** Leads the buyer to the page of the provider, or back to this one, which shows the order. */
function leadToPayment(
  context: OrdersContext,
  reply: FastifyReply,
  { token, checkedOut }: { token: string; checkedOut: CheckedOut },
): FastifyReply {
  if (checkedOut.kind === 'order') return reply.redirect(token, 303)
  const { session, terms } = checkedOut
  if (terms.checkoutMode === 'razorpay') return sendPage(reply, razorpayPage(context, session, terms))
  if (session.url === null) throw new Error(`${session.provider} returned no payment page for session ${session.id}`)
  return reply.redirect(session.url, 303)
}
