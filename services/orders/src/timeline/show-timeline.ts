import { z } from 'zod'
import type { ActorNames } from '@storefront/audit'
import type { App } from '@storefront/http'
import { listOf, Money, NamedActor, Timestamp } from '@storefront/contracts'
import { OrderParams } from '../admin/show-order.ts'
import type { OrdersContext } from '../context.ts'
import { orderNotFound } from '../errors.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { labelOf } from './label.ts'
import { findSteps } from './timeline.queries.ts'

const TimelineStep = z
  .object({
    at: Timestamp.describe('When it happened, ISO 8601 in UTC.'),
    kind: z.string().describe('For programs, such as `payment_captured` or `refund_succeeded`; more kinds may come.'),
    label: z.string().describe('What happened, in a sentence.'),
    actor: z
      .string()
      .optional()
      .describe('Id of the admin user or of the secret key, unless it happened automatically.'),
    by: NamedActor.optional().describe('Name of the actor.'),
    detail: z
      .record(z.string(), z.unknown())
      .describe('The details of this kind of entry, such as `amount` as Money, or `carrier` and `code`; may be empty.'),
  })
  .meta({ id: 'TimelineStep' })

/** The history of an order, oldest first. */
export function showTimelineRoute(app: App, { db, names }: OrdersContext & { names: ActorNames }): void {
  app.get(
    '/admin/orders/:id/timeline',
    {
      config: { access: { admin: 'orders:read' }, errors: ['not_found'] },
      schema: {
        tags: ['Admin: orders'],
        summary: 'The history of an order with the actor of each change, oldest first',
        description:
          'Payments, changes of the status, tracking, refunds, and reasons for attention. An entry without an `actor` ' +
          'happened automatically or came from the buyer or a provider.',
        params: OrderParams,
        response: { 200: listOf(TimelineStep) },
      },
    },
    async ({ params }) => {
      const order = await findOrder(db, params.id)
      if (!order) throw orderNotFound()
      const steps = await findSteps(db, order.id)
      const nameOf = await names(steps.flatMap(({ actor }) => actor ?? []))
      const items = steps.map(({ at, kind, actor, detail }) => ({
        at: at.toISOString(),
        kind,
        label: labelOf(kind, detail, order.document.locale),
        ...(actor !== null && { actor, by: nameOf(actor) }),
        detail: shownDetail(detail),
      }))
      return { items, total: items.length }
    },
  )
}

/** An entry is stored with minor units beside their currency, and shown with Money. */
function shownDetail(detail: Record<string, unknown>): Record<string, unknown> {
  const amount = Money.safeParse(detail)
  if (!amount.success) return detail
  const { currency: _currency, ...others } = detail
  return { ...others, amount: amount.data }
}
