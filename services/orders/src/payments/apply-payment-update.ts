import { transaction } from '@storefront/postgres'
import type { OrdersContext } from '../context.ts'
import type { StoredOrder } from '../orders/order.ts'
import { findOrder, findOrderOfCart, findOrderOfLines, markPaymentStatus } from '../orders/orders.queries.ts'
import { isDeletedSession } from '../sessions/deleted-sessions.queries.ts'
import { releaseSessions } from '../sessions/release-sessions.ts'
import { soldLineIds, type StoredSession } from '../sessions/session.ts'
import { endSessions, findNamedSession } from '../sessions/sessions.queries.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { confirmCapture } from './confirm-capture.ts'
import {
  findOrderNamedByPayment,
  findOrderOfPayment,
  recordUncaptured,
  type CapturedPayment,
} from './payments.queries.ts'
import { placeFromSession } from './place-from-session.ts'
import type { PaymentUpdate } from './provider.ts'

type PaymentUpdateResult =
  /** A payment that is not this shop's: the provider's account may serve other shops. */
  | { kind: 'unknown' }
  /** Recorded; there is no order yet. */
  | { kind: 'session'; session: StoredSession }
  /** The current order. */
  | { kind: 'order'; order: StoredOrder }
  /** The order was paid by another payment, or sold these goods from another cart: the money is refunded. */
  | { kind: 'surplus'; order: StoredOrder }

/** How often placing the order is tried when other requests for the same cart come first. */
const ATTEMPTS = 4

/**
 * Handles every payment update from a provider, whatever its source: webhook, browser, timer or reconciliation. Updates
 * may come late, repeatedly and out of order: a captured payment places the order and pays it, once, and no other
 * update takes it back.
 * @throws DependencyUnavailable when it cannot be handled now: the source keeps the update and retries
 * @throws Error when the checkout that was paid is deleted, and no order has the payment: a merchant must decide
 */
export async function applyPaymentUpdate(context: OrdersContext, update: PaymentUpdate): Promise<PaymentUpdateResult> {
  const session = await findNamedSession(context.db, update)
  const known = { session, order: await findOrderToPay(context, update, session) }
  if (!session && !known.order) {
    if (update.status === 'captured') await requireNotDeleted(context, update)
    return { kind: 'unknown' }
  }
  switch (update.status) {
    case 'captured':
      return takeCapture(context, update, session)
    case 'authorized':
    case 'failed':
      // With its own status, whose type is narrower here than that of the update.
      await noteUncaptured(context, { ...update, status: update.status }, known)
      break
    case 'cancelled':
    case 'expired':
      if (session) await releaseSessions(context, await endSessions(context.db, [session], update.status))
      break
  }
  const order = await findOrderToPay(context, update, session)
  if (order) return { kind: 'order', order }
  return session ? { kind: 'session', session } : { kind: 'unknown' }
}

async function requireNotDeleted({ db, log }: OrdersContext, update: PaymentUpdate): Promise<void> {
  const { provider, reference, sessionId } = update
  if (sessionId === undefined || !(await isDeletedSession(db, sessionId))) return
  const error = new Error(
    `the payment ${reference} was captured for the checkout ${sessionId}, which is deleted: refund it at ${provider}, or place its order`,
  )
  log.error({ err: error, provider, reference, sessionId }, 'a payment was captured for a checkout that is deleted')
  throw error
}

/** The order that the update names, or that the session's cart became, with or without this session. */
async function findOrderOf(
  { db }: OrdersContext,
  { orderId }: PaymentUpdate,
  session: StoredSession | undefined,
): Promise<StoredOrder | undefined> {
  const named = orderId === undefined ? undefined : await findOrder(db, orderId)
  return named ?? (session && (await findOrderOfCart(db, session.cartId)))
}

/**
 * The order that is known to have this payment, whatever else the update names: one payment never pays for two carts.
 */
