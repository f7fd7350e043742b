import { z } from 'zod'
import type { App } from '@storefront/http'
import type { OrdersContext } from '../context.ts'
import { shownQuote } from '../drafts/price-draft.ts'
import { sendPage } from './send-page.ts'
import { openLink } from './open-link.ts'
import { payablePage } from './payment-page.ts'

export const PaymentLinkParams = z.object({ token: z.string().max(100) })

/** Shows the buyer of a draft order what it costs, or how it has ended. */
export function getPaymentPageRoute(app: App, context: OrdersContext): void {
  app.get(
    '/pay/:token',
    { config: { access: 'public', errors: ['not_found'] }, schema: { hide: true, params: PaymentLinkParams } },
    async ({ params }, reply) => {
      const opened = await openLink(context, params.token)
      if (opened.kind === 'over') return sendPage(reply.code(opened.status), opened.html)
      const { draft, quote } = opened
      const { storeName, locale } = quote.terms
      return sendPage(reply, payablePage({ draft, quote: shownQuote(quote), storeName, locale }))
    },
  )
}
