import type { OrdersContext } from '../context.ts'
import { findVerdicts } from '../checkout/claims.queries.ts'
import { giveUp } from '../checkout/give-up.ts'
import type { Tx } from '../database.ts'
import type { StoredOrder } from '../orders/order.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { attemptToPlace, NotPlaced, placeOrder } from '../orders/place-order.ts'
import { holdGoods } from '../sessions/hold-goods.ts'
import { releaseSessions } from '../sessions/release-sessions.ts'
import { soldLineIds, type StoredSession } from '../sessions/session.ts'
import { completeSession, endSessions, findSession, lockSessions } from '../sessions/sessions.queries.ts'
import { DEMO } from './demo/demo-event.ts'
import type { CapturedPayment } from './payments.queries.ts'

/** The holds that the order can use. */
interface UsableHolds {
  claim: string | null
  discountClaim: string | null
}

/**
 * Makes the order that a buyer has paid for, with what was agreed when the session began. It uses the session's hold;
 * goods that were released are reserved again, and if they are sold out, the order is still placed, and a person must
 * look at it.
 *
 * Where checkout.ts has led to a page, this is in the middle of the way from the payment to the mail:
 *
 * | Step                     | needs               | leaves                     | undo, or after a crash           |
 * | ------------------------ | ------------------- | -------------------------- | -------------------------------- |
 * | `receiveWebhookRoute`    | a signature         | the update, stored         | `processEvents` claims it again  |
 * | `usableHoldsOf`          | the session         | goods, reserved again      | `giveUpNewHold`, or its deadline |
 * | `writeOrder`             | the session, locked | the paid order, its events | rollback; the update comes again |
 * | `releaseSessions`        | that commit         | other pages, closed        | a payment there is refunded      |
 * | `order.paid` to notifier | a row of the outbox | a queued mail, a receipt   | JetStream delivers it again      |
 * | the mail worker          | a claim             | a mail that was sent       | claimed again, or `uncertain`    |
 * @returns undefined, with nothing written, when another request was faster at the same cart, line or hold: look again
 * @throws DependencyUnavailable when goods must be reserved again and catalog does not reply
 */
export async function placeFromSession(
  context: OrdersContext,
  sessionId: string,
  capture: Omit<CapturedPayment, 'orderId'>,
): Promise<StoredOrder | undefined> {
  const session = await findSession(context.db, sessionId)
  if (!session) return undefined
  const holds = await usableHoldsOf(context, session)
  try {
    const placed = await attemptToPlace(context.db, (tx) => writeOrder(context, tx, { session, holds, capture }))
    if (!placed) {
      await giveUpNewHold(context, session, holds)
      return undefined
    }
    await releaseSessions(context, placed.superseded)
    return (await findOrder(context.db, session.orderId)) ?? placed.order
  } catch (error) {
    await giveUpNewHold(context, session, holds)
    throw error
  }
}

/** The price was agreed: it stays even if the discount redemption was released. */
async function usableHoldsOf(context: OrdersContext, session: StoredSession): Promise<UsableHolds> {
  const claims = [session.claim, session.discountClaim].filter((claim) => claim !== null)
  const verdicts = await findVerdicts(context.db, claims)
  const isGone = (claim: string | null) =>
    claim === null || verdicts.some((each) => each.claim === claim && each.verdict === 'abandoned')
  const discountClaim = isGone(session.discountClaim) ? null : session.discountClaim
  if (!isGone(session.claim)) return { claim: session.claim, discountClaim }
  const { cartId, document } = session
  const goods = { cartId, lines: document.lines, discountClaim, ...soldIdsOf(session) }
  const terms = { ttlSeconds: context.reservationTtlSeconds, paidSessionId: session.id }
  const reserved = await holdGoods(context, goods, terms)
  return { claim: 'claim' in reserved ? reserved.claim : null, discountClaim }
}

/** Every id of the sold cart, and of its lines. */
function soldIdsOf(session: StoredSession): { cartIds: string[]; lineIds: string[] } {
  const { cartId, requestedCartId, mergedCartIds } = session
  return { cartIds: [cartId, requestedCartId, ...mergedCartIds], lineIds: soldLineIds(session) }
}

async function writeOrder(
  { clock }: OrdersContext,
  tx: Tx,
  {
    session,
    holds,
    capture,
  }: { session: StoredSession; holds: UsableHolds; capture: Omit<CapturedPayment, 'orderId'> },
): Promise<{ order: StoredOrder; superseded: StoredSession[] }> {
  const { cartIds, lineIds } = soldIdsOf(session)
  const locked = await lockSessions(tx, { id: session.id, cartIds, lineIds, discountClaim: holds.discountClaim })
  // The same update came twice at once: the other request has placed the order.
  const current = locked.find(({ id }) => id === session.id)
  if (!current || current.status === 'completed') throw new NotPlaced()
  // The locked session, because the buyer may have been erased since it was read.
  const { orderId: id, cartId, customerId, email, document, numberPrefix } = current
  const order = await placeOrder(
    tx,
    {
      id,
      cartId,
      customerId,
      email,
      status: 'placed',
      placedAt: clock.now(),
      document,
      payment: { provider: session.provider, status: 'pending', method: null, reference: null },
      ...holds,
      attention: holds.claim === null ? 'out_of_stock' : null,
      capturedMinor: 0,
    },
    {
      numberPrefix,
      secretHashes: current.secretHashes,
      cartIds,
      lineIds,
      capture,
      // Limits of mails apply only to buyers who paid nothing: a real payment is too expensive a way to send mails to
      // others.
      ...(session.provider === DEMO && { senders: session.buyerKeys }),
    },
  )
  await completeSession(tx, session.id, holds)
  const beside = locked.filter((each) => each.id !== session.id)
  return { order, superseded: await endSessions(tx, beside, 'superseded') }
}

/** Releases what was newly reserved for an order that was not written. The session's own hold stays. */
async function giveUpNewHold(context: OrdersContext, session: StoredSession, { claim }: UsableHolds): Promise<void> {
  if (claim !== null && claim !== session.claim)
    await giveUp(context, { cartId: session.cartId, claim, discountClaim: null })
}
