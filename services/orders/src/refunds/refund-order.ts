import { z } from 'zod'
import { ask, transaction, type App } from '@storefront/chassis'
import { Order, ReadBoard } from '@storefront/contracts'
import { OrderParams } from '../admin/show-order.ts'
import type { OrdersContext } from '../context.ts'
import { orderNotFound, refundRefused } from '../errors.ts'
import { answerOnce, IdempotencyHeaders } from '../idempotency/answer-once.ts'
import { merchantOrder, type StoredOrder } from '../orders/order.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { amountOf } from './refund.ts'
import { requestRefund, type RefundRequest } from './request-refund.ts'
import { sendRefund } from './send-refund.ts'

const RefundBody = z.object({
  // Checked by hand, because whatever is wrong with it has a code of its own.
  amount: z
    .unknown()
    .optional()
    .meta({
      description: 'Money, or minor units alone; above 0. All that is left when it is missing.',
      anyOf: [{ type: 'integer', minimum: 1 }, { $ref: '#/components/schemas/Money' }],
    }),
  reason: z.string().trim().max(500).optional().describe('Kept with the refund, where the buyer sees it as well.'),
  restock: z
    .boolean()
    .optional()
    .describe('Whether a full refund puts the goods back on sale; as the shop is configured if left out.'),
  reference: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("The provider's name for money that was returned there already: the refund is then only written down."),
})
type RefundBody = z.output<typeof RefundBody>

/** Gives an order's money back, or a part of it, and answers how the order is then. */
export function refundOrderRoute(app: App, context: OrdersContext): void {
  app.post(
    '/admin/orders/:id/refunds',
    {
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
          'missing_fields',
          'not_found',
          'payment_not_captured',
        ],
      },
      schema: {
        tags: ['Admin: orders'],
        summary: 'Give money back',
        description:
          'The provider of the payment is told to return the money; a payment that was taken by hand is only written down as ' +
          'returned. A full refund cancels an order that was not sent yet. Until the provider has confirmed it, the refund is ' +
          '`pending`.',
        params: OrderParams,
        headers: IdempotencyHeaders,
        body: RefundBody.nullish(),
        response: { 200: Order },
      },
    },
    (request, reply) =>
      answerOnce(
        context,
        { request, reply, operation: 'refund', schema: Order },
        {
          async work() {
            const { params, body, actor, headers } = request
            const asker = {
              actor: actor.kind === 'admin' ? actor.userId : undefined,
              idempotencyKey: headers['idempotency-key'],
            }
            return merchantOrder(await refundOrder(context, params.id, body ?? {}, asker))
          },
        },
      ),
  )
}

/**
 * What is decided is committed before the provider is asked, and what the provider said after it: a crash in between leaves a
 * refund that the worker settles. While nobody knows what became of it, the refund is listed as pending.
 */
async function refundOrder(
  context: OrdersContext,
  idOrNumber: string,
  { amount, reason, restock, reference }: Partial<RefundBody>,
  asker: Pick<RefundRequest, 'actor' | 'idempotencyKey'>,
): Promise<StoredOrder> {
  const wantedAmount = amountOf(amount)
  const found = await findOrder(context.db, idOrNumber)
  if (!found) throw orderNotFound()
  const request = { amount: wantedAmount, reason: reason === '' ? undefined : reason, reference, ...asker }
  const wanted = restock ?? (await restocksByDefault(context))
  const now = context.clock.now()
  const refund = await transaction(context.db, (tx) =>
    requestRefund(tx, found.id, { ...request, restock: wanted }, { providers: context.providers, now }),
  )
  if (refund && (await sendRefund(context, refund, { actor: asker.actor, isAnswered: true })) === 'failed')
    throw refundRefused()
  return (await findOrder(context.db, found.id)) ?? found
}

/** What the shop does with the goods of a full refund when the merchant does not say. */
async function restocksByDefault({ messaging }: OrdersContext): Promise<boolean> {
  const { settings } = await ask(messaging, ReadBoard, { variantIds: [] })
  return settings.restockOnRefund
}
