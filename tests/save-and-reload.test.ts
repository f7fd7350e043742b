import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Product } from '@storefront/contracts'
import { amount, waitFor, waitForLock } from '@storefront/tools/testing'
import {
  FIRST_PAGE,
  HOME,
  importOf,
  importOfOther,
  importOfOthers,
  railKey,
  seededStates,
  VIEWS,
  type View,
  SLUG,
} from './support/edited-product.ts'
import { holdLock } from './support/hold-lock.ts'
import { openShop, type TestShop } from './support/shop.ts'
import type { TestResponse, TestClient } from './support/test-client.ts'

/** Ten have a save of each kind (`editOf`). */
const SAVES = amount({ quick: 10, long: 200 })
/** Shoppers who read what the merchant reads. */
const SAME_READERS = amount({ quick: 1, long: 2 })
/** Between two requests of a shopper, who would otherwise keep the processor busy until the last save. */
const PAUSE_MS = amount({ quick: 5, long: 0 })

const Item = z.object({
  slug: z.string(),
  price: z.object({ amount: z.int() }),
  variants: z.array(z.object({ inventory: z.int() })),
})
const List = z.object({ items: z.array(Item) })
const Bootstrap = z.object({ rails: z.record(z.string(), z.array(Item)) })

const states = seededStates(SAVES)

let shop: TestShop

beforeAll(async () => {
  shop = await openShop()
  await save({ mode: 'merge', settings: { home: HOME } })
  await save(importOfOthers())
  await save(importOf(stateAt(0)))
})

afterAll(() => shop.stop())

async function save(body: unknown): Promise<void> {
  const { status, body: reply } = await shop.admin.post('/admin/import', body)
  expect(status, JSON.stringify(reply)).toBe(200)
}

async function patch(path: string, body: unknown): Promise<void> {
  const { status, body: reply } = await shop.admin.call('PATCH', path, body)
  expect(status, JSON.stringify(reply)).toBe(200)
}

function stateAt(version: number) {
  const state = states[version]
  if (!state) throw new Error(`nothing was saved ${version} times`)
  return state
}

const cacheOutcome = ({ headers }: TestResponse) => headers.get('x-cache')

/** Requests an address until its response comes from the edge cache. */
async function warm(client: TestClient, address: string): Promise<void> {
  if (cacheOutcome(await client.get(address)) === 'HIT') return
  await waitFor(`${address} in the edge cache`, async () => cacheOutcome(await client.get(address)) === 'HIT')
}

describe('a merchant who saves and reloads', () => {
  /** How many saves were sent, and how many had a response: the state of those in between may be visible or not. */
  const saves = { begun: 0, confirmed: 0 }

  /**
   * Requests all views repeatedly while the merchant saves.
   * @param views the views of this shopper
   * @param addressOf the address of a view, where another address means another cache entry
   * @returns the number of responses, and those that were neither old nor new, or old after new
   */
  async function keepReading(isOver: () => boolean, views: readonly View[], addressOf: (view: View) => string) {
    const client = shop.client()
    const seen = new Map<string, number>()
    const faults: unknown[] = []
    let responses = 0
    while (!isOver()) {
      for (const view of views) {
        const address = addressOf(view)
        const oldest = Math.max(saves.confirmed, seen.get(address) ?? 0)
        const response = await client.get(address)
        responses++
        const shown = view.read(response)
        const newest = saves.begun
        const version = versionShown(view, shown, oldest, newest)
        if (version !== undefined) seen.set(address, version)
        else {
          const kind = versionShown(view, shown, 0, oldest) === undefined ? 'a mixture' : 'old'
          faults.push({ kind, address, oldest, newest, cache: cacheOutcome(response), shown })
        }
        if (PAUSE_MS > 0) await setTimeout(PAUSE_MS)
      }
    }
    return { responses, faults }
  }

  function versionShown(view: View, shown: unknown, oldest: number, newest: number): number | undefined {
    for (let version = oldest; version <= newest; version++) {
      if (isDeepStrictEqual(shown, view.expected(stateAt(version)))) return version
    }
    return undefined
  }

  test('never sees the old state, and no shopper sees it after the new one', async () => {
    const merchant = shop.client()
    let over = false
    const isOver = () => over
    // Some shoppers share the cache entries of the merchant. The others move on to new entries, so that fetches, some
    // of them joined, are in progress whenever a purge arrives.
    const elsewhere = (requestsEach: number) => {
      let requested = 0
      return ({ address }: View) =>
        `${address}${address.includes('?') ? '&' : '?'}visit=${requestsEach}-${Math.floor(requested++ / requestsEach)}`
    }
    const shared = elsewhere(2 * VIEWS.length)
    const shoppers = Promise.allSettled([
      ...Array.from({ length: SAME_READERS }, () => keepReading(isOver, VIEWS, ({ address }) => address)),
      ...[1, 2].map(() => keepReading(isOver, VIEWS, shared)),
      keepReading(isOver, [FIRST_PAGE], elsewhere(1)),
    ])

    try {
      for (let version = 1; version <= SAVES; version++) {
        const before = stateAt(version - 1)
        const state = stateAt(version)
        await Promise.all(
          VIEWS.filter((view) => view.expected(before) !== 'not there').map((view) => warm(merchant, view.address)),
        )
        saves.begun = version
        await save(importOf(state, before))
        saves.confirmed = version
        const shown = await Promise.all(VIEWS.map(async (view) => view.read(await merchant.get(view.address))))
        expect(byAddress(shown), `after save ${version}`).toEqual(byAddress(VIEWS.map((view) => view.expected(state))))
      }
    } finally {
      over = true
      await shoppers
    }
    for (const shopper of await shoppers) {
      expect(shopper).toMatchObject({ status: 'fulfilled', value: { faults: [] } })
      expect(shopper.status === 'fulfilled' && shopper.value.responses).toBeGreaterThan(SAVES)
    }
  })

  test('gets no response that was read before the save and arrives after it', async () => {
    const last = stateAt(saves.confirmed)
    const state = { ...last, category: last.category === 'coats' ? 'shirts' : 'coats', tagline: 'Closing down' }
    const [product] = await shop.sql<{ id: string }>('select id from catalog.products where slug = $1', [SLUG])
    const address = `${FIRST_PAGE.address}?held=1`
    const releaseLock = await holdLock(shop, 'lock table catalog.collections in access exclusive mode')
    const responses = [shop.client().get(address)]
    try {
      await waitForLock(shop, 'collections')
      // This change concerns no collection, and so does not wait for the lock itself.
      await patch(`/admin/products/${product?.id}`, { categories: [state.category] })
      await patch('/admin/storefront', { store: { tagline: state.tagline } })
      responses.push(shop.client().get(address))
    } finally {
      await releaseLock()
    }
    for (const response of [...(await Promise.all(responses)), await shop.client().get(address)]) {
      expect(FIRST_PAGE.read(response)).toEqual(FIRST_PAGE.expected(state))
    }
  })

  const byAddress = (values: unknown[]) =>
    Object.fromEntries(VIEWS.map(({ address }, index) => [address, values[index]]))
})

