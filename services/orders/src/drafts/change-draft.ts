import { recordAction, type ActorNames } from '@storefront/audit'
import { requireUnchanged, type App } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import { DraftOrder } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { draftChangedMeanwhile, draftNotFound } from '../errors.ts'
import { releaseSessions } from '../sessions/release-sessions.ts'
import { CONTENT_ERRORS, contentAfter, DraftOrderChange } from './draft-body.ts'
import { DraftHeaders, etagOf, requireVersion } from './draft-etag.ts'
import { shownDraft } from './draft.ts'
import { findDraft, saveDraft } from './drafts.queries.ts'
import { lockUndecided } from './lock-undecided.ts'
import { priceDraft, shownQuote } from './price-draft.ts'
import { requireCompleteDraft } from './require-complete-draft.ts'
import { DraftParams } from './get-draft.ts'

/** Changes a draft order, also one that was sent: the link then shows the new content. */
export function changeDraftRoute(app: App, context: OrdersContext & { names: ActorNames }): void {
  app.patch('/admin/draft-orders/:id', {
    config: {
      access: { admin: 'orders:write' },
      errors: [...CONTENT_ERRORS, 'conflict', 'email_required', 'missing_fields', 'not_found', 'read_only_field'],
    },
    schema: {
      summary: 'Change a draft order',
      description:
        'A field that is left out stays as it is. A link that was sent shows the new content; a payment page that the buyer has ' +
        'open is closed. What was sent stays complete, with an email address and a whole delivery address. A draft that was ' +
        'ordered or canceled is a `conflict`.',
      params: DraftParams,
      headers: DraftHeaders,
      body: DraftOrderChange,
      response: { 200: DraftOrder },
    },
    handler: async ({ params: { id }, body, headers, actor, sentBack }, reply) => {
      const { db, clock, names } = context
      const before = await findDraft(db, id)
      if (!before) throw draftNotFound()
      requireVersion(headers, before)
      const nameOf = await names([before.createdBy])
      requireUnchanged(sentBack, shownDraft(before, nameOf))
      const content = contentAfter(body, before)
      // Its buyer can already pay it through the link.
      if (before.status === 'sent') requireCompleteDraft(content)
      const quote = shownQuote(await priceDraft(context, id, content))
      const { draft, ended } = await transaction(db, async (tx) => {
        const { draft: current, ended } = await lockUndecided(tx, id)
        // The new content is based on the version that was read.
        if (current.version !== before.version) throw draftChangedMeanwhile()
        const at = clock.now()
        await saveDraft(tx, id, { content, quote, at })
        await recordAction(tx, { actor, action: 'update', subject: { kind: 'draft-order', id }, at })
        return { draft: await findDraft(tx, id), ended }
      })
      await releaseSessions(context, ended)
      if (!draft) throw draftNotFound()
      reply.header('etag', etagOf(draft))
      return shownDraft(draft, nameOf)
    },
  })
}
