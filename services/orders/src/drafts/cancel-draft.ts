import { recordAction, type ActorNames } from '@storefront/audit'
import type { App } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import { DraftOrder } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { draftNotFound } from '../errors.ts'
import { releaseSessions } from '../sessions/release-sessions.ts'
import { DraftHeaders, etagOf, requireVersion } from './draft-etag.ts'
import { shownDraft } from './draft.ts'
import { findDraft, saveCancelledDraft } from './drafts.queries.ts'
import { lockUndecided } from './lock-undecided.ts'
import { DraftParams } from './get-draft.ts'

/** Cancels a draft order: its link then says so, and it can no longer be paid. */
export function cancelDraftRoute(app: App, context: OrdersContext & { names: ActorNames }): void {
  app.delete('/admin/draft-orders/:id', {
    config: { access: { admin: 'orders:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Cancel a draft order',
      description:
        'Its payment link stops working, and a payment page that the buyer has open is closed. A payment that was made before ' +
        'still becomes an order. A draft that was ordered or canceled is a `conflict`.',
      params: DraftParams,
      headers: DraftHeaders,
      response: { 200: DraftOrder },
    },
    handler: async ({ params: { id }, headers, actor }, reply) => {
      const { db, clock, names } = context
      const { draft, ended } = await transaction(db, async (tx) => {
        const { draft: before, ended } = await lockUndecided(tx, id)
        requireVersion(headers, before)
        const at = clock.now()
        await saveCancelledDraft(tx, id, at)
        await recordAction(tx, { actor, action: 'cancel', subject: { kind: 'draft-order', id }, at })
        return { draft: await findDraft(tx, id), ended }
      })
      await releaseSessions(context, ended)
      if (!draft) throw draftNotFound()
      reply.header('etag', etagOf(draft))
      return shownDraft(draft, await names([draft.createdBy]))
    },
  })
}