describe('the edge cache keeps what a change does not affect:', () => {
  const ELSEWHERE = ['/products/plain-bag', '/products?category=bags']

  async function expectHits(client: TestClient, addresses: readonly string[]): Promise<void> {
    const outcomes = await Promise.all(addresses.map(async (each) => [each, cacheOutcome(await client.get(each))]))
    expect(outcomes).toEqual(addresses.map((each) => [each, 'HIT']))
  }

  const inventoryIn = (items: readonly z.output<typeof Item>[]) =>
    items.find(({ slug }) => slug === 'plain-hat')?.variants[0]?.inventory

  test('a sale purges the product and its lists, and not the category tree', async () => {
    const client = shop.client()
    const untouched = ['/categories', '/collections', '/storefront', '/attributes', ...ELSEWHERE]
    const lists = ['/products?category=hats', '/products?per_page=48', '/products?sizes=M', '/products?q=hat']
    const hat = Product.parse((await client.get('/products/plain-hat')).body)
    const before = inventoryIn([hat]) ?? 0
    for (const address of [...untouched, ...lists, '/bootstrap', '/products/plain-hat']) await warm(client, address)

    await client.buy(hat.variants[0]?.id ?? '')
    await waitFor('the sale on the page', async () => (await client.inventory('plain-hat')) === before - 1)

    await expectHits(client, untouched)
    const shown = await Promise.all(lists.map(async (list) => List.parse((await client.get(list)).body)))
    expect(shown.map(({ items }) => inventoryIn(items))).toEqual(lists.map(() => before - 1))
    const { rails } = Bootstrap.parse((await client.get('/bootstrap')).body)
    expect(inventoryIn(rails[railKey('hats')] ?? [])).toBe(before - 1)
  })

  test('a new price purges the page and the lists of the product, and nothing of another', async () => {
    const client = shop.client()
    const lists = ['/products?category=hats', '/products?per_page=48']
    for (const address of [...ELSEWHERE, ...lists, '/products/plain-hat']) await warm(client, address)

    await save(importOfOther('plain-hat', { priceMinor: 3333 }))

    const page = await client.get('/products/plain-hat')
    expect(cacheOutcome(page)).toBe('MISS')
    expect(Item.parse(page.body).price.amount).toBe(3333)
    for (const address of lists) {
      const list = await client.get(address)
      expect(cacheOutcome(list), address).toBe('MISS')
      const { items } = List.parse(list.body)
      expect(items.find(({ slug }) => slug === 'plain-hat')?.price.amount).toBe(3333)
    }
    await expectHits(client, ELSEWHERE)
  })
})

describe('every response of the catalog names its sources for the cache:', () => {
  test.each([
    '/products',
    '/products?category=hats',
    '/products?collection=summer',
    '/products?q=hat',
    '/products/plain-hat',
    '/products/plain-hat/related',
    '/products/plain-hat/reviews',
    '/categories',
    '/categories?tree=0',
    '/collections',
    '/attributes',
    '/size-charts',
    '/delivery-estimate?method=standard&country=US',
    '/bootstrap',
    '/storefront',
    '/media/placeholder.svg',
  ])('%s', async (address) => {
    const response = await fetch(`${shop.shop.url}${address}`)
    await response.arrayBuffer()
    expect(response.status).toBe(200)
    expect(response.headers.get('surrogate-key')).toMatch(/\S/)
  })
})
