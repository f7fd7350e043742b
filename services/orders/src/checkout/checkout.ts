import { clientKeysOf } from '@storefront/http'
import { sameMoney, type Quote } from '@storefront/contracts'
import { grant } from '../access/capability.ts'
import { isClosed } from '../access/closed-orders.queries.ts'
import type { OrdersContext } from '../context.ts'
import { checkoutLostItsHolds, goodsBoughtElsewhere, orderNotFound, shortage } from '../errors.ts'
import type { StoredOrder } from '../orders/order.ts'
import { findOrder, findOrderOfCart } from '../orders/orders.queries.ts'
import { isFree, NO_PROVIDER } from '../payments/free-order.ts'
import { paymentFlowOf, type PaymentFlow } from '../payments/providers.ts'
import { findSamePage } from '../sessions/find-same-page.ts'
import { holdGoods } from '../sessions/hold-goods.ts'
import { openSession, type HeldGoods } from '../sessions/open-session.ts'
import { cartIdsOf, lineIdsOf, type StoredSession } from '../sessions/session.ts'
import { requireFewUnpaid } from '../sessions/unpaid-limits.ts'
import type { CheckoutRequest } from './checkout-request.ts'
import { giveUp, type Holds } from './give-up.ts'
import { isCodeRedeemed } from './is-code-redeemed.ts'
import { placeAtOnce } from './place-at-once.ts'
import { quoteCart, sessionHoldSeconds } from './quote-cart.ts'
import { requireUnsoldLines } from './require-unsold-lines.ts'
import { TotalChanged } from './total-changed.ts'

export type CheckedOut =
  /** `isNew` when this checkout placed it, without a payment page. */
  | { kind: 'order'; order: StoredOrder; isNew?: boolean }
  | { kind: 'session'; session: StoredSession; terms: Quote['terms'] }

/** One attempt to check out a cart, with what its steps have found and hold. */
interface Attempt {
  context: OrdersContext
  request: CheckoutRequest
  quote: Quote
  flow: PaymentFlow
  /** Released when the attempt fails. */
  holds: Holds
  goods?: HeldGoods
}

/** An attempt is repeated when another request released its holds or was faster. */
const MAX_ATTEMPTS = 3

type Step = (attempt: Attempt) => Promise<CheckedOut | undefined>

/**
 * What follows the quote of the cart, in this order; the first step with a result ends the checkout. Each can be
 * repeated. When one fails, `giveUp` releases what is held; when the process dies, this remains:
 *
 * | After                   | remains                                   | and is ended by                             |
 * | ----------------------- | ----------------------------------------- | ------------------------------------------- |
 * | `quoteCart`             | a held redemption of the discount code    | cart, which requests the verdict when its deadline has passed |
 * | `reserveGoods`          | a reservation, and those of ended pages   | catalog, in the same way                    |
 * | `placeWithoutPage`      | the order with its event, one transaction | nothing: the checkout is complete           |
 * | `openPage`, first half  | a session that is being created           | `endDueSessions`, which finds it stuck      |
 * | `openPage`, second half | a page at the provider                    | its payment, or `endDueSessions` at its end |
 */
const STEPS: readonly Step[] = [
  joinOrderOfMergedCart,
  joinSamePage,
  requireFewUnpaidOfBuyer,
  reserveGoods,
  placeWithoutPage,
  openPage,
  joinFasterOrder,
]

/**
 * Makes an order of a cart that has none yet, or a payment session that will become one.
 *
 * Nine concurrent checkouts of one cart reserve the goods once, because the reservation's id is derived from the cart
 * and its lines; one of them inserts the order or the session, and the others return it.
 * @throws TotalChanged when the total differs from the one that the buyer saw
 */
export async function checkOut(context: OrdersContext, request: CheckoutRequest): Promise<CheckedOut> {
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts++) {
    const quote = await quoteCart(context, request)
    if ('order' in quote) return joinOrder(context, quote.order, request)
    const holds: Holds = { cartId: quote.cartId, claim: null, discountClaim: quote.discountClaim ?? null }
    try {
      if (request.seenTotal && !sameMoney(request.seenTotal, quote.total)) throw new TotalChanged(quote)
      const flow: PaymentFlow = isFree(quote)
        ? { kind: 'order', provider: NO_PROVIDER }
        : paymentFlowOf(context.providers, quote.terms)
      const attempt: Attempt = { context, request, quote, flow, holds }
      for (const step of STEPS) {
        const result = await step(attempt)
        if (result) return result
      }
      // Another request released these holds or finished first. Once they are released, the next attempt gets new ones.
      await giveUp(context, holds)
    } catch (error) {
      await giveUp(context, holds)
      throw error
    }
  }
  throw checkoutLostItsHolds()
}

