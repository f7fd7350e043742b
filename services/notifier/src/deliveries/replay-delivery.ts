import { recordAction } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import type { NotifierContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { deliveryNotFound, deliveryUnderWay, endpointDeleted, endpointDisabled, testIsNotReplayed } from '../errors.ts'
import { noteEndpointsMayWork } from './circuit.queries.ts'
import { readDelivery, WholeDelivery } from './get-delivery.ts'
import { lockDelivery, queueAgain } from './replays.queries.ts'
import { DeliveryParams } from './show-delivery.ts'

/** Replays a delivery: with the same id and the same bytes, and from the start of the schedule. */
export function replayDeliveryRoute(app: App, { db, clock, deliver }: NotifierContext): void {
  app.post('/admin/webhooks/deliveries/:id/replay', {
    config: { access: { admin: 'webhooks:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Replay a webhook delivery',
      description:
        'The same body with the same `webhook-id`, signed again, and from the start of the schedule of retries. One that is being ' +
        'sent at the moment, that was a test, or whose endpoint is disabled or deleted, is 409 `conflict`.',
      params: DeliveryParams,
      response: { 200: WholeDelivery },
    },
    handler: async ({ params: { id }, actor }) => {
      await transaction(db, async (tx) => {
        const at = clock.now()
        await replayDelivery(tx, id, at)
        await recordAction(tx, { actor, action: 'replay', subject: { kind: 'delivery', id }, at })
      })
      const replayed = await readDelivery(db, id)
      deliver()
      return replayed
    },
  })
}

/**
 * Under an open circuit it waits with the others, but the endpoint's next probe goes at once: the admin who replays has
 * a reason to think that the receiver is up again, and one attempt shows it.
 * @throws HttpError not_found, conflict
 */
async function replayDelivery(tx: Tx, id: string, now: Date): Promise<void> {
  const delivery = await lockDelivery(tx, id)
  if (!delivery) throw deliveryNotFound()
  if (delivery.is_test) throw testIsNotReplayed()
  if (delivery.deleted) throw endpointDeleted()
  if (!delivery.enabled) throw endpointDisabled()
  if (delivery.status === 'sending') throw deliveryUnderWay()
  await queueAgain(tx, [id], now)
  await noteEndpointsMayWork(tx, [delivery.endpoint_id], now)
}
