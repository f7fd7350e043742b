import { z } from 'zod'
import type { App } from '@storefront/http'
import type { Database } from '../database.ts'
import { deliveryNotFound } from '../errors.ts'
import { findDelivery, lastAttempts } from './delivery-log.queries.ts'
import { DeliveryParams, DeliveryShape, showDelivery } from './show-delivery.ts'

/** More than the schedule can cause; only replays exceed it. */
const MAX_SHOWN = { attempts: 500, responseLength: 4096 }

export const WholeDelivery = DeliveryShape.extend({
  body: z.string().describe('The exact text that is signed and sent.'),
  payload: z
    .record(z.string(), z.unknown())
    .describe('The same, parsed: `id`, `type`, `at` and the fields of the type.'),
}).meta({ id: 'WholeWebhookDelivery' })

export function getDeliveryRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/webhooks/deliveries/:id', {
    config: { access: { admin: 'webhooks:write' }, errors: ['not_found'] },
    schema: {
      summary: 'One webhook delivery with its payload and attempts',
      description: `Up to ${MAX_SHOWN.attempts} attempts, each with the beginning of the endpoint's response.`,
      params: DeliveryParams,
      response: { 200: WholeDelivery },
    },
    handler: ({ params: { id } }) => readDelivery(db, id),
  })
}

/** @throws HttpError not_found */
export async function readDelivery(db: Database, id: string): Promise<z.output<typeof WholeDelivery>> {
  const row = await findDelivery(db, id)
  if (!row) throw deliveryNotFound()
  const attempts = await lastAttempts(db, [id], MAX_SHOWN)
  const payload = WholeDelivery.shape.payload.parse(JSON.parse(row.body))
  return { ...showDelivery(row, attempts), body: row.body, payload }
}
