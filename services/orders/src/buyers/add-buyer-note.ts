import { actorIdOf, recordAction, type ActorNames } from '@storefront/audit'
import type { App } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import { BuyerNote, newId } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { buyerNotFound, tooManyNotes } from '../errors.ts'
import { NoteBody } from '../notes/add-note.ts'
import { countBuyerNotes, insertBuyerNote, MAX_NOTES, shownNote } from './buyer-notes.queries.ts'
import { lockBuyer } from './buyers.queries.ts'
import { BuyerParams } from './get-buyer.ts'

export function addBuyerNoteRoute(app: App, { db, clock, names }: OrdersContext & { names: ActorNames }): void {
  app.post('/admin/buyers/:id/notes', {
    config: { access: { admin: 'customers:write' }, errors: ['not_found'] },
    schema: {
      summary: 'Write a note about a buyer',
      description: 'Only admins see notes. A buyer has up to 200.',
      params: BuyerParams,
      body: NoteBody,
      response: { 200: BuyerNote },
    },
    handler: async ({ params: { id }, body: { text }, actor }) => {
      const at = clock.now()
      const note = { id: newId('buyerNote'), buyer_id: id, at, author: actorIdOf(actor), text }
      await transaction(db, async (tx) => {
        if (!(await lockBuyer(tx, id))) throw buyerNotFound()
        if ((await countBuyerNotes(tx, id)) >= MAX_NOTES) throw tooManyNotes(MAX_NOTES)
        await insertBuyerNote(tx, note)
        // Without its text, which must be gone when the note is deleted.
        await recordAction(tx, { actor, action: 'note', subject: { kind: 'buyer', id }, after: { note: note.id }, at })
      })
      return shownNote(note, await names([note.author]))
    },
  })
}
