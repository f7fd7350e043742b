import { transaction } from '@storefront/postgres'
import type { OrdersContext } from '../context.ts'
import type { StoredOrder } from '../orders/order.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { releaseSessions } from '../sessions/release-sessions.ts'
import type { StoredSession } from '../sessions/session.ts'
import { endSessions, lockSessions } from '../sessions/sessions.queries.ts'
import { confirmPayments } from './confirm-payments.ts'
import type { CapturedPayment } from './payments.queries.ts'

/**
 * A payment for an existing order. An open session of its cart is superseded: it could only lead to a second payment.
 */
export async function confirmCapture(
  context: OrdersContext,
  order: StoredOrder,
  capture: Omit<CapturedPayment, 'orderId'>,
  session: Pick<StoredSession, 'id' | 'cartId'> | undefined,
  actor?: string,
): Promise<StoredOrder> {
  const { db, clock } = context
  const ended = await transaction(db, async (tx) => {
    const cartIds = session ? [order.cartId, session.cartId] : [order.cartId]
    const beside = await lockSessions(tx, { id: null, cartIds, lineIds: [] })
    const superseded = await endSessions(tx, beside, 'superseded')
    await confirmPayments(tx, [{ ...capture, orderId: order.id }], clock.now(), actor)
    return superseded
  })
  await releaseSessions(context, ended)
  return (await findOrder(db, order.id)) ?? order
}
