import { clientKeysOf } from '@storefront/http'
import type { Quote } from '@storefront/contracts'
import { grant } from '../access/capability.ts'
import { isClosed } from '../access/closed-orders.queries.ts'
import type { OrdersContext } from '../context.ts'
import { checkoutLostItsHolds, goodsBoughtElsewhere, orderNotFound, shortage } from '../errors.ts'
import type { StoredOrder } from '../orders/order.ts'
import { findOrder, findOrderOfCart } from '../orders/orders.queries.ts'
import { isFree, NO_PROVIDER } from '../payments/free-order.ts'
import { wayOf, type Way } from '../payments/providers.ts'
import { findSamePage } from '../sessions/find-same-page.ts'
import { openSession } from '../sessions/open-session.ts'
import { cartIdsOf, lineIdsOf, type StoredSession } from '../sessions/session.ts'
import { requireFewUnpaid } from '../sessions/unpaid-limits.ts'
import type { CheckoutRequest } from './checkout-request.ts'
import { giveUp, type Holds } from './give-up.ts'
import { placeAtOnce } from './place-at-once.ts'
import { quoteCart, sessionHoldSeconds } from './quote-cart.ts'
import { requireUnsoldLines } from './require-unsold-lines.ts'
import { reserve } from './reserve.ts'

export type CheckedOut =
  | { kind: 'order'; order: StoredOrder }
  | { kind: 'session'; session: StoredSession; terms: Quote['terms'] }

/**
 * Makes an order of a cart that has none yet, or a payment session that will become one. Each step can be repeated, and
 * each failure is undone by the steps below it or by a deadline: quote → reserve → one transaction, or a page at a
 * provider.
 *
 * Nine concurrent checkouts of one cart reserve the goods once, because the reservation's id is derived from the cart
 * and its lines; one of them inserts the order or the session, and the others return it.
 */
export async function checkOut(context: OrdersContext, request: CheckoutRequest): Promise<CheckedOut> {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const quote = await quoteCart(context, request)
    if ('order' in quote) return joinOrder(context, quote.order, request)
    const holds: Holds = { cartId: quote.cartId, claim: null, discountClaim: quote.discountClaim ?? null }
    try {
      const done = await attemptCheckout(context, request, quote, holds)
      if (done) return done
      // Another request released these holds or finished first. Once they are released, the next attempt gets new ones.
      await giveUp(context, holds)
    } catch (error) {
      await giveUp(context, holds)
      throw error
    }
  }
  throw checkoutLostItsHolds()
}

/** @param holds collects what is held from here on, for the caller to release */
async function attemptCheckout(
  context: OrdersContext,
  request: CheckoutRequest,
  quote: Quote,
  holds: Holds,
): Promise<CheckedOut | undefined> {
  const way: Way = isFree(quote) ? { kind: 'order', provider: NO_PROVIDER } : wayOf(context.providers, quote.terms)
  // The cart was requested by the id of a merged cart: an order may already exist under its own id.
  const existing = quote.cartId === request.cartId ? undefined : await findOrderOfCart(context.db, quote.cartId)
  if (existing) {
    await giveUpBeside(context, existing, holds)
    return joinOrder(context, existing, request)
  }
  if (way.kind === 'session') {
    const session = await findSamePage(context, { request, quote, provider: way.provider })
    if (session) return { kind: 'session', session, terms: quote.terms }
    await requireFewUnpaid(context.db, {
      keys: clientKeysOf(request.buyer),
      limits: context.unpaidLimits,
      goods: { cartIds: cartIdsOf(quote, request.cartId), lineIds: lineIdsOf(quote) },
      now: context.clock.now(),
    })
  }
  const unpaid = way.kind === 'session' ? context.unpaidLimits.shares : undefined
  const reserved = await reserve(context.messaging, quote, ttlOf(context, way), unpaid)
  if ('short' in reserved) throw shortage(reserved.short)
  holds.claim = reserved.claim
  if (way.kind === 'order') {
    const placed = await placeAtOnce(context, { request, quote, claim: reserved.claim, provider: way.provider })
    if (placed) return { kind: 'order', order: placed }
  } else {
    const session = await openSession(context, { request, quote, held: reserved, provider: way.provider })
    const paid = session?.status === 'completed' ? await findOrder(context.db, session.orderId) : undefined
    if (paid) return joinOrder(context, paid, request)
    if (session) return { kind: 'session', session, terms: quote.terms }
  }
  const faster = await findOrderOfCart(context.db, quote.cartId)
  if (!faster) await requireUnsoldLines(context.db, quote)
  if (!faster) return undefined
  await giveUpBeside(context, faster, holds)
  // A guest's cart that a customer merged and ordered: the order belongs to the customer alone.
  if (faster.customerId !== null && faster.customerId !== request.customerId) throw goodsBoughtElsewhere()
  return joinOrder(context, faster, request)
}

/**
 * Releases the holds that the other request's order of this cart does not use. That order may have the same goods, but
 * not the redemption of a code that was applied after its quote.
 */
async function giveUpBeside(context: OrdersContext, order: StoredOrder, holds: Holds): Promise<void> {
  const { claim, discountClaim } = holds
  const isOfOrder =
    (claim === null || claim === order.claim) && (discountClaim === null || discountClaim === order.discountClaim)
  if (!isOfOrder) await giveUp(context, holds)
}

function ttlOf(context: OrdersContext, way: Way): number {
  return way.kind === 'order' ? context.reservationTtlSeconds : sessionHoldSeconds(context)
}

/** This request lost the race to another one for the same cart: its browser may see the order as well. */
async function joinOrder({ db }: OrdersContext, order: StoredOrder, request: CheckoutRequest): Promise<CheckedOut> {
  if (await isClosed(db, order.id)) throw orderNotFound()
  await grant(db, order.id, request.secrets)
  return { kind: 'order', order }
}
