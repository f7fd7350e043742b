import { z } from 'zod'
import { actorIdOf } from '@storefront/audit'
import { publish } from '@storefront/messaging'
import { requireUnchanged, type App } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import {
  declareReadOnly,
  Order,
  OrderAttention,
  PaymentStatus,
  TrackingUpdated,
  type Tracking,
} from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { attentionCanOnlyBeCleared, orderNotFound, paymentCanOnlyBeCaptured } from '../errors.ts'
import { correctTracking } from '../fulfilments/fulfilments.queries.ts'
import { isPartlyFulfilled } from '../fulfilments/remaining-to-fulfil.ts'
import { clearAttention, saveTags, saveTracking } from '../orders/changes.queries.ts'
import { orderEventData } from '../orders/order-event-data.ts'
import { merchantOrder, type StoredOrder } from '../orders/order.ts'
import { findOrder, findOrderId, lockOrder } from '../orders/orders.queries.ts'
import { PaymentMethod } from '../payments/payment-method.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { changeStatus } from './change-status.ts'
import { statusOf } from './order-filter.ts'
import { recordPayment } from './record-payment.ts'
import { OrderParams } from './get-admin-order.ts'
import { changeOfTags, tagKey, Tags } from './tags.ts'
import { isSameTracking, requireCompleteTracking, TrackingBody } from './tracking.ts'

const PaymentBody = z.object({
  status: PaymentStatus.describe(
    '`captured`: the full total of the order has been received. Any other value must be the current one.',
  ),
  reference: z.string().trim().min(1).max(255).optional().describe('The reference of the payment at its provider.'),
  method: PaymentMethod.optional(),
})

/**
 * Fields that no request sets: they change with a refund or a parcel, or when the buyer creates or deletes an account.
 * Only the reply to `POST /admin/orders` has `created`.
 */
const CHANGES_BY_ITSELF = ['refunds', 'refundedTotal', 'fulfilments', 'customerId', 'created']

const ChangeBody = z.object({
  status: z.string().max(50).optional().describe('The new status; the current one changes nothing.'),
  tracking: TrackingBody.nullable()
    .optional()
    .describe('Replaces the tracking; null removes it. If the order was already sent, the buyer gets a mail with it.'),
  payment: PaymentBody.optional().describe(
    'The full amount has been received; if the order was already sent, on delivery.',
  ),
  attention: OrderAttention.nullable()
    .optional()
    .describe('null: a person has looked at it. Any other value must be the current one.'),
  tags: Tags.optional().describe(
    'Replaces the tags: up to 20 of 1 to 40 characters, which differ in more than case. Buyers never see them.',
  ),
})
const CHANGEABLE = new Set(['status', 'tracking', 'payment', 'attention', 'tags'])
declareReadOnly(PaymentBody, { fixed: ['provider'] })
declareReadOnly(ChangeBody, {
  fixed: Object.keys(Order.shape).filter((name) => !CHANGEABLE.has(name) && !CHANGES_BY_ITSELF.includes(name)),
  live: CHANGES_BY_ITSELF,
})
type Change = z.output<typeof ChangeBody>

export function changeOrderRoute(app: App, { db, clock }: OrdersContext): void {
  app.patch('/admin/orders/:id', {
    config: {
      access: { admin: 'orders:write' },
      errors: ['conflict', 'invalid_status', 'invalid_transition', 'missing_fields', 'not_found', 'read_only_field'],
    },
    schema: {
      summary: 'Change the status, tracking or tags of an order, mark it as paid, or clear its attention flag',
      description:
        'Only the fields that are sent are changed, and either all of them or none. An order that is `placed` can become `paid`, ' +
        '`fulfilled` or `cancelled`, one that is `paid` can become `fulfilled` or `cancelled`, and one that is `fulfilled` can ' +
        'become `delivered`; any other change is 409 `invalid_transition`. `fulfilled` sends everything that is left as one parcel.',
      params: OrderParams,
      body: ChangeBody,
      response: { 200: Order },
    },
    handler: async ({ params: { id }, body, actor, sentBack }) =>
      transaction(db, async (tx) => {
        const orderId = await findOrderId(tx, id)
        const order = orderId === undefined ? undefined : await lockOrder(tx, orderId)
        if (!order) throw orderNotFound()
        requireUnchanged(sentBack, merchantOrder(order))
        await changeOrder(tx, order, body, { now: clock.now(), actor: actorIdOf(actor) })
        const changed = await findOrder(tx, order.id)
        if (!changed) throw orderNotFound()
        return merchantOrder(changed)
      }),
  })
}

