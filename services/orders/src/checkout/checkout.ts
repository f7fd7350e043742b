import { clientKeysOf } from '@storefront/http'
import { sameMoney, type Quote } from '@storefront/contracts'
import { grant } from '../access/capability.ts'
import { isClosed } from '../access/closed-orders.queries.ts'
import type { OrdersContext } from '../context.ts'
import { checkoutLostItsHolds, goodsBoughtElsewhere, orderNotFound, shortage } from '../errors.ts'
import type { StoredOrder } from '../orders/order.ts'
import { findOrder, findOrderOfCart } from '../orders/orders.queries.ts'
import { isFree, NO_PROVIDER } from '../payments/free-order.ts'
import { leadsBack, paymentFlowOf, type PaymentFlow } from '../payments/providers.ts'
import { findSamePage } from '../sessions/find-same-page.ts'
import { holdGoods } from '../sessions/hold-goods.ts'
import { openSession, type HeldGoods } from '../sessions/open-session.ts'
import { cartIdsOf, lineIdsOf, type StoredSession } from '../sessions/session.ts'
import { requireFewUnpaid } from '../sessions/unpaid-limits.ts'
import { requirePagesOfStorefront } from './checkout-body.ts'
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

/** What the steps of an attempt have found, for those after them. */
interface Found {
  quote: Quote
  flow: PaymentFlow
  goods: HeldGoods
}

/** One attempt to check out a cart. */
interface Attempt extends Partial<Found> {
  context: OrdersContext
  request: CheckoutRequest
  holds: Holds
}

type With<Key extends keyof Found> = Attempt & Pick<Found, Key>

type Hold = Exclude<keyof Holds, 'cartId'>

interface Row<Key extends keyof Found> {
  /** Ends the checkout if it has a result. It can be repeated. */
  step: (attempt: With<Key>) => Promise<CheckedOut | undefined>
  needs: readonly Key[]
  /** What exists after it; omitted if nothing new does. */
  leaves?: string
  /** What of it `giveUp` releases when this step or a later one fails, or none has a result. */
  undo?: Hold
  /** What ends that after a death of the process. */
  afterCrash?: string
}

interface Step {
  undo: Hold | undefined
  run: (attempt: Attempt) => Promise<CheckedOut | undefined>
}

/** An attempt is repeated when another request released its holds or was faster. */
const MAX_ATTEMPTS = 3

/** The way from a cart to its order, or to a page that will make it one (see place-from-session.ts). */
const STEPS: readonly Step[] = [
  row({
    step: priceCart,
    needs: [],
    leaves: 'a held redemption of the discount code',
    undo: 'discountClaim',
    afterCrash: 'cart requests the verdict when its deadline has passed, and releases it',
  }),
  row({ step: joinOrderOfMergedCart, needs: ['quote'] }),
  row({ step: joinSamePage, needs: ['quote', 'flow'] }),
  row({ step: requireFewUnpaidOfBuyer, needs: ['quote', 'flow'] }),
  row({
    step: reserveGoods,
    needs: ['quote', 'flow'],
    leaves: 'a reservation, for which other pages of the same goods may have ended',
    undo: 'claim',
    afterCrash: 'catalog requests the verdict when its deadline has passed, also of the reservations of ended pages',
  }),
  row({
    step: placeWithoutPage,
    needs: ['quote', 'flow', 'goods'],
    leaves: 'the order with its event, written in one transaction',
    afterCrash: 'the checkout is complete',
  }),
  row({
    step: openPage,
    needs: ['quote', 'flow', 'goods'],
    leaves: 'a session that is being created, then a page at the provider; when that fails, openAtProvider ends both',
    afterCrash: '`endDueSessions` finds it stuck; a page is ended by its payment, or by `endDueSessions`',
  }),
  row({ step: joinFasterOrder, needs: ['quote'] }),
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
    const attempt: Attempt = { context, request, holds: { cartId: request.cartId, claim: null, discountClaim: null } }
    try {
      for (const { run } of STEPS) {
        const result = await run(attempt)
        if (result) return result
      }
      // Another request released these holds or finished first. Once they are released, the next attempt gets new ones.
      await undoSteps(attempt)
    } catch (error) {
      await undoSteps(attempt)
      throw error
    }
  }
  throw checkoutLostItsHolds()
}

function row<Key extends keyof Found>({ step, needs, undo }: Row<Key>): Step {
  const run = async (attempt: Attempt): Promise<CheckedOut | undefined> => {
    if (!hasFound(attempt, needs)) throw new Error(`${step.name} of the checkout runs before what it needs`)
    return step(attempt)
  }
  return { undo, run }
}

function hasFound<Key extends keyof Found>(attempt: Attempt, needs: readonly Key[]): attempt is With<Key> {
  return needs.every((key) => attempt[key] !== undefined)
}

