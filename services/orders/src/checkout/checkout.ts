import { createHash } from 'node:crypto'
import { ask, isOutage, publish, Refusal, transaction } from '@storefront/chassis'
import {
  newId,
  OrderPlaced,
  QuoteCart,
  ReleaseInventory,
  ReserveInventory,
  type Quote,
  type Shortfall,
} from '@storefront/contracts'
import { grant, hashSecret } from '../access/capability.ts'
import type { OrdersContext } from '../context.ts'
import { checkoutLostItsGoods, checkoutModeUnavailable, outOfStock } from '../errors.ts'
import { publicOrder, type StoredOrder } from '../orders/order.ts'
import { findOrderOfCart, insertOrder, type OrderDraft } from '../orders/orders.queries.ts'
import { providerOfMode } from '../payments/providers.ts'
import type { CheckoutDetails } from './checkout-body.ts'
import { abandonClaims, findVerdicts } from './claims.queries.ts'

export interface CheckoutRequest {
  cartId: string
  details: CheckoutDetails
  actorToken: string | undefined
  /** The customer who is signed in, if any. */
  customerId: string | undefined
  /** Secrets that open the order for the browser that places it. */
  secrets: readonly string[]
}

/**
 * Makes an order of a cart that has none yet. Each step can be repeated, and each failure is undone by the steps below
 * it or by a deadline: quote → reserve → one transaction with order, number and event.
 *
 * Nine checkouts of one cart at once hold the goods once, because the reservation's id follows from the cart and its
 * lines; one of them inserts the order, and the others answer with it.
 */
export async function checkOut(context: OrdersContext, request: CheckoutRequest): Promise<StoredOrder> {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const quote = await quoteOrOrder(context, request)
    if ('order' in quote) return joinOrder(context, quote.order, request)
    const provider = providerOfMode(quote.terms.checkoutMode)
    if (provider === undefined) throw checkoutModeUnavailable(quote.terms.checkoutMode)
    const claim = await reserve(context, quote)
    try {
      const outcome = await placeOrder(context, request, { quote, claim, provider })
      if (outcome.kind === 'placed') return outcome.order
      if (outcome.kind === 'exists') {
        if (outcome.order.claim !== claim) await giveUp(context, claim)
        return await joinOrder(context, outcome.order, request)
      }
      // Somebody gave this hold up while we were deciding. Once catalog has it back, the next attempt gets a new one.
      await giveUp(context, claim)
    } catch (error) {
      await giveUp(context, claim)
      throw error
    }
  }
  throw checkoutLostItsGoods()
}

/** A cart that is gone may have become an order while we asked. */
async function quoteOrOrder(
  { db, messaging }: OrdersContext,
  { cartId, details, actorToken, customerId }: CheckoutRequest,
): Promise<Quote | { order: StoredOrder }> {
  const { address, shippingMethod } = details
  try {
    return await ask(messaging, QuoteCart, { cartId, address, shippingMethod }, { actorToken })
  } catch (error) {
    const order = error instanceof Refusal && error.code === 'cart_not_found' && (await findOrderOfCart(db, cartId))
    // What a customer bought is not there for anybody else, however he came to know the cart.
    if (order && (order.customerId === null || order.customerId === customerId)) return { order }
    throw error
  }
}

/** Holds the goods. @returns the claim @throws Refusal `out_of_stock` with the shortfall of each line */
async function reserve({ messaging, reservationTtlSeconds }: OrdersContext, quote: Quote): Promise<string> {
  const lines = quote.lines.map(({ variantId, quantity }) => ({ variantId, quantity }))
  const reservationId = reservationIdOf(quote.cartId, lines)
  const answer = await ask(messaging, ReserveInventory, { reservationId, lines, ttlSeconds: reservationTtlSeconds })
  if (answer.held) return answer.claim
  throw outOfStock(answer.shortfalls.flatMap((shortfall) => shortLines(quote, shortfall)))
}

