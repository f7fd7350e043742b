import { Redis } from 'ioredis'
import { replyTo, type Messaging } from '@storefront/messaging'
import { readConfig, systemClock, type Clock, type Log } from '@storefront/service'
import {
  PRICE_FIELDS,
  priceEntryKey,
  priceSettingsKey,
  CheckRestrictions,
  Cart,
  ErrorBody,
  ReadPrices,
  type PriceEntry,
  type PriceFacts,
  type PriceSettings,
} from '@storefront/contracts'
import { callerOf, createSuite, priceSettings, waitFor, type Suite, type TestResponse } from '@storefront/tools/testing'
import { CartConfig } from '../src/config.ts'
import { startCart, type RunningCart } from '../src/start.ts'

export type { TestResponse }

export const usd = (amount: number) => ({ amount, currency: 'USD' })

export interface Shop {
  suite: Suite
  cart: RunningCart
  shelf: Awaited<ReturnType<typeof openShelf>>
  call: ReturnType<typeof callerOf>
  /** A new guest's cart with these variants in it. */
  cartWith(lines?: Record<string, number>, headers?: object): Promise<Cart>
  stop(): Promise<void>
}

/** One running cart service on a database of its own, with a catalog simulated by the test. */
export async function createShop(
  options: { env?: Record<string, string>; clock?: Clock; redisUrl?: string } = {},
): Promise<Shop> {
  const suite = await createSuite('cart')
  const redisUrl = options.redisUrl ?? suite.redisUrl
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 0, enableOfflineQueue: true })
  redis.on('error', () => {})
  const shelf = await openShelf(redis, suite.namespace, await suite.openMessaging('catalog'), suite.log)
  const env = { ...suite.env('cart'), REDIS_URL: redisUrl, PORT: '0', ...options.env }
  const cart = await startCart(readConfig(CartConfig, env), suite.log, options.clock ?? systemClock)

  const call = callerOf(cart.app)
  await waitFor('the price projection', async () => (await call('POST', '/carts')).status === 200)

  return {
    suite,
    cart,
    shelf,
    call,
    async cartWith(lines = {}, headers = {}) {
      let filled = cartOf(await call('POST', '/carts', { fresh: true }, headers))
      for (const [variantId, quantity] of Object.entries(lines)) {
        const body = { variant_id: variantId, quantity }
        filled = cartOf(await call('POST', `/carts/${filled.id}/lines`, body, headers))
      }
      return filled
    },
    async stop() {
      await cart.stop()
      redis.disconnect()
      await suite.stop()
    },
  }
}

