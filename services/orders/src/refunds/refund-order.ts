import { z } from 'zod'
import { actorIdOf } from '@storefront/audit'
import { sendRequest } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { MAX_CART_LINES, OpaqueId, Order, ReadPrices } from '@storefront/contracts'
import { OrderParams } from '../admin/get-admin-order.ts'
import type { OrdersContext } from '../context.ts'
import { orderNotFound, refundRejected } from '../errors.ts'
import { requestHashOf } from '../idempotency/request-hash.ts'
import { respondOnce, IdempotencyHeaders } from '../idempotency/respond-once.ts'
import { requireDistinctLines } from '../orders/distinct-lines.ts'
import { merchantOrder, type StoredOrder } from '../orders/order.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { amountOf } from './refund.ts'
import { requestRefund, type RefundRequest } from './request-refund.ts'
import { sendRefund } from './send-refund.ts'

const RefundBody = z.object({
  // Checked by hand, because each error has a code of its own.
  amount: z
    .unknown()
    .optional()
    .meta({
      description:
        'Money, or minor units alone; above 0. If omitted, what the buyer paid for the `lines`, or without these the full ' +
        'remaining amount.',
      anyOf: [{ type: 'integer', minimum: 1 }, { $ref: '#/components/schemas/Money' }],
    }),
  reason: z.string().trim().max(500).optional().describe('Stored with the refund and shown to the buyer.'),
  restock: z
    .boolean()
    .optional()
    .describe('Whether a full refund or the `lines` put the goods back on sale; the setting of the shop if omitted.'),
  lines: z
    .array(
      z.object({
        lineId: OpaqueId.describe('Id of a line of the order.'),
        quantity: z.int().positive().describe('Units of this line; at most those that were not refunded before.'),
        restock: z
          .boolean()
          .optional()
          .describe('Whether these units return to the stock; `restock` of the refund if omitted.'),
      }),
    )
    .min(1)
    .max(MAX_CART_LINES)
    .superRefine(requireDistinctLines)
    .optional()
    .describe('The units that are refunded. Without `amount`, the amount is what the buyer paid for them.'),
  reference: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("The provider's reference of a refund that was already made there: the refund is then only recorded."),
})
type RefundBody = z.output<typeof RefundBody>

export function refundOrderRoute(app: App, context: OrdersContext): void {
  app.post('/admin/orders/:id/refunds', {
    config: {
      access: { admin: 'orders:write' },
      errors: [
        'already_refunded',
        'amount_too_large',
        'bad_gateway',
        'conflict',
        'currency_mismatch',
        'idempotency_mismatch',
        'invalid_amount',
        'line_not_found',
        'missing_fields',
        'not_found',
        'payment_not_captured',
      ],
    },
    schema: {
      summary: 'Refund an order',
      description:
        'The provider of the payment returns the money; the refund of a payment that was taken by hand is only recorded. ' +
        'A full refund cancels an order that was not sent yet. Until the provider has confirmed it, the refund is ' +
        '`pending`. With `lines` exactly these units are returned to the stock once it has succeeded, and they are not sent ' +
        'any more; more units of a line than are left is 409 `conflict`.',
      params: OrderParams,
      headers: IdempotencyHeaders,
      body: RefundBody.nullish(),
      response: { 200: Order },
    },
    handler: (request, reply) =>
      respondOnce(
        context,
        { request, reply, operation: 'refund', schema: Order },
        {
          async work() {
            const { params, body, actor, headers } = request
            const idempotencyKey = headers['idempotency-key']
            const requester = {
              actor: actorIdOf(actor),
              idempotencyKey,
              requestHash: idempotencyKey === undefined ? null : requestHashOf(request),
            }
            return merchantOrder(await refundOrder(context, params.id, body ?? {}, requester))
          },
        },
      ),
  })
}

/**
 * The refund is committed before the provider is called, and the provider's response afterwards: a crash in between
 * leaves a refund that the worker settles. While its result is unknown, the refund is listed as pending.
 */
async function refundOrder(
  context: OrdersContext,
  idOrNumber: string,
  { amount, reason, restock, lines, reference }: Partial<RefundBody>,
  requester: Pick<RefundRequest, 'actor' | 'idempotencyKey' | 'requestHash'>,
): Promise<StoredOrder> {
  const wantedAmount = amountOf(amount)
  const found = await findOrder(context.db, idOrNumber)
  if (!found) throw orderNotFound()
  const restocks = restock ?? (await restocksByDefault(context))
  const request = {
    amount: wantedAmount,
    reason: reason === '' ? undefined : reason,
    restock: restocks,
    lines: lines?.map((line) => ({ ...line, restock: line.restock ?? restocks })),
    reference,
    ...requester,
  }
  const now = context.clock.now()
  const refund = await transaction(context.db, (tx) =>
    requestRefund(tx, found.id, request, { providers: context.providers, now }),
  )
  if (refund && (await sendRefund(context, refund, { actor: requester.actor, isReported: true })) === 'failed')
    throw refundRejected()
  return (await findOrder(context.db, found.id)) ?? found
}

/** The shop's setting for the goods of a full refund; `restock` in the request takes precedence. */
async function restocksByDefault({ messaging }: OrdersContext): Promise<boolean> {
  const { settings } = await sendRequest(messaging, ReadPrices, { variantIds: [] })
  return settings.restockOnRefund
}
