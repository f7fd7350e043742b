import { actorVerifier, readConfig, HttpError, systemClock } from '@storefront/service'
import { replyTo, openMessaging, type Messaging } from '@storefront/messaging'
import { newSecret } from '@storefront/http'
import {
  ErrorBody,
  newId,
  Order,
  QuoteCart,
  ReadDocumentSettings,
  ReleaseDiscount,
  ReleaseInventory,
  ReserveInventory,
  type CartLine,
  type Quote,
  type ServiceName,
  type TaxTerms,
} from '@storefront/contracts'
import type { z } from 'zod'
import { browserCookie } from '@storefront/http/testing'
import { createSuite, waitFor, waitForLock, type Suite } from '@storefront/tools/testing'
import { OrdersConfig } from '../src/config.ts'
import type { PaymentProviders } from '../src/payments/providers.ts'
import { startOrders, type RunningOrders } from '../src/start.ts'
import { simulateProvider, type SimulatedProvider } from './simulated-provider.ts'
import { openStock, type Stock } from './stock.ts'

export const usd = (amount: number) => ({ amount, currency: 'USD' })
export const ANONYMOUS = {}

export interface TestResponse {
  status: number
  headers: Record<string, unknown>
  body: unknown
  /** The browser id that came with the response. */
  browser: string | undefined
}

export interface FakeCart {
  id: string
  lines: CartLine[]
  customerId?: string
  checkoutMode?: string
  checkoutProvider?: string
  /** The name of its discount redemption: each hold of it is a generation of this name. */
  discount?: string
  /** Guests' carts that were merged into it. */
  mergedCartIds?: string[]
  /** Lines that were merged into its own. */
  formerLineIds?: string[]
  /** Whether a discount and free shipping leave nothing to pay. */
  isFree?: boolean
  taxTerms?: TaxTerms
  /** Whether its prices contain the tax. */
  isTaxIncluded?: boolean
  /** The cart's own error for every quote. */
  error?: HttpError
}

/** The services beside orders, as simulated by the test. */
export interface Neighbors {
  stock: Stock
  /** Claims that orders released. */
  released: string[]
  /** The requests to cart, oldest first. */
  quotes: z.output<typeof QuoteCart.request>[]
  /** How often reservations were requested. */
  reservations(): number
  /** Adds a cart with these variants, one line each, to the simulated cart service. */
  addCart(lines?: Record<string, number>, more?: Partial<FakeCart>): FakeCart
  /** Runs before each reply of the simulated services, with the new claim if there is one. */
  hooks: {
    beforeQuote?: (() => Promise<void>) | undefined
    beforeReserved?: ((claim: string) => Promise<void>) | undefined
    beforeShort?: (() => Promise<void>) | undefined
  }
  /** What is special about the goods of draft orders, which a test may change. */
  goods: Partial<FakeCart>
  catalog: Messaging
  /** What catalog replies about the shop, which a test may replace. */
  about: { settings: z.output<typeof ReadDocumentSettings.reply> }
  stop(): Promise<void>
}

export interface Shop extends Neighbors {
  suite: Suite
  orders: RunningOrders
  providers: Record<'demo' | 'stripe' | 'razorpay', SimulatedProvider>
  call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: object,
  ): Promise<TestResponse>
  checkOut(cartId: string, body?: unknown, headers?: object): Promise<TestResponse>
  /** Releases all goods, removes the hooks, and restores the providers. */
  reset(): void
}

export const BUYER = {
  email: 'ada@mail.example',
  shipping_address: { name: 'Ada', line1: '1 Way', city: 'LA', region: 'CA', postalCode: '90001', country: 'us' },
  shipping_method: 'standard',
}

