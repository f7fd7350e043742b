import { z } from 'zod'
import type { ActorNames } from '@storefront/audit'
import type { App } from '@storefront/http'
import { DraftOrder } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { draftNotFound } from '../errors.ts'
import { etagOf } from './draft-etag.ts'
import { isUndecided, shownDraft } from './draft.ts'
import { findDraft } from './drafts.queries.ts'
import { tryToPrice } from './price-draft.ts'

export const DraftParams = z.object({ id: z.string().max(200).describe('Id of the draft order.') })

export function getDraftRoute(app: App, context: OrdersContext & { names: ActorNames }): void {
  app.get('/admin/draft-orders/:id', {
    config: { access: { admin: 'orders:read' }, errors: ['not_found'] },
    schema: {
      summary: 'A draft order with what it costs now',
      description:
        'Send the `ETag` back as `If-Match` with a change. A draft that was ordered or canceled keeps its last price.',
      params: DraftParams,
      response: { 200: DraftOrder },
    },
    handler: async ({ params: { id } }, reply) => {
      const { db, names } = context
      const draft = await findDraft(db, id)
      if (!draft) throw draftNotFound()
      const current = isUndecided(draft) ? await tryToPrice(context, id, draft) : {}
      reply.header('etag', etagOf(draft))
      return shownDraft(draft, await names([draft.createdBy]), current)
    },
  })
}