function reservationIdOf(cartId: string, lines: readonly { variantId: string; quantity: number }[]): string {
  const content = lines.map(({ variantId, quantity }) => `${variantId}:${quantity}`).toSorted()
  return `res_${createHash('sha256')
    .update([cartId, ...content].join('\n'))
    .digest('hex')
    .slice(0, 40)}`
}

function shortLines(quote: Quote, { variantId, wanted, available }: Shortfall) {
  return quote.lines
    .filter((line) => line.variantId === variantId)
    .map(({ id, title, options }) => ({ lineId: id, variantId, title, options, wanted, available }))
}

type Outcome = { kind: 'placed' | 'exists'; order: StoredOrder } | { kind: 'abandoned' }

async function placeOrder(
  { db, clock }: OrdersContext,
  request: CheckoutRequest,
  { quote, claim, provider }: { quote: Quote; claim: string; provider: string },
): Promise<Outcome> {
  const { numberPrefix, locale } = quote.terms
  const { cartId, customerId, currency: _currency, terms: _terms, discountClaim, ...amounts } = quote
  const now = clock.now()
  const draft: OrderDraft = {
    id: newId('order'),
    cartId,
    customerId: customerId ?? null,
    email: request.details.email,
    status: 'placed',
    placedAt: now,
    document: { ...amounts, shippingAddress: request.details.address, locale },
    payment: { provider, status: 'pending', method: null, reference: null },
    claim,
    discountClaim: discountClaim ?? null,
    attention: null,
    capturedMinor: 0,
  }
  return transaction(db, async (tx): Promise<Outcome> => {
    const secretHashes = request.secrets.map(hashSecret)
    const { claimed, number } = await insertOrder(tx, draft, { numberPrefix, secretHashes })
    if (number === undefined) {
      const existing = await findOrderOfCart(tx, cartId)
      if (!existing) return { kind: 'abandoned' }
      // Rolls the claim back: it belongs to no order of ours.
      if (claimed) throw new CartHasOrder(existing)
      return { kind: 'exists', order: existing }
    }
    const order = { ...draft, number, tracking: null, refunds: [], refundedMinor: 0, restockedAt: null }
    await publish(
      tx,
      OrderPlaced,
      {
        order: publicOrder(order),
        cartId,
        ...(customerId === undefined ? {} : { customerId }),
        ...(discountClaim === undefined ? {} : { discountClaim }),
        reservation: { id: claim.slice(0, claim.lastIndexOf('.')), claim },
        locale,
      },
      now,
    )
    return { kind: 'placed', order }
  }).catch((error: unknown) => {
    if (error instanceof CartHasOrder) return { kind: 'exists', order: error.order }
    throw error
  })
}

class CartHasOrder extends Error {
  readonly order: StoredOrder

  constructor(order: StoredOrder) {
    super('the cart has an order')
    this.order = order
  }
}

/** A request that lost the race to one beside it placed the same cart: its browser may see the order just as well. */
async function joinOrder({ db }: OrdersContext, order: StoredOrder, request: CheckoutRequest): Promise<StoredOrder> {
  await grant(db, order.id, request.secrets)
  return order
}

/**
 * Undoes a reservation. First it is written down that no order stands on it: if the transaction whose failure brought us
 * here did commit after all, its own record is found and the goods stay. What cannot be undone now, the deadline undoes.
 */
async function giveUp({ db, messaging, clock, log }: OrdersContext, claim: string): Promise<void> {
  try {
    await abandonClaims(db, [claim], clock.now())
    const [verdict] = await findVerdicts(db, [claim])
    if (verdict?.verdict === 'abandoned') await ask(messaging, ReleaseInventory, { claim })
  } catch (error) {
    if (!isOutage(error)) throw error
    log.warn({ err: error, claim }, 'a reservation could not be given up and waits for its deadline')
  }
}
