import { DAY_MS } from '@storefront/service'
import { sendRequest } from '@storefront/messaging'
import { Address, newId, QuoteCart, type Quote } from '@storefront/contracts'
import { emailOf, withCountryCodeIfGiven } from '../checkout/checkout-body.ts'
import { giveUp, type Holds } from '../checkout/give-up.ts'
import { isCodeRedeemed, requireCodeNotRedeemed } from '../checkout/is-code-redeemed.ts'
import { requireUnsoldLines } from '../checkout/require-unsold-lines.ts'
import type { OrdersContext } from '../context.ts'
import { checkoutLostItsHolds, outOfStock, paymentOfAnotherOrder } from '../errors.ts'
import type { StoredOrder } from '../orders/order.ts'
import { findOrder, findOrderOfCart } from '../orders/orders.queries.ts'
import { findOrderByPlacementKey, recordPlacementKey } from '../orders/place-order.queries.ts'
import { attemptToPlace, NotPlaced, placeOrder } from '../orders/place-order.ts'
import { confirmCapture } from '../payments/confirm-capture.ts'
import { hasMoney } from '../payments/confirm-payments.ts'
import { findOrderNamedByPayment, findOrderOfPayment } from '../payments/payments.queries.ts'
import { holdGoods } from '../sessions/hold-goods.ts'
import { releaseSessions } from '../sessions/release-sessions.ts'
import { cartIdsOf, documentOf, lineIdsOf, type StoredSession } from '../sessions/session.ts'
import { endSessions, findLatestSession, lockSessions } from '../sessions/sessions.queries.ts'
import { findErasedBuyer } from './erased-buyer.ts'
import { expectPayment } from './expect-payment.ts'
import {
  captureOf,
  expectedPaymentOf,
  isPaid,
  paymentOf,
  placementKeyOf,
  type MerchantPlacement,
} from './merchant-placement.ts'

export interface Merchant {
  userId: string
  actorToken: string | undefined
}

interface Placed {
  order: StoredOrder
  created: boolean
}

/** Sessions before this are too old to take an address from. */
const SESSION_MEMORY_MS = DAY_MS
/** An attempt is repeated when another request released its holds or was faster. */
const MAX_ATTEMPTS = 3

/**
 * Places an order for a cart, or returns the one that this key or this cart already has. Ten concurrent calls place
 * one.
 * @throws HttpError of the cart, `email_required`, `payment_failed`, `conflict` when another order has the payment or a
 * line of the cart, and unless the payment is captured also `out_of_stock`, or `conflict` when the order of a merged
 * cart has redeemed the code
 */
export async function placeForMerchant(
  context: OrdersContext,
  body: MerchantPlacement,
  merchant: Merchant,
): Promise<Placed> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const existing = await findExisting(context, body, merchant)
    if (existing) return { order: existing, created: false }
    const session = await findSessionOfCart(context, body.cart_id)
    const email = emailOf(body.email ?? session?.email)
    // Rejects a failed payment before anything is held.
    paymentOf(body)
    const given = body.shipping_address && withCountryCodeIfGiven(body.shipping_address)
    const address = given ?? session?.document.shippingAddress ?? Address.parse({})
    const quote = await quoteFor(context, { body, merchant, session, address, email })
    const holds: Holds = { cartId: quote.cartId, claim: null, discountClaim: quote.discountClaim ?? null }
    try {
      const order = await holdAndPlace(context, { body, merchant, session, quote, address, email, holds })
      if (order) return { order, created: true }
      await requireUnsoldLines(context.db, quote)
      if (!isPaid(body)) await requireCodeNotRedeemed(context.db, quote, body.cart_id)
      await giveUp(context, holds)
    } catch (error) {
      await giveUp(context, holds)
      throw error
    }
  }
  throw checkoutLostItsHolds()
}

/**
 * The order of this key, whatever the other fields are, or else the order of this cart, which the key returns from then
 * on. If that order has no money yet, the payment of the request is recorded for it.
 */