/** Releases what the steps hold, all at once: no order of this cart may use any of it. */
async function undoSteps({ context, holds }: Attempt): Promise<void> {
  const undone: Holds = { cartId: holds.cartId, claim: null, discountClaim: null }
  for (const { undo } of STEPS) if (undo) undone[undo] = holds[undo]
  await giveUp(context, undone)
}

async function priceCart(attempt: Attempt): Promise<CheckedOut | undefined> {
  const { context, request, holds } = attempt
  const quote = await quoteCart(context, request)
  if ('order' in quote) return joinOrder(context, quote.order, request)
  holds.cartId = quote.cartId
  holds.discountClaim = quote.discountClaim ?? null
  if (request.seenTotal && !sameMoney(request.seenTotal, quote.total)) throw new TotalChanged(quote)
  attempt.quote = quote
  attempt.flow = isFree(quote)
    ? { kind: 'order', provider: NO_PROVIDER }
    : paymentFlowOf(context.providers, quote.terms)
  if (leadsBack(attempt.flow)) requirePagesOfStorefront(request.details, context.storefrontOrigins)
  return undefined
}

/** The cart was requested by the id of a merged cart: an order may already exist under its own id. */
async function joinOrderOfMergedCart(attempt: With<'quote'>): Promise<CheckedOut | undefined> {
  const { context, request, quote } = attempt
  if (quote.cartId === request.cartId) return undefined
  const order = await findOrderOfCart(context.db, quote.cartId)
  if (!order) return undefined
  await undoBeside(attempt, order)
  return joinOrder(context, order, request)
}

async function joinSamePage(attempt: With<'quote' | 'flow'>): Promise<CheckedOut | undefined> {
  const { context, request, quote, flow } = attempt
  if (flow.kind !== 'session') return undefined
  const session = await findSamePage(context, { request, quote, provider: flow.provider })
  return session && { kind: 'session', session, terms: quote.terms }
}

async function requireFewUnpaidOfBuyer({ context, request, quote, flow }: With<'quote' | 'flow'>): Promise<undefined> {
  if (flow.kind !== 'session') return
  await requireFewUnpaid(context.db, {
    keys: clientKeysOf(request.buyer),
    limits: context.unpaidLimits,
    goods: { cartIds: cartIdsOf(quote, request.cartId), lineIds: lineIdsOf(quote) },
    now: context.clock.now(),
  })
}

async function reserveGoods(attempt: With<'quote' | 'flow'>): Promise<undefined> {
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

async function placeWithoutPage(attempt: With<keyof Found>): Promise<CheckedOut | undefined> {
  const { context, request, quote, flow, goods } = attempt
  if (flow.kind !== 'order') return undefined
  const order = await placeAtOnce(context, { request, quote, claim: goods.claim, provider: flow.provider })
  return order && { kind: 'order', order, isNew: true }
}

async function openPage({ context, request, quote, flow, goods }: With<keyof Found>): Promise<CheckedOut | undefined> {
  if (flow.kind !== 'session') return undefined
  const session = await openSession(context, { request, quote, held: goods, provider: flow.provider })
  const paid = session?.status === 'completed' ? await findOrder(context.db, session.orderId) : undefined
  if (paid) return joinOrder(context, paid, request)
  return session && { kind: 'session', session, terms: quote.terms }
}

/** Another request was faster with this cart, with its lines, or with its code. */
async function joinFasterOrder(attempt: With<'quote'>): Promise<CheckedOut | undefined> {
  const { context, request, quote } = attempt
  const order = await findOrderOfCart(context.db, quote.cartId)
  if (!order) {
    await requireUnsoldLines(context.db, quote)
    if (await isCodeRedeemed(context.db, quote, request.cartId)) throw goodsBoughtElsewhere()
    return undefined
  }
  await undoBeside(attempt, order)
  // A guest's cart that a customer merged and ordered: the order belongs to the customer alone.
  if (order.customerId !== null && order.customerId !== request.customerId) throw goodsBoughtElsewhere()
  return joinOrder(context, order, request)
}

/**
 * Releases the holds that the other request's order of this cart does not use. That order may have the same goods, but
 * not the redemption of a code that was applied after its quote.
 */
async function undoBeside(attempt: Attempt, order: StoredOrder): Promise<void> {
  const { claim, discountClaim } = attempt.holds
  const isOfOrder =
    (claim === null || claim === order.claim) && (discountClaim === null || discountClaim === order.discountClaim)
  if (!isOfOrder) await undoSteps(attempt)
}

/** This request lost the race to another one for the same cart: its browser may see the order as well. */
async function joinOrder({ db }: OrdersContext, order: StoredOrder, request: CheckoutRequest): Promise<CheckedOut> {
  if (await isClosed(db, order.id)) throw orderNotFound()
  await grant(db, order.id, request.secrets)
  return { kind: 'order', order }
}