async function changeOrder(
  tx: Tx,
  order: StoredOrder,
  { status, tracking, attention, payment, tags }: Change,
  change: { now: Date; actor: string },
): Promise<void> {
  const { id: orderId } = order
  const { now, actor } = change
  // This clears only the attention from before this change: a cancellation below that leaves money to refund sets it
  // again.
  if (attention !== undefined && attention !== null && attention !== order.attention) throw attentionCanOnlyBeCleared()
  if (attention === null && order.attention !== null) {
    await clearAttention(tx, orderId)
    await recordSteps(tx, [{ orderId, kind: 'attention_cleared', actor, detail: { was: order.attention } }], now)
  }
  if (tags !== undefined) await changeTags(tx, order, tags, change)
  // Tracking that comes with the status belongs to the parcel that is sent now.
  const isOfNewParcel = status === 'fulfilled' && order.status !== status
  const isTrackingChanged =
    tracking !== undefined && (await changeTracking(tx, order, tracking, { ...change, isOfNewParcel }))
  if (payment !== undefined && !isSamePayment(payment, order)) {
    if (payment.status !== 'captured') throw paymentCanOnlyBeCaptured()
    await recordPayment(tx, order, payment, change)
  }
  if (status !== undefined) {
    const current = await findOrder(tx, orderId)
    if (current) await changeStatus(tx, current, statusOf(status), { ...change, tracking })
  }
  if (isTrackingChanged) await publishTracking(tx, order, now)
}

/** Whether a payment equals the stored one, as when a client sends the whole order back. */
function isSamePayment(payment: z.output<typeof PaymentBody>, order: StoredOrder): boolean {
  const { status, reference = order.payment.reference, method = order.payment.method } = payment
  return status === order.payment.status && reference === order.payment.reference && method === order.payment.method
}

/** @returns whether it differs from before */
async function changeTracking(
  tx: Tx,
  order: StoredOrder,
  tracking: Tracking | null,
  { now, actor, isOfNewParcel }: { now: Date; actor: string; isOfNewParcel: boolean },
): Promise<boolean> {
  if (isSameTracking(order.tracking, tracking)) return false
  if (tracking !== null) requireCompleteTracking(tracking)
  await saveTracking(tx, order.id, tracking)
  if (!isOfNewParcel) await correctTracking(tx, order.id, tracking)
  await recordSteps(tx, [{ orderId: order.id, kind: 'tracking', actor, detail: { ...tracking } }], now)
  return true
}

async function changeTags(
  tx: Tx,
  order: StoredOrder,
  tags: readonly string[],
  { now, actor }: { now: Date; actor: string },
): Promise<void> {
  const detail = changeOfTags(order.tags, tags)
  if (detail === undefined) return
  await saveTags(tx, order.id, tags, tags.map(tagKey))
  await recordSteps(tx, [{ orderId: order.id, kind: 'tags', actor, detail }], now)
}

/**
 * The event that an order was sent carries its tracking, so only a later change has an event of its own. When the
 * parcel has arrived, or its tracking was removed, the buyer needs no mail.
 */
async function publishTracking(tx: Tx, before: StoredOrder, now: Date): Promise<void> {
  const order = await findOrder(tx, before.id)
  if (!order || !isOnItsWay(before) || !isOnItsWay(order) || order.tracking === null) return
  if (before.fulfilments.length < order.fulfilments.length) return
  await publish(tx, TrackingUpdated, await orderEventData(tx, order), now)
}

/** Whether a parcel was sent that may not have arrived yet. */
function isOnItsWay(order: StoredOrder): boolean {
  return order.status === 'fulfilled' || isPartlyFulfilled(order)
}