/** The simulated catalog: it has the price projection in Redis, and replies with the same over NATS. */
async function openShelf(redis: Redis, namespace: string, catalog: Messaging, log: Log) {
  const entries = new Map<string, PriceEntry>()
  let settings = priceSettings()
  let requests = 0
  let gate: Promise<void> | undefined

  replyTo({ messaging: catalog, log, verifyActor: () => undefined }, ReadPrices, async ({ variantIds }) => {
    requests++
    const found = variantIds.flatMap((variantId) => entries.get(variantId) ?? [])
    const result = { entries: found, settings }
    await gate
    return result
  })
  const lacking = new Map<string, { field: 'categories' | 'products'; name: string; suggestion?: string }>()
  const checked: string[][] = []
  replyTo({ messaging: catalog, log, verifyActor: () => undefined }, CheckRestrictions, async (requests) => {
    const names = (['categories', 'products'] as const).flatMap((field) =>
      requests[field].map((name) => `${field} ${name}`),
    )
    checked.push([...requests.categories, ...requests.products])
    const unknown = names.flatMap((name) => lacking.get(name) ?? [])
    return { unknown, total: unknown.length }
  })
  await (await catalog.opened).flush()

  const { facts, factsVersion, stock, stockVersion } = PRICE_FIELDS
  async function write(entry: PriceEntry): Promise<void> {
    await redis.hset(priceEntryKey(namespace, entry.variantId), {
      [facts]: JSON.stringify(entry.facts),
      [factsVersion]: entry.factsVersion,
      [stock]: entry.inventory,
      [stockVersion]: entry.stockVersion,
    })
  }
  async function writeSettings(): Promise<void> {
    const row = { version: settings.version, settings: JSON.stringify(settings) }
    await redis.hset(priceSettingsKey(namespace), row)
  }
  await writeSettings()

  return {
    /** Puts a variant into the price projection, or changes its entry, under the next version or this one. */
    async put(
      variantId: string,
      {
        inventory,
        factsVersion: version,
        ...change
      }: Partial<PriceFacts> & { inventory?: number; factsVersion?: number } = {},
    ) {
      const before = entries.get(variantId)
      const entry: PriceEntry = {
        variantId,
        facts: { ...(before?.facts ?? shirt(variantId)), ...change },
        factsVersion: version ?? (before?.factsVersion ?? 0) + 1,
        inventory: inventory ?? before?.inventory ?? 10,
        stockVersion: (before?.stockVersion ?? 0) + 1,
      }
      entries.set(variantId, entry)
      await write(entry)
    },
    /** Removes a variant from the price projection, as if its product was deleted. */
    async remove(variantId: string) {
      entries.delete(variantId)
      await redis.del(priceEntryKey(namespace, variantId))
    },
    /** Keeps a variant only on NATS: Redis does not have it. */
    async deleteInRedis(variantId: string) {
      await redis.del(priceEntryKey(namespace, variantId))
    },
    /** Writes a variant to Redis without its SKU, as the previous version did. @returns what restores it */
    async dropSkuInRedis(variantId: string) {
      const entry = entries.get(variantId)
      if (!entry) throw new Error(`unknown variant: ${variantId}`)
      const { sku: _sku, ...facts } = entry.facts
      await write({ ...entry, facts })
      return () => write(entry)
    },
    /** Changes the settings, under the next version if the change has none. */
    async configure(change: Partial<PriceSettings>) {
      settings = { ...settings, version: settings.version + 1, ...change }
      await writeSettings()
    },
    /** How often the price projection was requested over NATS. */
    requests: () => requests,
    /** Makes a product or category unknown to the catalog, with what it suggests instead. */
    lack(field: 'categories' | 'products', name: string, suggestion?: string) {
      lacking.set(`${field} ${name}`, { field, name, ...(suggestion !== undefined && { suggestion }) })
    },
    /** The names in requests about discounts, one array per request. */
    checked: () => checked,
    /** Ends the catalog's connection: from now on it replies to nothing. */
    leave: () => catalog.close(),
    /** Holds every reply over NATS until the returned function is called. */
    holdResponses() {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return () => {
        gate = undefined
        resolve()
      }
    },
  }
}

function shirt(variantId: string): PriceFacts {
  return {
    productId: 'prod_1',
    productSlug: 'linen-shirt',
    sku: `LS-${variantId}`,
    title: `Linen shirt ${variantId}`,
    options: { Size: 'M' },
    image: { url: '/media/shirt.svg', alt: 'A linen shirt' },
    price: usd(4000),
    categories: ['shirts'],
    published: true,
  }
}

/** The cart in a response; fails when the response is not a cart. */
export function cartOf({ status, body }: TestResponse): Cart {
  if (status !== 200) throw new Error(`the status is ${status}: ${JSON.stringify(body)}`)
  return Cart.parse(body)
}

/** The parts of an error that a client acts on; fails when the response is not a well-formed error. */
export function errorOf({ status, body }: TestResponse) {
  const { code, message, detail } = ErrorBody.parse(body)
  return { status, code, message, detail }
}

/** The lines of a cart, as `[variant, quantity]`. */
export const contentOf = (cart: Cart): [string, number][] =>
  cart.lines.map(({ variantId, quantity }) => [variantId, quantity])
