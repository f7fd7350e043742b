import { recordAction } from '@storefront/audit'
import type { App } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import { Ok, OpaqueId } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { noteNotFound, notAuthorOfNote } from '../errors.ts'
import { mayDeleteNote } from '../notes/may-delete-note.ts'
import { deleteBuyerNote, lockBuyerNote } from './buyer-notes.queries.ts'
import { BuyerParams } from './get-buyer.ts'

/** Deletes a note with its text. The activity of the shop still shows that there was a note. */
export function removeBuyerNoteRoute(app: App, { db, clock }: OrdersContext): void {
  app.delete('/admin/buyers/:id/notes/:noteId', {
    config: { access: { admin: 'customers:write' }, errors: ['not_found'] },
    schema: {
      summary: 'Delete a note about a buyer',
      description:
        'You can delete your own notes, and an owner can delete any. The text is gone; the activity of the shop shows who ' +
        'deleted it.',
      params: BuyerParams.extend({ noteId: OpaqueId.describe('`id` of a note of the buyer.') }),
      response: { 200: Ok },
    },
    handler: async ({ params: { id, noteId }, actor }) =>
      transaction(db, async (tx) => {
        const note = await lockBuyerNote(tx, id, noteId)
        if (!note) throw noteNotFound()
        if (!mayDeleteNote(actor, note)) throw notAuthorOfNote()
        await deleteBuyerNote(tx, note.id)
        const subject = { kind: 'buyer', id } as const
        await recordAction(tx, { actor, action: 'delete-note', subject, before: { note: note.id }, at: clock.now() })
        return { ok: true as const }
      }),
  })
}
