import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { OpaqueId } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { deliveryNotFound } from '../errors.ts'
import { findDelivery, lastAttempts } from './delivery-log.queries.ts'
import { DeliveryShape, showDelivery } from './show-delivery.ts'

/** More than the schedule can make; only replays lead beyond. */
const MOST = { attempts: 500, answerLength: 4096 }

export const WholeDelivery = DeliveryShape.extend({
  /** The very bytes that were signed and sent. */
  body: z.string(),
  /** The same, read. */
  payload: z.record(z.string(), z.unknown()),
}).meta({ id: 'WholeWebhookDelivery' })

/** One delivery with what was sent and every attempt. */
export function getDeliveryRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/webhooks/deliveries/:id', {
    config: { access: { admin: 'webhooks:write' }, errors: ['not_found'] },
    schema: {
      tags: ['Admin: webhooks'],
      summary: 'One webhook delivery with its payload and attempts',
      params: z.object({ id: OpaqueId }),
      response: { 200: WholeDelivery },
    },
    handler: ({ params: { id } }) => readDelivery(db, id),
  })
}

/** @throws Refusal not_found */
export async function readDelivery(db: Database, id: string): Promise<z.output<typeof WholeDelivery>> {
  const row = await findDelivery(db, id)
  if (!row) throw deliveryNotFound()
  const attempts = await lastAttempts(db, [id], MOST)
  const payload = WholeDelivery.shape.payload.parse(JSON.parse(row.body))
  return { ...showDelivery(row, attempts), body: row.body, payload }
}
