import type { App } from '@storefront/http'
import { DraftOrderQuote, newId } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { CONTENT_ERRORS, contentAfter, DraftOrderBody } from './draft-body.ts'
import { priceDraft, shownQuote } from './price-draft.ts'

/** What a draft order would cost, while the merchant still writes it. */
export function quoteDraftRoute(app: App, context: OrdersContext): void {
  app.post('/admin/draft-orders/quote', {
    config: { access: { admin: 'orders:write' }, errors: CONTENT_ERRORS },
    schema: {
      summary: 'The price of a draft order that is not saved',
      description: 'Computed as for a cart, at the address so far. Nothing is stored, and no stock is reserved.',
      body: DraftOrderBody,
      response: { 200: DraftOrderQuote },
    },
    handler: async ({ body }) => shownQuote(await priceDraft(context, newId('draftOrder'), contentAfter(body))),
  })
}
