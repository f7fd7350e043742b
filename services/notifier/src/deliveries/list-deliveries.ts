import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { clampedInteger, Timestamp } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { listDeliveries, type ListedDelivery } from './deliveries.queries.ts'

const Status = z.enum(['queued', 'sending', 'waiting', 'delivered', 'dead', 'superseded'])

const Delivery = z
  .object({
    id: z.string(),
    eventId: z.string(),
    type: z.string(),
    endpoint: z.object({ id: z.string(), url: z.string() }),
    status: Status,
    attempts: z.int(),
    lastStatus: z.int().nullable(),
    lastError: z.string().nullable(),
    nextAttemptAt: Timestamp.nullable(),
    mergedEvents: z.int(),
    createdAt: Timestamp,
    settledAt: Timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery' })

/** What went to the endpoints and what came of it, newest first. */
export function listDeliveriesRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/webhooks/deliveries', {
    config: { access: { admin: 'webhooks:write' } },
    schema: {
      tags: ['Admin: webhooks'],
      summary: 'The log of webhook deliveries',
      querystring: z.object({
        status: Status.optional(),
        page: clampedInteger({ default: 1, min: 1, max: 100_000 }),
        per_page: clampedInteger({ default: 25, min: 1, max: 100 }),
      }),
      response: {
        200: z.object({ items: z.array(Delivery), total: z.int(), page: z.int(), perPage: z.int() }),
      },
    },
    handler: async ({ query: { status, page, per_page: perPage } }) => {
      const { rows, total } = await listDeliveries(db, { status, limit: perPage, offset: (page - 1) * perPage })
      return { items: rows.map(show), total, page, perPage }
    },
  })
}

function show(row: ListedDelivery): z.output<typeof Delivery> {
  const open = row.status === 'queued' || row.status === 'waiting'
  return {
    id: row.id,
    eventId: row.event_id,
    type: row.type,
    endpoint: { id: row.endpoint_id, url: row.url },
    status: row.status,
    attempts: row.attempts,
    lastStatus: row.last_status,
    lastError: row.last_error,
    nextAttemptAt: open ? row.next_attempt_at.toISOString() : null,
    mergedEvents: row.merged_events,
    createdAt: row.created_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
  }
}