/** The cart was requested by the id of a merged cart: an order may already exist under its own id. */
async function joinOrderOfMergedCart({ context, request, quote, holds }: Attempt): Promise<CheckedOut | undefined> {
  if (quote.cartId === request.cartId) return undefined
  const order = await findOrderOfCart(context.db, quote.cartId)
  if (!order) return undefined
  await giveUpBeside(context, order, holds)
  return joinOrder(context, order, request)
}

async function joinSamePage({ context, request, quote, flow }: Attempt): Promise<CheckedOut | undefined> {
  if (flow.kind !== 'session') return undefined
  const session = await findSamePage(context, { request, quote, provider: flow.provider })
  return session && { kind: 'session', session, terms: quote.terms }
}

async function requireFewUnpaidOfBuyer({ context, request, quote, flow }: Attempt): Promise<undefined> {
  if (flow.kind !== 'session') return
  await requireFewUnpaid(context.db, {
    keys: clientKeysOf(request.buyer),
    limits: context.unpaidLimits,
    goods: { cartIds: cartIdsOf(quote, request.cartId), lineIds: lineIdsOf(quote) },
    now: context.clock.now(),
  })
}

async function reserveGoods(attempt: Attempt): Promise<undefined> {
  const { context, request, quote, flow, holds } = attempt
  const { cartId, lines } = quote
  const cartIds = cartIdsOf(quote, request.cartId)
  const reserved = await holdGoods(
    context,
    { cartId, lines, cartIds, lineIds: lineIdsOf(quote), discountClaim: holds.discountClaim },
    flow.kind === 'session'
      ? { ttlSeconds: sessionHoldSeconds(context), unpaid: context.unpaidLimits.shares }
      : { ttlSeconds: context.reservationTtlSeconds },
  )
  if ('short' in reserved) throw shortage(reserved.short)
  holds.claim = reserved.claim
  attempt.goods = reserved
}

async function placeWithoutPage({ context, request, quote, flow, goods }: Attempt): Promise<CheckedOut | undefined> {
  if (flow.kind !== 'order' || !goods) return undefined
  const order = await placeAtOnce(context, { request, quote, claim: goods.claim, provider: flow.provider })
  return order && { kind: 'order', order, isNew: true }
}

async function openPage({ context, request, quote, flow, goods }: Attempt): Promise<CheckedOut | undefined> {
  if (flow.kind !== 'session' || !goods) return undefined
  const session = await openSession(context, { request, quote, held: goods, provider: flow.provider })
  const paid = session?.status === 'completed' ? await findOrder(context.db, session.orderId) : undefined
  if (paid) return joinOrder(context, paid, request)
  return session && { kind: 'session', session, terms: quote.terms }
}

/** Another request was faster with this cart, with its lines, or with its code. */
async function joinFasterOrder({ context, request, quote, holds }: Attempt): Promise<CheckedOut | undefined> {
  const order = await findOrderOfCart(context.db, quote.cartId)
  if (!order) {
    await requireUnsoldLines(context.db, quote)
    if (await isCodeRedeemed(context.db, quote, request.cartId)) throw goodsBoughtElsewhere()
    return undefined
  }
  await giveUpBeside(context, order, holds)
  // A guest's cart that a customer merged and ordered: the order belongs to the customer alone.
  if (order.customerId !== null && order.customerId !== request.customerId) throw goodsBoughtElsewhere()
  return joinOrder(context, order, request)
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

/** This request lost the race to another one for the same cart: its browser may see the order as well. */
async function joinOrder({ db }: OrdersContext, order: StoredOrder, request: CheckoutRequest): Promise<CheckedOut> {
  if (await isClosed(db, order.id)) throw orderNotFound()
  await grant(db, order.id, request.secrets)
  return { kind: 'order', order }
}
