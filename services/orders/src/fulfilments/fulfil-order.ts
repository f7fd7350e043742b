import { z } from 'zod'
import { actorIdOf } from '@storefront/audit'
import { digestOf, type App } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import { FulfilledLine, ID_PREFIXES, newId, OpaqueId, Order } from '@storefront/contracts'
import { OrderParams } from '../admin/get-admin-order.ts'
import { requireCompleteTracking, TrackingBody } from '../admin/tracking.ts'
import type { OrdersContext } from '../context.ts'
import { orderNotFound } from '../errors.ts'
import { requestHashOf, requireSameRequest } from '../idempotency/request-hash.ts'
import { IdempotencyHeaders, respondOnce } from '../idempotency/respond-once.ts'
import { requireDistinctLines } from '../orders/distinct-lines.ts'
import { merchantOrder } from '../orders/order.ts'
import { findOrder, findOrderId, lockOrder } from '../orders/orders.queries.ts'
import { findFulfilment } from './fulfilments.queries.ts'
import { sendParcel } from './send-parcel.ts'

/** As many as an order has. */
const MAX_LINES = 100

const FulfilmentBody = z
  .object({
    lines: z
      .array(FulfilledLine.extend({ lineId: OpaqueId.describe('Id of a line of the order.') }))
      .min(1)
      .max(MAX_LINES)
      .superRefine(requireDistinctLines)
      .optional()
      .describe('What is in the parcel; everything that is left if omitted.'),
    tracking: TrackingBody.nullish().describe('Tracking of this parcel, if it has any.'),
  })
  .meta({ id: 'NewFulfilment' })
type FulfilmentBody = z.output<typeof FulfilmentBody>

export function fulfilOrderRoute(app: App, context: OrdersContext): void {
  app.post('/admin/orders/:id/fulfilments', {
    config: {
      access: { admin: 'orders:write' },
      errors: [
        'conflict',
        'idempotency_mismatch',
        'invalid_transition',
        'line_not_found',
        'missing_fields',
        'not_found',
      ],
    },
    schema: {
      summary: 'Send a parcel with some or all units of an order',
      description:
        'The order keeps its status until nothing is left to send, and is `fulfilled` then. The buyer gets a mail about each ' +
        'parcel. More than is left is 409 `conflict`, with what is left in the `detail`.',
      params: OrderParams,
      headers: IdempotencyHeaders,
      body: FulfilmentBody.nullish(),
      response: { 200: Order },
    },
    handler: (request, reply) =>
      respondOnce(
        context,
        { request, reply, operation: 'fulfilment', schema: Order },
        {
          work() {
            const key = request.headers['idempotency-key']
            return fulfilOrder(context, request.params.id, request.body ?? {}, {
              actor: actorIdOf(request.actor),
              key,
              requestHash: key === undefined ? null : requestHashOf(request),
            })
          },
        },
      ),
  })
}

async function fulfilOrder(
  { db, clock }: OrdersContext,
  idOrNumber: string,
  { lines, tracking }: FulfilmentBody,
  { actor, key, requestHash }: { actor: string; key: string | undefined; requestHash: Buffer | null },
): Promise<Order> {
  if (tracking) requireCompleteTracking(tracking)
  return transaction(db, async (tx) => {
    const orderId = await findOrderId(tx, idOrNumber)
    const order = orderId === undefined ? undefined : await lockOrder(tx, orderId)
    if (!order) throw orderNotFound()
    const id = key === undefined ? newId('fulfilment') : idOfKey([order.id, actor, key])
    const sent = await findFulfilment(tx, id)
    requireSameRequest(sent?.requestHash, requestHash)
    // The response of the first request was lost with its process, or is no longer stored.
    if (sent) return merchantOrder(order)
    await sendParcel(tx, order, { id, lines, tracking, requestHash }, { now: clock.now(), actor })
    const changed = await findOrder(tx, order.id)
    if (!changed) throw orderNotFound()
    return merchantOrder(changed)
  })
}

/** The same key of the same admin sends the same parcel of an order. */
function idOfKey(parts: readonly string[]): string {
  return `${ID_PREFIXES.fulfilment}_${digestOf(parts).toString('hex').slice(0, 32)}`
}