/** One running orders service with its own database, between services that the test simulates. */
export async function createShop(
  options: {
    env?: Record<string, string>
    natsUrlFor?: (service: ServiceName) => string
    suite?: Suite
    /** Replaces the simulated ones; `real` are those that the environment configures. */
    providers?: PaymentProviders | 'real'
  } = {},
): Promise<Shop> {
  const suite = options.suite ?? (await createSuite('orders'))
  const natsUrlFor = options.natsUrlFor ?? ((service) => suite.env(service)['NATS_URL'] ?? '')
  const neighbors = await simulateNeighbors(suite, natsUrlFor)
  const env = {
    ...suite.env('orders'),
    NATS_URL: natsUrlFor('orders'),
    PORT: '0',
    // This limit is off, because one machine sends the requests of all buyers.
    UNPAID_CHECKOUTS_PER_ADDRESS: '0',
    ...options.env,
  }
  const providers = {
    demo: simulateProvider('demo'),
    stripe: simulateProvider('stripe'),
    razorpay: simulateProvider('razorpay'),
  }
  const orders = await startOrders(readConfig(OrdersConfig, env), suite.log, systemClock, {
    providers: options.providers === 'real' ? undefined : (options.providers ?? new Map(Object.entries(providers))),
  })

  const call: Shop['call'] = async (method, path, body, headers = {}) => {
    const response = await orders.app.inject({
      method,
      url: path,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    const browser = response.cookies.find(({ name }) => name.endsWith('store_browser'))?.value
    return { status: response.statusCode, headers: response.headers, body: response.json<unknown>(), browser }
  }
  const checkOut: Shop['checkOut'] = (cartId, body = BUYER, headers = {}) =>
    call('POST', `/carts/${cartId}/checkout`, body, headers)
  await waitFor('NATS', async () => (await checkOut('cart_nothing')).status === 404)

  return {
    ...neighbors,
    suite,
    orders,
    providers,
    call,
    checkOut,
    reset() {
      Object.assign(neighbors.hooks, { beforeQuote: undefined, beforeReserved: undefined, beforeShort: undefined })
      for (const claim of neighbors.stock.held()) neighbors.stock.release(claim)
      for (const provider of Object.values(providers)) provider.reset()
    },
    async stop() {
      await orders.stop()
      await neighbors.stop()
      await suite.stop()
    },
  }
}

/** Simulates cart and catalog on NATS, with their permissions there. */
export async function simulateNeighbors(
  suite: Suite,
  natsUrlFor = (service: ServiceName) => suite.env(service)['NATS_URL'] ?? '',
): Promise<Neighbors> {
  const [cart, catalog] = await Promise.all(
    (['cart', 'catalog'] as const).map(async (service) => {
      const { namespace, log } = suite
      const messaging = openMessaging({ url: natsUrlFor(service), service, namespace, log })
      await messaging.opened
      return messaging
    }),
  )
  if (!cart || !catalog) throw new Error('cart or catalog was not opened')
  const verifyActor = actorVerifier(suite.env('cart')['ACTOR_PUBLIC_KEY'] ?? '', systemClock)
  const carts = new Map<string, FakeCart>()
  const stock = openStock()
  const released: string[] = []
  const hooks: Neighbors['hooks'] = {}
  const goods: Neighbors['goods'] = {}
  const quotes: Neighbors['quotes'] = []
  /** The current generation of each discount redemption. */
  const generations = new Map<string, number>()
  let reservations = 0

  replyTo({ messaging: cart, log: suite.log, verifyActor }, QuoteCart, async (request, { actor }) => {
    quotes.push(request)
    await hooks.beforeQuote?.()
    const found = request.goods ? cartOfGoods(request, goods) : carts.get(request.cartId)
    const isTheirs = actor.kind === 'customer' && actor.customerId === found?.customerId
    if (!found || (found.customerId !== undefined && !isTheirs && !request.onBehalf))
      throw new HttpError('cart_not_found', 'This cart no longer exists.')
    if (found.error) throw found.error
    const quote = quoteOf(found, request.shippingMethod)
    if (found.discount === undefined || !request.hold) return quote
    return { ...quote, discountClaim: `${found.discount}.${generations.get(found.discount) ?? 1}` }
  })
  replyTo({ messaging: cart, log: suite.log, verifyActor }, ReleaseDiscount, async ({ claim }) => {
    released.push(claim)
    const [name = '', generation] = claim.split('.')
    generations.set(name, Number(generation) + 1)
    return { released: true }
  })
  replyTo({ messaging: catalog, log: suite.log, verifyActor }, ReserveInventory, async (request) => {
    reservations++
    const result = stock.reserve(request)
    await (result.held ? hooks.beforeReserved?.(result.claim) : hooks.beforeShort?.())
    return result
  })
  replyTo({ messaging: catalog, log: suite.log, verifyActor }, ReleaseInventory, async ({ claim }) => {
    released.push(claim)
    return { released: stock.release(claim) }
  })
  const about: Neighbors['about'] = { settings: { storeName: 'Linen & Co', timeZone: 'UTC', shippingMethods: [] } }
  replyTo({ messaging: catalog, log: suite.log, verifyActor }, ReadDocumentSettings, async () => about.settings)
  await Promise.all([cart, catalog].map(async (one) => (await one.opened).flush()))

  return {
    stock,
    released,
    quotes,
    hooks,
    goods,
    catalog,
    about,
    reservations: () => reservations,
    addCart(lines = { var_m: 1 }, more = {}) {
      const cartLines = Object.entries(lines).map(([variantId, quantity]) => cartLine({ variantId, quantity }))
      const made = { id: newId('cart'), lines: cartLines, ...more }
      carts.set(made.id, made)
      return made
    },
    async stop() {
      await cart.close()
      await catalog.close()
    },
  }
}

function cartOfGoods({ cartId, goods }: z.output<typeof QuoteCart.request>, more: Partial<FakeCart>): FakeCart {
  const lines = (goods?.lines ?? []).map(({ id, variantId, quantity }) => cartLine({ id, variantId, quantity }))
  return { id: cartId, lines, ...more }
}

/** A line of a cart, one shirt for 40 dollars, with what a test changes. */
export function cartLine(changes: Partial<CartLine> = {}): CartLine {
  const { variantId = 'var_m', quantity = 1, unitPrice = usd(4000) } = changes
  return {
    id: newId('line'),
    variantId,
    productSlug: 'linen-shirt',
    title: 'Linen shirt',
    options: { Color: 'Sand', Size: variantId.replace('var_', '').toUpperCase() },
    image: { url: '/media/shirt.svg', alt: 'A linen shirt' },
    quantity,
    unitPrice,
    lineTotal: usd(unitPrice.amount * quantity),
    ...changes,
  }
}

const CHARGES = { shipping: 600, tax: 320, discount: 0 }

function quoteOf(cart: FakeCart, shippingMethod: string): Quote {
  const subtotal = cart.lines.reduce((sum, { lineTotal }) => sum + lineTotal.amount, 0)
  const due = cart.isFree
    ? { shipping: 0, tax: 0, total: 0, discount: subtotal }
    : { ...CHARGES, total: subtotal + 920 - (cart.isTaxIncluded ? CHARGES.tax : 0) }
  return {
    cartId: cart.id,
    ...(cart.mergedCartIds === undefined ? {} : { mergedCartIds: cart.mergedCartIds }),
    ...(cart.formerLineIds === undefined ? {} : { formerLineIds: cart.formerLineIds }),
    ...(cart.customerId === undefined ? {} : { customerId: cart.customerId }),
    currency: 'USD',
    lines: cart.lines,
    subtotal: usd(subtotal),
    discount: usd(due.discount),
    shipping: usd(due.shipping),
    tax: usd(due.tax),
    ...(cart.taxTerms && { taxTerms: cart.taxTerms }),
    total: usd(due.total),
    shippingMethod,
    terms: {
      checkoutMode: cart.checkoutMode ?? 'demo',
      numberPrefix: 'SF-',
      locale: 'en-US',
      checkoutProvider: cart.checkoutProvider ?? 'demo',
      storeName: 'Shop',
      ...(cart.checkoutMode === 'razorpay' ? { razorpayKeyId: 'rzp_test_key' } : {}),
    },
  }
}

/** The order of a response; fails when the response is not an order. */
export function orderOf({ status, body }: Pick<TestResponse, 'status' | 'body'>): Order {
  if (status !== 200) throw new Error(`the status is ${status}: ${JSON.stringify(body)}`)
  return Order.parse(body)
}

/** The parts of an error that a client uses; fails when the response is not a well-formed error. */
export function errorOf({ status, body }: Pick<TestResponse, 'status' | 'body'>) {
  const { code, message, detail } = ErrorBody.parse(body)
  return { status, code, message, detail }
}

/** The cookie of a browser, as a reply set it. */
export const cookie = (browser: string | undefined) => ({ cookie: `store_browser=${browser}` })

/** The cookie of a browser of this name, as the cart service sets it, without access to any order. */
export function newBrowser({ suite }: Shop, name: string = newSecret()): string {
  return browserCookie(name, suite.env('orders')['BROWSER_COOKIE_KEY'] ?? '')
}

/** Waits until an insert of an order waits for a lock. @returns the process id of its connection */
export const waitForInsert = (suite: Suite) => waitForLock(suite, 'insert into orders ')

/** Waits until the search has indexed every order. */
export const searchIndexed = (suite: Suite) =>
  waitFor('the search', async () => (await suite.sql('select from orders.order_search_queue')).length === 0)

/** Stops the relay from publishing until the returned function is called, as if another replica was relaying. */
export async function holdRelay(suite: Suite): Promise<() => Promise<void>> {
  await suite.sql(`select pg_advisory_lock(hashtext('relay'), hashtext('orders'))`)
  return async () => void (await suite.sql(`select pg_advisory_unlock(hashtext('relay'), hashtext('orders'))`))
}

/** The triggers that queue an order for the search, the buyers and the sales. */
const QUEUEING = [
  'queue_order_search',
  'queue_changed_order_search',
  'keep_order_search_status',
  'queue_new_buyer',
  'queue_changed_buyer',
  'count_begun_order',
]

/** Stops orders from being queued for that until the returned function is called: many copies would be much work. */
export async function stopQueueing(suite: Suite): Promise<() => Promise<void>> {
  const all = (change: 'disable' | 'enable') =>
    suite.sql(`alter table orders.orders ${QUEUEING.map((name) => `${change} trigger ${name}`).join(', ')}`)
  await all('disable')
  return async () => void (await all('enable'))
}
