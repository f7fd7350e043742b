import { sendRequest, replyTo, type Messaging } from '@storefront/messaging'
import { HttpError } from '@storefront/service'
import {
  Address,
  newId,
  Order,
  OrderCancelled,
  OrderPlaced,
  QuoteCart,
  ReleaseDiscount,
  SettleClaims,
  type EventDefinition,
  type Quote,
} from '@storefront/contracts'
import type { StoredLine } from '../src/cart/stored-cart.ts'
import { consumed, publishEvent } from './events.ts'
import { usd, type Shop } from './shop.ts'

export interface Holding {
  email?: string
  ttlSeconds?: number
  headers?: { 'x-actor': string }
  onBehalf?: true
  paid?: true
  address?: Partial<Address>
}

export type Orders = Awaited<ReturnType<typeof simulateOrders>>

/** The simulated orders service: it quotes carts, settles claims and publishes order events. */
export async function simulateOrders(shop: Shop) {
  const messaging = await shop.suite.openMessaging('orders')
  const ordered = new Set<string>()
  const settled: string[] = []
  let isSettling = false

  /** Publishes an order event; resolves when cart has consumed it. */
  const publish = async <Data>(event: EventDefinition<string, Data>, data: Data): Promise<void> =>
    consumed(shop, await publishEvent(messaging, event, data))

  return {
    /** Every claim in a settle request. */
    settled,
    /** Quotes a cart and holds a redemption of its code. */
    hold: (cartId: string, holding: Holding = {}) => hold(messaging, cartId, holding),
    release: async (claim: string) => (await sendRequest(messaging, ReleaseDiscount, { claim })).released,
    placed: async (
      cartId: string,
      discountClaim?: string,
      { email = 'ada@mail.example', ...owner }: { email?: string; customerId?: string } = {},
    ) =>
      publish(OrderPlaced, {
        order: { ...order(await linesOf(shop, cartId)), email },
        cartId,
        ...owner,
        reservation: { id: 'res_1', claim: 'res_1.1' },
        ...(discountClaim === undefined ? {} : { discountClaim }),
        locale: 'en-US',
      }),
    cancelled: (cartId: string, discountClaim?: string) =>
      publish(OrderCancelled, {
        orderId: newId('order'),
        number: 'SF-10001',
        cartId,
        ...(discountClaim === undefined ? {} : { discountClaim }),
      }),
    /** From now on claims are settled: these are ordered, and all others abandoned. */
    startSettling(claims: readonly string[] = []) {
      for (const claim of claims) ordered.add(claim)
      if (isSettling) return
      isSettling = true
      const context = { messaging, log: shop.suite.log, verifyActor: () => undefined }
      replyTo(context, SettleClaims, async (request) => {
        settled.push(...request.claims)
        return {
          verdicts: request.claims.map((claim) => ({
            claim,
            verdict: ordered.has(claim) ? ('ordered' as const) : ('abandoned' as const),
          })),
        }
      })
    },
  }
}

function hold(
  messaging: Messaging,
  cartId: string,
  { email = 'ada@mail.example', ttlSeconds = 600, headers, onBehalf, paid, address = {} }: Holding,
): Promise<Quote> {
  return sendRequest(
    messaging,
    QuoteCart,
    {
      cartId,
      address: Address.parse(address),
      shippingMethod: '',
      hold: { email, ttlSeconds },
      ...(onBehalf && { onBehalf }),
      ...(paid && { paid }),
    },
    { actorToken: headers?.['x-actor'] },
  )
}

/** Requests the price of a cart, as orders does at a checkout. */
export function quoteCart(orders: Messaging, cartId: string, headers: { 'x-actor'?: string } = {}): Promise<Quote> {
  return sendRequest(
    orders,
    QuoteCart,
    { cartId, address: Address.parse({ country: 'US' }), shippingMethod: '' },
    { actorToken: headers['x-actor'] },
  )
}

/** The lines of a cart, as they would be ordered. */
async function linesOf(shop: Shop, cartId: string) {
  const [cart] = await shop.suite.sql<{ lines: StoredLine[] }>('select lines from cart.carts where id = $1', [cartId])
  return (cart?.lines ?? []).map(({ id, variantId, quantity, remembered: { price, ...facts } }) => ({
    ...facts,
    id,
    variantId,
    quantity,
    unitPrice: price,
    lineTotal: usd(price.amount * quantity),
  }))
}

function order(lines: readonly unknown[]) {
  return Order.parse({
    id: newId('order'),
    number: 'SF-10001',
    status: 'placed',
    placedAt: new Date().toISOString(),
    lines,
    subtotal: usd(4000),
    discount: usd(0),
    shipping: usd(0),
    tax: usd(0),
    total: usd(4000),
    shippingAddress: Address.parse({}),
    shippingMethod: '',
    email: 'ada@mail.example',
    payment: { provider: 'demo', status: 'pending' },
    refunds: [],
    refundedTotal: usd(0),
  })
}

/** The event of orders for an order of these lines of a cart. */
export function placedOrder(cartId: string, lines: readonly unknown[]) {
  const reservation = { id: 'res_1', claim: 'res_1.1' }
  return OrderPlaced.data.parse({ order: order(lines), cartId, reservation, locale: 'en-US' })
}

/** The error of a request; fails when it succeeded. */
export async function rejectionOf(request: Promise<unknown>) {
  const outcome: unknown = await request.then(
    () => new Error('the request succeeded'),
    (error: unknown) => error,
  )
  if (!(outcome instanceof HttpError)) throw outcome
  const { status, code, message, detail } = outcome
  return { status, code, message, detail }
}
