import { z } from 'zod'
import { actorIdOf, type ActorNames } from '@storefront/audit'
import type { App } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import { newId } from '@storefront/contracts'
import { OrderParams } from '../admin/get-admin-order.ts'
import type { OrdersContext } from '../context.ts'
import { orderNotFound, tooManyNotes } from '../errors.ts'
import { findOrderId, lockOrder } from '../orders/orders.queries.ts'
import { shownStep, TimelineStep } from '../timeline/timeline-step.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { countNotes, insertNote } from './notes.queries.ts'

/** Of one order; its timeline shows all of them. */
const MAX_NOTES = 200

/** Control characters, except those that a text of several lines has. */
const CONTROLS = /[^\P{Cc}\n\t]/gu

export const NoteBody = z
  .object({
    text: z
      .string()
      .overwrite((text) => text.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, ''))
      .trim()
      .min(1)
      .max(2000)
      .describe('Plain text, which buyers never see.'),
  })
  .meta({ id: 'NewOrderNote' })

export function addNoteRoute(app: App, { db, clock, names }: OrdersContext & { names: ActorNames }): void {
  app.post('/admin/orders/:id/notes', {
    config: { access: { admin: 'orders:write' }, errors: ['not_found'] },
    schema: {
      summary: 'Write a note about an order',
      description:
        'Only admins see notes: they are in the timeline of the order, and in nothing that its buyer gets. An order has up ' +
        'to 200. The response is the entry of the timeline.',
      params: OrderParams,
      body: NoteBody,
      response: { 200: TimelineStep },
    },
    handler: async ({ params, body: { text }, actor }) => {
      const author = actorIdOf(actor)
      const at = clock.now()
      const id = newId('orderNote')
      const order = await transaction(db, async (tx) => {
        const orderId = await findOrderId(tx, params.id)
        const locked = orderId === undefined ? undefined : await lockOrder(tx, orderId)
        if (!locked) throw orderNotFound()
        if ((await countNotes(tx, locked.id)) >= MAX_NOTES) throw tooManyNotes(MAX_NOTES)
        await insertNote(tx, { id, order_id: locked.id, author, text })
        await recordSteps(tx, [{ orderId: locked.id, kind: 'note', actor: author, detail: { id } }], at)
        return locked
      })
      const step = { at, kind: 'note' as const, actor: author, detail: { id, text } }
      return shownStep(step, order.document.locale, await names([author]))
    },
  })
}
