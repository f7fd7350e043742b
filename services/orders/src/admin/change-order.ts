import { z } from 'zod'
import { publish, requireUnchanged, transaction, type App } from '@storefront/chassis'
import {
  declareReadOnly,
  Order,
  OrderAttention,
  OrderStatus,
  PaymentStatus,
  TrackingUpdated,
  type Tracking,
} from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { attentionIsTheShops, invalidStatus, orderNotFound, paymentCanOnlyBeCaptured } from '../errors.ts'
import { clearAttention, saveTracking } from '../orders/changes.queries.ts'
import { newsOf } from '../orders/order-news.ts'
import { merchantOrder, type StoredOrder } from '../orders/order.ts'
import { findOrder, findOrderId, lockOrder } from '../orders/orders.queries.ts'
import { PaymentMethod } from '../payments/payment-method.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { changeStatus } from './change-status.ts'
import { recordPayment } from './record-payment.ts'
import { OrderParams } from './show-order.ts'
import { isSameTracking, requireCompleteTracking, TrackingBody } from './tracking.ts'

const PaymentBody = z.object({
  status: PaymentStatus.describe(
    "`captured`: all of the order's total has been received. Any other must be what the order has already.",
  ),
  reference: z.string().trim().min(1).max(255).optional().describe('The name of the payment where it was made.'),
  method: PaymentMethod.optional(),
})

/** With refunds, and with the account that the buyer opens or deletes. */
const CHANGES_BY_ITSELF = ['refunds', 'refundedTotal', 'customerId']

const ChangeBody = z.object({
  status: z.string().max(50).optional().describe('What it becomes; what it is already changes nothing.'),
  tracking: TrackingBody.nullable()
    .optional()
    .describe('Replaces what was there; null removes it. Of an order that was sent, the buyer gets a mail with it.'),
  payment: PaymentBody.optional().describe(
    'The money is there, all of it; with an order that was sent it came at the door.',
  ),
  attention: OrderAttention.nullable()
    .optional()
    .describe('null: a person has looked at it. Any other must be what the order has already.'),
})
const CHANGEABLE = new Set(['status', 'tracking', 'payment', 'attention'])
declareReadOnly(PaymentBody, { fixed: ['provider'] })
declareReadOnly(ChangeBody, {
  fixed: Object.keys(Order.shape).filter((name) => !CHANGEABLE.has(name) && !CHANGES_BY_ITSELF.includes(name)),
  live: CHANGES_BY_ITSELF,
})
type Change = z.output<typeof ChangeBody>

/** Moves an order on, says that its money is there, how its parcel is followed, or that somebody has seen to what it asked for. */
export function changeOrderRoute(app: App, { db, clock }: OrdersContext): void {
  app.patch(
    '/admin/orders/:id',
    {
      config: {
        access: { admin: 'orders:write' },
        errors: ['conflict', 'invalid_status', 'invalid_transition', 'missing_fields', 'not_found', 'read_only_field'],
      },
      schema: {
        tags: ['Admin: orders'],
        summary:
          'Change the status or the tracking of an order, say that it is paid, or that somebody has looked at it',
        description:
          'Only what is sent is changed, and either all of it or nothing. An order goes from `placed` over `paid` to ' +
          '`fulfilled` and `delivered`, and until it is fulfilled to `cancelled`; another step is 409 `invalid_transition`.',
        params: OrderParams,
        body: ChangeBody,
        response: { 200: Order },
      },
    },
    async ({ params: { id }, body, actor, sentBack }) => {
      const by = actor.kind === 'admin' ? actor.userId : ''
      return transaction(db, async (tx) => {
        const orderId = await findOrderId(tx, id)
        const order = orderId === undefined ? undefined : await lockOrder(tx, orderId)
        if (!order) throw orderNotFound()
        requireUnchanged(sentBack, merchantOrder(order))
        await changeOrder(tx, order, body, { now: clock.now(), actor: by })
        const changed = await findOrder(tx, order.id)
        if (!changed) throw orderNotFound()
        return merchantOrder(changed)
      })
    },
  )
}

async function changeOrder(
  tx: Tx,
  order: StoredOrder,
  { status, tracking, attention, payment }: Change,
  change: { now: Date; actor: string },
): Promise<void> {
  const { id: orderId } = order
  const { now, actor } = change
  // What is cleared is what was there before: a cancellation that leaves money to give back asks for attention anew.
  if (attention !== undefined && attention !== null && attention !== order.attention) throw attentionIsTheShops()
  if (attention === null && order.attention !== null) {
    await clearAttention(tx, orderId)
    await recordSteps(tx, [{ orderId, kind: 'attention_cleared', actor, detail: { was: order.attention } }], now)
  }
  const isTracked = tracking !== undefined && (await changeTracking(tx, order, tracking, change))
  if (payment !== undefined && !saysTheSame(payment, order)) {
    if (payment.status !== 'captured') throw paymentCanOnlyBeCaptured()
    await recordPayment(tx, order, payment, change)
  }
  if (status !== undefined) {
    const current = await findOrder(tx, orderId)
    if (current) await changeStatus(tx, current, statusOf(status), change)
  }
  if (isTracked) await announceTracking(tx, order, now)
}

/** Whether a payment is what the order has, as in an order that is sent back whole. */
function saysTheSame(payment: z.output<typeof PaymentBody>, order: StoredOrder): boolean {
  const { status, reference = order.payment.reference, method = order.payment.method } = payment
  return status === order.payment.status && reference === order.payment.reference && method === order.payment.method
}

/** @returns whether it is other than before */
async function changeTracking(
  tx: Tx,
  order: StoredOrder,
  tracking: Tracking | null,
  { now, actor }: { now: Date; actor: string },
): Promise<boolean> {
  if (isSameTracking(order.tracking, tracking)) return false
  if (tracking !== null) requireCompleteTracking(tracking)
  await saveTracking(tx, order.id, tracking)
  await recordSteps(tx, [{ orderId: order.id, kind: 'tracking', actor, detail: { ...tracking } }], now)
  return true
}

/**
 * The event that an order is sent carries its tracking: only what changes later has one of its own. Of a parcel that has
 * arrived, or has nothing to be followed by any more, its buyer needs no mail.
 */
async function announceTracking(tx: Tx, before: StoredOrder, now: Date): Promise<void> {
  const order = await findOrder(tx, before.id)
  if (before.status !== 'fulfilled' || order?.status !== 'fulfilled' || order.tracking === null) return
  await publish(tx, TrackingUpdated, await newsOf(tx, order), now)
}

/** @throws Refusal `invalid_status` */
function statusOf(text: string): OrderStatus {
  const parsed = OrderStatus.safeParse(text)
  if (!parsed.success) throw invalidStatus(text, OrderStatus.options)
  return parsed.data
}
