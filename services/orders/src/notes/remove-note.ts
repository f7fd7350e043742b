import { actorIdOf } from '@storefront/audit'
import type { App } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import { Ok, OpaqueId } from '@storefront/contracts'
import { OrderParams } from '../admin/get-admin-order.ts'
import type { OrdersContext } from '../context.ts'
import { noteNotFound, notAuthorOfNote } from '../errors.ts'
import { findOrderId } from '../orders/orders.queries.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { mayDeleteNote } from './may-delete-note.ts'
import { deleteNote, findNote } from './notes.queries.ts'

/** Deletes a note with its text. The activity of the shop still shows that there was a note. */
export function removeNoteRoute(app: App, { db, clock }: OrdersContext): void {
  app.delete('/admin/orders/:id/notes/:noteId', {
    config: { access: { admin: 'orders:write' }, errors: ['not_found'] },
    schema: {
      summary: 'Delete a note about an order',
      description:
        'You can delete your own notes, and an owner can delete any. The text is gone; the timeline shows who deleted it, ' +
        'and the activity of the shop also who wrote it.',
      params: OrderParams.extend({ noteId: OpaqueId.describe('`id` of a note, from the timeline of the order.') }),
      response: { 200: Ok },
    },
    handler: async ({ params: { id, noteId }, actor }) =>
      transaction(db, async (tx) => {
        const orderId = await findOrderId(tx, id)
        const note = orderId === undefined ? undefined : await findNote(tx, orderId, noteId)
        if (!note) throw noteNotFound()
        if (!mayDeleteNote(actor, note)) throw notAuthorOfNote()
        if (!(await deleteNote(tx, note.id))) throw noteNotFound()
        const step = { orderId: note.order_id, kind: 'note_deleted' as const, detail: { id: note.id } }
        await recordSteps(tx, [{ ...step, actor: actorIdOf(actor) }], clock.now())
        return { ok: true as const }
      }),
  })
}
