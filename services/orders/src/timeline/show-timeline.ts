import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { listOf, Timestamp } from '@storefront/contracts'
import { OrderParams } from '../admin/show-order.ts'
import type { OrdersContext } from '../context.ts'
import { orderNotFound } from '../errors.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { labelOf } from './label.ts'
import { findSteps } from './timeline.queries.ts'

const TimelineStep = z
  .object({
    at: Timestamp,
    kind: z.string(),
    label: z.string().describe('What happened, in a sentence'),
    actor: z.string().optional().describe('Id of the admin user or of the secret key, unless it happened by itself'),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'TimelineStep' })

/** What happened to an order, in the order in which it happened. */
export function showTimelineRoute(app: App, { db }: OrdersContext): void {
  app.get(
    '/admin/orders/:id/timeline',
    {
      config: { access: { admin: 'orders:read' }, errors: ['not_found'] },
      schema: {
        tags: ['Admin: orders'],
        summary: 'What happened to an order, and who did it, oldest first',
        params: OrderParams,
        response: { 200: listOf(TimelineStep) },
      },
    },
    async ({ params }) => {
      const order = await findOrder(db, params.id)
      if (!order) throw orderNotFound()
      const steps = await findSteps(db, order.id)
      const items = steps.map(({ at, kind, actor, detail }) => ({
        at: at.toISOString(),
        kind,
        label: labelOf(kind, detail, order.document.locale),
        ...(actor !== null && { actor }),
        detail,
      }))
      return { items, total: items.length }
    },
  )
}