async function findOrderToPay(
  context: OrdersContext,
  update: PaymentUpdate,
  session: StoredSession | undefined,
): Promise<StoredOrder | undefined> {
  const { provider, reference } = update
  const orderId = reference === undefined ? undefined : await findOrderNamedByPayment(context.db, provider, reference)
  return orderId === undefined ? findOrderOf(context, update, session) : findOrder(context.db, orderId)
}

async function takeCapture(
  context: OrdersContext,
  update: PaymentUpdate,
  session: StoredSession | undefined,
): Promise<PaymentUpdateResult> {
  if (update.reference === undefined) throw new Error(`${update.provider} reported a payment without a reference`)
  const { provider, reference, method = null } = update
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const order = await findOrderToPay(context, update, session)
    const amount = update.amount ?? (order ?? session)?.document.total
    if (!amount) return { kind: 'unknown' }
    const capture = {
      provider,
      reference,
      method,
      sessionId: session?.id,
      amountMinor: amount.amount,
      currency: amount.currency,
    }
    if (order) {
      const result = await payOrder(context, order, capture, session)
      if (result) return result
    } else if (session) {
      const placed = await placeFromSession(context, session.id, capture)
      if (placed) return { kind: 'order', order: placed }
      const surplus = await takeSurplus(context, session, capture)
      if (surplus) return surplus
    }
  }
  throw new Error(`no order could be made of payment ${provider} ${reference}`)
}

/**
 * A payment for a cart of which a line was ordered with another cart, because the two were merged meanwhile: it is
 * refunded, and the other lines stay in this cart.
 */
async function takeSurplus(
  context: OrdersContext,
  session: StoredSession,
  capture: Omit<CapturedPayment, 'orderId'>,
): Promise<PaymentUpdateResult | undefined> {
  if (await findOrderOfCart(context.db, session.cartId)) return undefined
  const order = await findOrderOfLines(context.db, soldLineIds(session))
  if (!order) return undefined
  return payOrder(context, order, { ...capture, isForOtherCart: true }, session)
}

/** @returns undefined, with nothing recorded, when another order was named for the payment meanwhile: look again */
async function payOrder(
  context: OrdersContext,
  order: StoredOrder,
  capture: Omit<CapturedPayment, 'orderId'>,
  session: StoredSession | undefined,
): Promise<PaymentUpdateResult | undefined> {
  const result = resultFor(await confirmCapture(context, order, capture, session), capture)
  const isRecorded = result.kind === 'order' || (await findOrderOfPayment(context.db, capture)) !== undefined
  return isRecorded ? result : undefined
}

/** The order may belong to another buyer than the one who made this payment, unless the order is paid by it. */
function resultFor(
  order: StoredOrder,
  { provider, reference }: Pick<CapturedPayment, 'provider' | 'reference'>,
): PaymentUpdateResult {
  const isPaidByIt = order.payment.provider === provider && order.payment.reference === reference
  return { kind: isPaidByIt ? 'order' : 'surplus', order }
}

async function noteUncaptured(
  { db, clock }: OrdersContext,
  update: PaymentUpdate & { status: 'authorized' | 'failed' },
  { session, order }: { session: StoredSession | undefined; order: StoredOrder | undefined },
): Promise<void> {
  const { provider, reference, status, method = null } = update
  const amount = update.amount ?? (order ?? session)?.document.total
  await transaction(db, async (tx) => {
    const now = clock.now()
    const isChange = order ? await markPaymentStatus(tx, order.id, status, BEFORE[status]) : false
    if (order && isChange) {
      const detail = { provider, ...(reference === undefined ? {} : { reference }) }
      await recordSteps(tx, [{ orderId: order.id, kind: `payment_${status}`, detail }], now)
    }
    if (reference === undefined || !amount) return
    const payment = { provider, reference, status, method, sessionId: session?.id, orderId: order?.id }
    await recordUncaptured(tx, { ...payment, amountMinor: amount.amount, currency: amount.currency }, now)
  })
}

/** The payment statuses that such an update may change: captured is none of them. */
const BEFORE = { authorized: ['pending', 'failed'], failed: ['pending'] } as const
