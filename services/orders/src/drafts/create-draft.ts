import { actorIdOf, recordAction, type ActorNames } from '@storefront/audit'
import type { App } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import { DraftOrder, newId } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { etagOf } from './draft-etag.ts'
import { CONTENT_ERRORS, contentAfter, DraftOrderBody } from './draft-body.ts'
import { shownDraft } from './draft.ts'
import { findDraft, insertDraft } from './drafts.queries.ts'
import { draftNotFound } from '../errors.ts'
import { priceDraft, shownQuote } from './price-draft.ts'

/** Creates an order for a buyer, who pays it through a link. */
export function createDraftRoute(app: App, context: OrdersContext & { names: ActorNames }): void {
  app.post('/admin/draft-orders', {
    config: { access: { admin: 'orders:write' }, errors: CONTENT_ERRORS },
    schema: {
      summary: 'Create a draft order',
      description:
        'An order that you make for a buyer, for example on the phone: the buyer pays it through a link, which ' +
        '`POST /admin/draft-orders/{id}/send` makes. A draft order reserves no stock.',
      body: DraftOrderBody,
      response: { 200: DraftOrder },
    },
    handler: async ({ body, actor }, reply) => {
      const { db, clock, names } = context
      const id = newId('draftOrder')
      const content = contentAfter(body)
      const quote = shownQuote(await priceDraft(context, id, content))
      const at = clock.now()
      const draft = await transaction(db, async (tx) => {
        await insertDraft(tx, { id, by: actorIdOf(actor), at, content, quote })
        await recordAction(tx, { actor, action: 'create', subject: { kind: 'draft-order', id }, at })
        return findDraft(tx, id)
      })
      if (!draft) throw draftNotFound()
      reply.header('etag', etagOf(draft))
      return shownDraft(draft, await names([draft.createdBy]))
    },
  })
}
