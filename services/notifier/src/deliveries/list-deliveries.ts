import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { clampedInteger, OpaqueId, Timestamp } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { COUNTED_BY_LOG, lastAttempts, listDeliveries } from './delivery-log.queries.ts'
import { DeliveryShape, DeliveryStatus, showDelivery } from './show-delivery.ts'

/** What one page shows of each delivery; `GET /admin/webhooks/deliveries/:id` shows all of it. */
const SHOWN = { attempts: 10, answerLength: 500 }

/** What went to the endpoints and what came of it, newest first. */
export function listDeliveriesRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/webhooks/deliveries', {
    config: { access: { admin: 'webhooks:write' } },
    schema: {
      tags: ['Admin: webhooks'],
      summary: 'The log of webhook deliveries',
      description: `Newest first, each with its last ${SHOWN.attempts} attempts. total counts up to ${COUNTED_BY_LOG}; pages go on beyond.`,
      querystring: z.object({
        endpoint: OpaqueId.optional(),
        type: z.string().max(100).optional(),
        status: DeliveryStatus.optional(),
        event: OpaqueId.optional(),
        since: Timestamp.optional(),
        until: Timestamp.optional(),
        page: clampedInteger({ default: 1, min: 1, max: 100_000 }),
        per_page: clampedInteger({ default: 25, min: 1, max: 100 }),
      }),
      response: {
        200: z.object({ items: z.array(DeliveryShape), total: z.int(), page: z.int(), perPage: z.int() }),
      },
    },
    handler: async ({ query }) => {
      const { page, per_page: perPage } = query
      const filter = {
        endpointId: query.endpoint,
        type: query.type,
        status: query.status,
        eventId: query.event,
        since: query.since === undefined ? undefined : new Date(query.since),
        until: query.until === undefined ? undefined : new Date(query.until),
      }
      const { rows, total } = await listDeliveries(db, filter, { limit: perPage, offset: (page - 1) * perPage })
      const attempts = await lastAttempts(
        db,
        rows.map((row) => row.id),
        SHOWN,
      )
      return { items: rows.map((row) => showDelivery(row, attempts)), total, page, perPage }
    },
  })
}
