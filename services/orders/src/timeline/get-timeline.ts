import type { ActorNames } from '@storefront/audit'
import type { App } from '@storefront/http'
import { listOf } from '@storefront/contracts'
import { OrderParams } from '../admin/get-admin-order.ts'
import type { OrdersContext } from '../context.ts'
import { orderNotFound } from '../errors.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { shownStep, TimelineStep } from './timeline-step.ts'
import { findSteps, MAX_STEPS } from './timeline.queries.ts'

export function getTimelineRoute(app: App, { db, names }: OrdersContext & { names: ActorNames }): void {
  app.get('/admin/orders/:id/timeline', {
    config: { access: { admin: 'orders:read' }, errors: ['not_found'] },
    schema: {
      summary: 'The history of an order with the actor of each change, oldest first',
      description:
        'Payments, changes of the status, tracking, refunds, reasons for attention, tags, and the notes of the ' +
        'staff. An entry without an `actor` happened automatically or came from the buyer or a provider. Of more than ' +
        `${MAX_STEPS} entries, these are the notes and the latest others.`,
      params: OrderParams,
      response: { 200: listOf(TimelineStep) },
    },
    handler: async ({ params }) => {
      const order = await findOrder(db, params.id)
      if (!order) throw orderNotFound()
      const steps = await findSteps(db, order.id)
      const nameOf = await names(steps.flatMap(({ actor }) => actor ?? []))
      const items = steps.map((step) => shownStep(step, order.document.locale, nameOf))
      return { items, total: items.length }
    },
  })
}
