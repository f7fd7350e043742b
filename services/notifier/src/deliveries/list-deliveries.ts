import { z } from 'zod'
import { optionalFilter, periodParameters, type App } from '@storefront/http'
import { OpaqueId } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { lastAttempts, listDeliveries } from './delivery-log.queries.ts'
import { COUNTED_BY_LOG, LogPageFields, LogPageQuery } from './log-page.ts'
import { DeliveryShape, DeliveryStatus, showDelivery } from './show-delivery.ts'

/** The parts of each delivery on a page; `GET /admin/webhooks/deliveries/:id` shows all of it. */
const SHOWN = { attempts: 10, responseLength: 500 }

const PERIOD = periodParameters('Queued')

export function listDeliveriesRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/webhooks/deliveries', {
    config: { access: { admin: 'webhooks:write' } },
    schema: {
      summary: 'The log of webhook deliveries',
      description: `Newest first, each with its last ${SHOWN.attempts} attempts. \`total\` counts up to ${COUNTED_BY_LOG}; pages go on beyond.`,
      querystring: z.object({
        endpoint: optionalFilter(OpaqueId).describe('Id of an endpoint, for its deliveries.'),
        type: optionalFilter(z.string().max(100)).describe('Type of event, such as `order.paid`.'),
        status: optionalFilter(DeliveryStatus).describe('Status of the delivery; `dead` for those that were given up.'),
        event: optionalFilter(OpaqueId).describe('Id of an event, for its delivery to each endpoint.'),
        replayable: optionalFilter(z.literal('true')).describe(
          'Only deliveries that were not tests, of endpoints that were not deleted.',
        ),
        since: PERIOD.from,
        until: PERIOD.to,
        ...LogPageQuery.shape,
      }),
      response: {
        200: z.object({
          items: z.array(DeliveryShape).describe('One page of the log, newest first.'),
          total: z.int().describe(`How many match; ${COUNTED_BY_LOG} stands for that many or more.`),
          ...LogPageFields.shape,
        }),
      },
    },
    handler: async ({ query }) => {
      const { page, per_page: perPage } = query
      const filter = {
        endpointId: query.endpoint,
        type: query.type,
        status: query.status,
        eventId: query.event,
        isReplayable: query.replayable === 'true',
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