async function findExisting(
  context: OrdersContext,
  body: MerchantPlacement,
  { userId }: Merchant,
): Promise<StoredOrder | undefined> {
  const { db } = context
  const { provider = 'manual', reference, status } = body.payment ?? {}
  // Before the order is looked up: a concurrent request may be writing both.
  const owner = reference === undefined ? undefined : await findOrderOfPayment(db, { provider, reference })
  // Captured money belongs to the order that waits for it, too. A payment that is only expected takes nothing from it.
  const named =
    status === 'captured' && reference !== undefined ? await findOrderNamedByPayment(db, provider, reference) : owner
  const key = placementKeyOf(body)
  const original = key === undefined ? undefined : await findOrderByPlacementKey(db, key)
  if (original && (hasMoney(original) || owner !== undefined)) return original
  const order = original ?? (await findOrderOfCart(db, body.cart_id))
  if (named !== undefined && named !== order?.id) throw paymentOfAnotherOrder()
  if (!order) return undefined
  const capture = owner === undefined ? captureOf(body, { id: order.id, total: order.document.total }) : undefined
  const confirmed = capture
    ? await confirmCapture(context, order, capture, undefined, userId)
    : await expectPayment(context, order, expectedPaymentOf(body), userId)
  if (capture && (await findOrderOfPayment(db, capture)) !== order.id) throw paymentOfAnotherOrder()
  if (key === undefined || original || (await recordPlacementKey(db, key, order.id))) return confirmed
  // A concurrent request used the key first, perhaps for another order.
  return findOrderByPlacementKey(db, key)
}

function findSessionOfCart({ db, clock }: OrdersContext, cartId: string): Promise<StoredSession | undefined> {
  return findLatestSession(db, cartId, new Date(clock.now().getTime() - SESSION_MEMORY_MS))
}

async function quoteFor(
  { messaging, reservationTtlSeconds: ttlSeconds }: OrdersContext,
  given: {
    body: MerchantPlacement
    merchant: Merchant
    session: StoredSession | undefined
    address: Address
    email: string
  },
): Promise<Quote> {
  const { body, merchant, session, address, email } = given
  const quoteRequest = {
    cartId: body.cart_id,
    address,
    shippingMethod: body.shipping_method ?? session?.document.shippingMethod ?? '',
    hold: { email, ttlSeconds },
    onBehalf: true as const,
    ...(isPaid(body) && { paid: true as const }),
  }
  return sendRequest(messaging, QuoteCart, quoteRequest, { actorToken: merchant.actorToken })
}

interface ToPlace {
  body: MerchantPlacement
  merchant: Merchant
  session: StoredSession | undefined
  quote: Quote
  address: Address
  email: string
  holds: Holds
}

/** @returns undefined when another request was faster: look again */
async function holdAndPlace(context: OrdersContext, given: ToPlace): Promise<StoredOrder | undefined> {
  const { body, merchant, session, quote, address, email, holds } = given
  const { db, clock } = context
  const id = newId('order')
  const cartIds = cartIdsOf(quote, body.cart_id)
  const lineIds = lineIdsOf(quote)
  const capture = captureOf(body, { id, total: quote.total })
  const goods = { cartId: quote.cartId, lines: quote.lines, cartIds, lineIds, discountClaim: holds.discountClaim }
  const reserved = await holdGoods(context, goods, { ttlSeconds: context.reservationTtlSeconds })
  // The money was taken: the order is kept, and a person has to find the goods.
  if ('short' in reserved && !capture?.amountMinor) throw outOfStock(reserved.short)
  holds.claim = 'claim' in reserved ? reserved.claim : null
  const { claim, discountClaim } = holds
  const placed = await attemptToPlace(db, async (tx) => {
    const locked = await lockSessions(tx, { id: session?.id ?? null, cartIds, lineIds, discountClaim })
    // Money that was taken does not lose its order.
    if (!isPaid(body) && (await isCodeRedeemed(tx, quote, body.cart_id))) throw new NotPlaced()
    // The locked session, because the buyer may have been erased since it was read.
    const current = locked.find((each) => each.id === session?.id)
    const customerId = (await findErasedBuyer(tx, current, { body, email })) ?? quote.customerId ?? null
    const order = await placeOrder(
      tx,
      {
        id,
        cartId: quote.cartId,
        customerId,
        email,
        status: 'placed',
        placedAt: clock.now(),
        document: documentOf(quote, { address, giftMessage: current?.document.giftMessage }),
        payment: paymentOf(body, capture),
        claim,
        discountClaim,
        attention: claim === null ? 'out_of_stock' : null,
        capturedMinor: 0,
      },
      {
        numberPrefix: quote.terms.numberPrefix,
        // The browsers of the buyer from the payment page; never the caller of this route.
        secretHashes: current?.secretHashes ?? [],
        cartIds,
        lineIds,
        placementKey: placementKeyOf(body),
        actor: merchant.userId,
        capture,
      },
    )
    const ended = await endSessions(tx, locked, 'superseded')
    return { order, ended }
  })
  if (!placed) return undefined
  await releaseSessions(context, placed.ended)
  return (await findOrder(db, id)) ?? placed.order
}
