import { array, assert, asyncProperty } from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { createDatabase, transaction } from '@storefront/postgres'
import { openRedis } from '@storefront/service'
import {
  PRICE_FIELDS,
  priceEntryKey,
  InventoryUpdated,
  newId,
  OrderPlaced,
  ReleaseInventory,
  ReserveInventory,
  StockMovement,
  Variant,
} from '@storefront/contracts'
import { amount, createSuite, expectLedgerBalanced, lockWaiters, type Suite, waitFor } from '@storefront/tools/testing'
import type { CatalogTables } from '../src/database.ts'
import type { RunningCatalog } from '../src/start.ts'
import { lockStock } from '../src/stock/stock.queries.ts'
import { importCatalogue, shirt, startTestCatalog, usd } from './catalog.ts'
import { placedOrder, publishEvent } from './orders.ts'
import { anyStep, StockModel, type Outcome, type Step } from './stock-model.ts'

/** More connections than writers, so that writers wait for locks and not for connections. */
const MANY_CONNECTIONS = { DATABASE_POOL: '40' }
/** At least one for each test. */
const PRODUCTS = 100

let suite: Suite
let catalog: RunningCatalog
let orders: Messaging
let nextProduct = 0
let slug: string
/** Two sizes with seven of each. */
let small: string
let medium: string

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite, MANY_CONNECTIONS)
  orders = await suite.openMessaging('orders')
  // One import for all tests, because one for each took a third of the time of this file.
  const products = Array.from({ length: PRODUCTS }, (_, index) => shirt(`stocked-${index}`, { inventory: 7 }))
  const imported = await importCatalogue(catalog.app, suite, { products })
  expect(imported.statusCode, imported.payload).toBe(200)
})

afterAll(async () => {
  await expectLedgerBalanced(suite)
  await suite.stop()
})

beforeEach(async () => {
  slug = `stocked-${nextProduct++}`
  const ids = await variantsOf(suite, slug)
  expect(ids, `${slug} of ${PRODUCTS}`).toHaveLength(2)
  ;[small = '', medium = ''] = ids
})

async function stockedShirt(of: string, inventory = 7): Promise<string[]> {
  const imported = await importCatalogue(catalog.app, suite, { products: [shirt(of, { inventory })] })
  expect(imported.statusCode, imported.payload).toBe(200)
  return variantsOf(suite, of)
}

async function variantsOf(where: Suite, of: string): Promise<string[]> {
  const rows = await where.sql<{ id: string }>(
    `select v.id from catalog.variants v join catalog.products p on p.id = v.product_id
     where p.slug = $1 order by v.position`,
    [of],
  )
  return rows.map((row) => row.id)
}

interface Call {
  headers?: Record<string, string>
  where?: { app: RunningCatalog['app']; suite: Suite }
}

const send = (method: 'PATCH' | 'POST', id: string, payload: object, { headers, where }: Call = {}) =>
  (where?.app ?? catalog.app).inject({
    method,
    url: `/admin/variants/${encodeURIComponent(id)}/inventory`,
    headers: headers ?? (where?.suite ?? suite).headers.admin(),
    payload,
  })
const set = (id: string, quantity: unknown, call?: Call) => send('PATCH', id, { quantity }, call)
const adjust = (id: string, delta: unknown, rest: object = {}, call?: Call) =>
  send('POST', id, { delta, ...rest }, call)

const reserve = (variantId: string, quantity: number, reservationId = newId('reservation')) =>
  sendRequest(orders, ReserveInventory, { reservationId, lines: [{ variantId, quantity }], ttlSeconds: 600 })

/** Publishes as orders does that an order was placed on a hold, and waits until it is sold. */
async function sellClaim(id: string, claim: string): Promise<void> {
  await publishEvent(orders, OrderPlaced, placedOrder({ reservation: { id, claim } }))
  await waitFor('the sale', async () => {
    const [row] = await suite.sql<{ status: string }>('select status from catalog.reservations where id = $1', [id])
    return row?.status === 'sold'
  })
}

const stockOf = async (variantId: string) => {
  const [row] = await suite.sql<{ onHand: number; reserved: number }>(
    'select on_hand as "onHand", reserved from catalog.stock where variant_id = $1',
    [variantId],
  )
  return row
}

const Page = z.object({
  items: z.array(StockMovement),
  total: z.int(),
  page: z.int(),
  perPage: z.int(),
  nextCursor: z.string().optional(),
})

const readMovements = (id: string, query: Record<string, string> = {}, headers = suite.headers.admin()) =>
  catalog.app.inject({ url: `/admin/variants/${encodeURIComponent(id)}/movements`, query, headers })

async function movements(id: string, query: Record<string, string> = {}) {
  const response = await readMovements(id, query)
  expect(response.statusCode, response.payload).toBe(200)
  return Page.parse(response.json())
}

/** Merchants' changes of a variant, oldest first. */
const changes = async (id: string) =>
  (await movements(id, { per_page: '100' })).items
    .filter(({ kind }) => kind === 'set' || kind === 'adjusted')
    .map(({ onHandDelta }) => onHandDelta)
    .toReversed()

const ascending = (one: number, other: number) => one - other

/** A variant as its page shows it, without the color that was made for the page. */
const onPage = async (of: string, id: string) => {
  const response = await catalog.app.inject({ url: `/products/${of}` })
  const { variants } = z.object({ variants: z.array(Variant) }).parse(response.json())
  const variant = variants.find((each) => each.id === id)
  const { Color: _made, ...options } = variant?.options ?? {}
  return { ...variant, options }
}

/** Removes one size, as a merchant does who has seen its stock. */
async function removeMedium() {
  const [row] = await suite.sql<{ id: string }>('select id from catalog.products where slug = $1', [slug])
  const url = `/admin/products/${row?.id}`
  const { etag } = (await catalog.app.inject({ url, headers: suite.headers.admin() })).headers
  const headers = { ...suite.headers.admin(), 'if-match': String(etag) }
  return catalog.app.inject({ method: 'DELETE', url: `${url}/variants/${medium}`, headers })
}

describe('setting a quantity', () => {
  test('returns the variant as shoppers see it from then on, and publishes an event', async () => {
    const response = await set(small, 3)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ ...(await onPage(slug, small)), delta: -4 })
    expect(response.json()).toMatchObject({ id: small, inventory: 3, available: true, price: usd(4000) })
    const purged = String(response.headers['surrogate-purge']).split(' ')
    expect(purged).toContain(`product:${slug}`)
    expect(await projectedStock(small)).toBe('3')
    await waitFor('the event', async () =>
      (await suite.eventsOf(InventoryUpdated)).some(
        (event) => event.variantId === small && event.inventory === 3 && event.available,
      ),
    )
  })

  test('contains the actual price and compare-at price of the variant', async () => {
    const priced = `priced-${slug}`
    await importCatalogue(catalog.app, suite, {
      products: [
        {
          slug: priced,
          title: 'Priced',
          price: usd(4000),
          compareAtPrice: usd(5000),
          images: [{ id: 'img-front', url: '/media/front.jpg' }],
          options: [{ name: 'Size', values: ['S', 'M', 'L'] }],
          variants: [
            { options: { Size: 'S' }, inventory: 1 },
            { options: { Size: 'M' }, inventory: 1, price: usd(4500), imageId: 'img-front' },
            { options: { Size: 'L' }, inventory: 1, price: usd(4700), compareAtPrice: usd(6000) },
          ],
        },
      ],
    })
    const ids = await variantsOf(suite, priced)
    expect(ids).toHaveLength(3)
    for (const id of ids) {
      expect((await set(id, 2)).json()).toEqual({ ...(await onPage(priced, id)), delta: 1 })
    }
  })

  test('removes the last size from the lists of available products, and restores it', async () => {
    const inStock = async () => {
      const list = await catalog.app.inject({ url: `/products?in_stock=1&q=${slug}` })
      return z
        .object({ items: z.array(z.object({ slug: z.string() })) })
        .parse(list.json())
        .items.map((item) => item.slug)
    }
    await set(small, 0)
    expect(await inStock()).toContain(slug)
    const emptied = await set(medium, 0)
    expect(emptied.json()).toMatchObject({ inventory: 0, available: false })
    expect(String(emptied.headers['surrogate-purge']).split(' ')).toContain('listing-stock')
    expect(await inStock()).not.toContain(slug)
    await set(small, 1)
    expect(await inStock()).toContain(slug)
  })

  test('does not change reserved units', async () => {
    await reserve(small, 5)
    expect((await set(small, 4)).json()).toMatchObject({ inventory: 4 })
    expect(await stockOf(small)).toEqual({ onHand: 9, reserved: 5 })
    expect((await set(small, 0)).json()).toMatchObject({ inventory: 0, available: false })
    expect(await stockOf(small)).toEqual({ onHand: 5, reserved: 5 })
    expect(await changes(small)).toEqual([7, 2, -4])
  })

  test('writes nothing when the quantity is the same', async () => {
    const before = await movements(small)
    const response = await set(small, 7)
    expect(response.json()).toEqual({ ...(await onPage(slug, small)), delta: 0 })
    expect(response.headers['surrogate-purge']).toBeUndefined()
    expect(await movements(small)).toEqual(before)
    expect(await auditOf(small)).toEqual([])
  })

  test('works on an unpublished product, without an event', async () => {
    const draft = `draft-${slug}`
    await importCatalogue(catalog.app, suite, { products: [shirt(draft, { published: false })] })
    const [id = ''] = await variantsOf(suite, draft)
    expect((await set(id, 5)).json()).toMatchObject({ id, inventory: 5 })
    await adjust(small, 1)
    await waitFor('a later event', async () =>
      (await suite.eventsOf(InventoryUpdated)).some((event) => event.variantId === small && event.inventory === 8),
    )
    expect((await suite.eventsOf(InventoryUpdated)).filter((event) => event.variantId === id)).toEqual([])
  })

  test('is recorded with the actor, before and after', async () => {
    await set(small, 2)
    await adjust(small, 3, { reason: 'found in the back' })
    expect(await auditOf(small)).toEqual([
      { actor: 'user_test', action: 'update', before: { inventory: 2 }, after: { inventory: 5 } },
      { actor: 'user_test', action: 'update', before: { inventory: 7 }, after: { inventory: 2 } },
    ])
  })
})

const auditOf = async (id: string) => {
  const response = await catalog.app.inject({
    url: `/admin/audit?kind=variant&id=${id}`,
    headers: suite.headers.admin(),
  })
  const Entry = z.object({ actor: z.string(), action: z.string(), before: z.unknown(), after: z.unknown() })
  return z.object({ items: z.array(Entry) }).parse(response.json()).items
}

async function projectedStock(variantId: string): Promise<string | null> {
  const redis = openRedis({ url: suite.redisUrl, name: 'test', log: suite.log })
  try {
    return await waitFor('redis', () => redis.status === 'ready').then(() =>
      redis.hget(priceEntryKey(suite.namespace, variantId), PRICE_FIELDS.stock),
    )
  } finally {
    redis.disconnect()
  }
}

describe('adjusting', () => {
  test('adds and takes units, down to zero', async () => {
    expect((await adjust(small, 5)).json()).toMatchObject({ inventory: 12 })
    const emptied = await adjust(small, -12)
    expect(emptied.json()).toEqual(await onPage(slug, small))
    expect(emptied.json()).toMatchObject({ inventory: 0, available: false })
    expect(await projectedStock(small)).toBe('0')
  })

  test('adds up concurrent changes', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => adjust(small, index % 2 === 0 ? 3 : -1)),
    )
    expect(responses.map((response) => response.statusCode)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(await stockOf(small)).toEqual({ onHand: 7 + 10 * 3 - 10, reserved: 0 })
    // Each returned the stock right after it.
    const result = responses.map((response) => Variant.parse(response.json()).inventory)
    const written = (await movements(small, { per_page: '20' })).items.map(({ after }) => after.inventory)
    expect(result.toSorted(ascending)).toEqual(written.toSorted(ascending))
  })

  test('takes no more than can be bought, and then changes nothing', async () => {
    await reserve(small, 4)
    const before = await movements(small)
    const rejected = await adjust(small, -4, { operationId: 'too-many' })
    expect(rejected.statusCode).toBe(409)
    expect(rejected.json()).toMatchObject({
      code: 'insufficient_inventory',
      message: 'Only 3 left of this item.',
      detail: { available: 3 },
    })
    expect(await movements(small)).toEqual(before)
    expect(await stockOf(small)).toEqual({ onHand: 7, reserved: 4 })
    // A rejected operation was not applied: it may be tried again.
    await adjust(small, 1)
    const done = await adjust(small, -4, { operationId: 'too-many' })
    expect(done.json()).toMatchObject({ inventory: 0 })
    expect(done.json().replayed).toBeUndefined()
  })

  test('never takes the last units twice, however many requests try', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => adjust(small, -2)))
    const codes = responses.map((response) => response.statusCode).toSorted(ascending)
    expect(codes).toEqual([...Array.from({ length: 3 }, () => 200), ...Array.from({ length: 17 }, () => 409)])
    expect(await stockOf(small)).toEqual({ onHand: 1, reserved: 0 })
  })
})

describe('an operation', () => {
  test('counts once, even when it is sent twenty times at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => adjust(small, 2, { operationId: 'delivery-1', reason: 'delivery' })),
    )
    const bodies = responses.map((response) => {
      expect(response.statusCode).toBe(200)
      return response.json()
    })
    expect(bodies.filter((body) => body.replayed === undefined)).toHaveLength(1)
    expect(bodies.filter((body) => body.replayed === true)).toHaveLength(19)
    expect(bodies.map((body) => body.inventory)).toEqual(Array.from({ length: 20 }, () => 9))
    expect(await changes(small)).toEqual([7, 2])
    expect(await auditOf(small)).toHaveLength(1)
  })

  test('that is repeated with another delta is the same operation', async () => {
    await adjust(small, 2, { operationId: 'delivery-1' })
    await adjust(small, 1)
    for (const delta of [2, 5, -1000]) {
      const again = await adjust(small, delta, { operationId: 'delivery-1' })
      expect(again.statusCode).toBe(200)
      expect(again.json()).toEqual({ ...(await onPage(slug, small)), replayed: true })
      expect(again.headers['surrogate-purge']).toBeUndefined()
    }
    expect(await changes(small)).toEqual([7, 2, 1])
  })

  test('counts for each variant separately', async () => {
    const [one, other] = await Promise.all([
      adjust(small, 2, { operationId: 'delivery-1' }),
      adjust(medium, 3, { operationId: 'delivery-1' }),
    ])
    expect([one.json(), other.json()]).toMatchObject([{ inventory: 9 }, { inventory: 10 }])
    expect([one.json().replayed, other.json().replayed]).toEqual([undefined, undefined])
  })
})

describe('an invalid quantity', () => {
  const huge = 'x'.repeat(100_000)
  test.each([
    { quantity: -1 },
    { quantity: 1.5 },
    { quantity: '3' },
    { quantity: null },
    { quantity: usd(3) },
    { quantity: [3] },
    { quantity: true },
    { quantity: 1_000_000_001 },
    { quantity: 2 ** 31 },
    { quantity: Number.MAX_SAFE_INTEGER + 1 },
    { delta: 3 },
    {},
  ])('is not set: %j', async (payload) => {
    await expectRejected(await send('PATCH', small, payload), 422)
  })

  test.each([
    { delta: 0 },
    { delta: -0 },
    { delta: 0.5 },
    { delta: '1' },
    { delta: null },
    { delta: usd(1) },
    { delta: { $inc: 1 } },
    { delta: 2 ** 31 },
    { delta: -(2 ** 31) },
    { delta: Number.MAX_SAFE_INTEGER },
    { delta: 1, reason: huge },
    { delta: 1, reason: 5 },
    { delta: 1, reason: 'NUL \u0000' },
    { delta: 1, operationId: '' },
    { delta: 1, operationId: huge },
    { delta: 1, operationId: 'NUL \u0000' },
    { delta: 1, operationId: 7 },
    { delta: 1, operationId: null },
    { quantity: 3 },
  ])('is not adjusted: %#', async (payload) => {
    await expectRejected(await send('POST', small, payload), 422)
  })

  test.each(['1e400', '[[1]]', '"', '', 'null', '[]', `{"delta":1,"reason":${'['.repeat(5000)}${']'.repeat(5000)}}`])(
    'is rejected as a body: %#',
    async (payload) => {
      const response = await catalog.app.inject({
        method: 'POST',
        url: `/admin/variants/${small}/inventory`,
        headers: { ...suite.headers.admin(), 'content-type': 'application/json' },
        payload,
      })
      await expectRejected(response, payload === '"' ? 400 : 422)
    },
  )

  async function expectRejected(response: { statusCode: number; payload: string }, status: number): Promise<void> {
    expect(response.statusCode, response.payload).toBe(status)
    expect(await changes(small)).toEqual([7])
  }

  test('is more than a billion on hand, reserved or not', async () => {
    expect((await set(small, 1_000_000_000)).statusCode).toBe(200)
    const more = await adjust(small, 1)
    expect(more.statusCode).toBe(422)
    expect(more.json()).toMatchObject({ code: 'validation_failed', detail: { issues: [{ path: 'delta' }] } })
    await reserve(small, 100_000)
    const rejected = await set(small, 1_000_000_000)
    expect(rejected.statusCode).toBe(422)
    expect(rejected.json()).toMatchObject({ detail: { issues: [{ path: 'quantity' }] } })
    expect(await stockOf(small)).toEqual({ onHand: 1_000_000_000, reserved: 100_000 })
    expect((await adjust(small, -1)).json()).toMatchObject({ inventory: 999_899_999 })
    expect((await set(small, 5)).json()).toMatchObject({ inventory: 5 })
  })

  test('is rejected by name, while odd reasons are stored unchanged', async () => {
    const reason = `<b>'; drop table stock; -- 🧵 ${'y'.repeat(400)}`
    for (const name of ['quantity', 'onHand', 'constructor']) {
      const unknown = await send('POST', small, { delta: 1, reason, [name]: 5 })
      expect(unknown.json()).toMatchObject({ code: 'unknown_field', detail: { fields: [{ path: name }] } })
    }
    const response = await send('POST', small, { delta: 1, reason })
    expect(response.json()).toMatchObject({ inventory: 8 })
    expect((await movements(small)).items[0]).toMatchObject({ reason, operationId: null })
  })

  test.each(['nothing', '%', "'--", 'x'.repeat(200), '__proto__', '🧵'])(
    'for a variant called %s is not found',
    async (id) => {
      for (const response of [await set(id, 1), await adjust(id, 1), await readMovements(id)]) {
        expect(response.statusCode).toBe(404)
        expect(response.json()).toMatchObject({ code: 'variant_not_found' })
      }
    },
  )

  test.each(['x'.repeat(201), 'NUL\u0000'])('for an impossible variant id is not found: %#', async (id) => {
    for (const response of [await set(id, 1), await adjust(id, 1), await readMovements(id)]) {
      expect(response.statusCode).toBe(422)
    }
  })
})

describe('permissions', () => {
  test('a caller who is not an admin changes nothing and reads no ledger', async () => {
    const callers = [
      { headers: {}, status: 401 },
      { headers: suite.headers.anonymous(), status: 401 },
      { headers: suite.headers.customer('cus_1'), status: 403 },
      { headers: { 'x-actor': 'forged' }, status: 401 },
    ]
    for (const { headers, status } of callers) {
      expect((await set(small, 1, { headers })).statusCode).toBe(status)
      expect((await adjust(small, 1, {}, { headers })).statusCode).toBe(status)
      expect((await catalog.app.inject({ url: `/admin/variants/${small}/movements`, headers })).statusCode).toBe(status)
    }
    expect(await changes(small)).toEqual([7])
  })

  test('setting and adjusting require inventory:write, and the ledger requires catalog:read', async () => {
    const keeper = suite.headers.admin(['inventory:write'])
    const reader = suite.headers.admin(['catalog:read', 'catalog:write'])
    expect((await set(small, 1, { headers: keeper })).statusCode).toBe(200)
    expect((await adjust(small, 1, {}, { headers: keeper })).statusCode).toBe(200)
    expect((await readMovements(small, {}, keeper)).statusCode).toBe(403)
    expect((await readMovements(small, {}, reader)).statusCode).toBe(200)
    for (const rejected of [
      await set(small, 5, { headers: reader }),
      await adjust(small, 5, {}, { headers: reader }),
    ]) {
      expect(rejected.statusCode).toBe(403)
      expect(rejected.json()).toMatchObject({ code: 'forbidden', detail: { permission: 'inventory:write' } })
    }
    expect(await stockOf(small)).toEqual({ onHand: 2, reserved: 0 })
  })
})

describe('the ledger', () => {
  test('lists newest first what moved, why, by whom, and the stock after it', async () => {
    const id = newId('reservation')
    const held = await reserve(small, 2, id)
    const claim = held.held ? held.claim : ''
    await sellClaim(id, claim)
    await adjust(small, -1, { reason: 'torn', operationId: 'op-1' })
    await set(small, 10)
    const { items, total, perPage } = await movements(small)
    expect({ total, perPage }).toEqual({ total: 5, perPage: 25 })
    const unattributed = { reason: null, reference: null, operationId: null, actor: null }
    expect(items.map(({ id: _id, at: _at, ...rest }) => rest)).toEqual([
      {
        ...unattributed,
        kind: 'set',
        onHandDelta: 6,
        reservedDelta: 0,
        actor: 'user_test',
        after: { onHand: 10, reserved: 0, inventory: 10 },
      },
      {
        ...unattributed,
        kind: 'adjusted',
        onHandDelta: -1,
        reservedDelta: 0,
        reason: 'torn',
        operationId: 'op-1',
        actor: 'user_test',
        after: { onHand: 4, reserved: 0, inventory: 4 },
      },
      {
        ...unattributed,
        kind: 'sold',
        onHandDelta: -2,
        reservedDelta: -2,
        reference: claim,
        after: { onHand: 5, reserved: 0, inventory: 5 },
      },
      {
        ...unattributed,
        kind: 'reserved',
        onHandDelta: 0,
        reservedDelta: 2,
        reference: claim,
        after: { onHand: 7, reserved: 2, inventory: 5 },
      },
      {
        ...unattributed,
        kind: 'set',
        onHandDelta: 7,
        reservedDelta: 0,
        actor: 'user_test',
        after: { onHand: 7, reserved: 0, inventory: 7 },
      },
    ])
  })

  test('has the same content page by page, also while movements are written', async () => {
    for (const delta of [3, -2, 5, 1, -4, 6, -1]) await adjust(small, delta)
    const whole = await movements(small, { per_page: '100' })
    expect(whole.nextCursor).toBeUndefined()
    expect(whole.total).toBe(8)
    for (const perPage of amount({ quick: [1, 3, 8], long: [1, 2, 3, 4, 8] })) {
      const read: StockMovement[] = []
      let cursor: string | undefined
      do {
        const page = await movements(small, { per_page: String(perPage), ...(cursor !== undefined && { cursor }) })
        if (cursor === undefined) await adjust(small, 1)
        read.push(...page.items)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      const now = await movements(small, { per_page: '100' })
      expect(read, `${perPage} a page`).toEqual(now.items.slice(1))
      expect(now.items.at(-1)?.after).toEqual({ onHand: 7, reserved: 0, inventory: 7 })
      const second = await movements(small, { per_page: String(perPage), page: '2' })
      expect(second).toMatchObject({ page: 2, perPage, items: now.items.slice(perPage, 2 * perPage) })
    }
  })

  test('limits its pages and accepts only its own cursors', async () => {
    await adjust(small, 1)
    expect((await movements(small, { per_page: '0' })).perPage).toBe(1)
    expect((await movements(small, { per_page: '9999' })).perPage).toBe(100)
    expect((await readMovements(small, { per_page: 'ten' })).statusCode).toBe(422)
    const { nextCursor = '' } = await movements(small, { per_page: '1' })
    const made = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
    const forged = [
      '',
      'x',
      made(small, 1),
      made(small, -1, 0, 0),
      made(small, 1, -1, 0),
      made(small, 1, 2 ** 31, 0),
      made(small, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 0),
      made(small, '1', 0, 0),
      'A'.repeat(10_000),
    ]
    for (const cursor of forged) {
      const rejected = await readMovements(small, { cursor })
      expect(rejected.statusCode, cursor.slice(0, 40)).toBe(422)
      expect(rejected.json()).toMatchObject({ detail: { issues: [{ path: 'cursor' }] } })
    }
    expect((await readMovements(medium, { cursor: nextCursor })).statusCode).toBe(422)
    expect(
      (await movements(small, { cursor: made(small, Number.MAX_SAFE_INTEGER, 0, 2 ** 31 - 1) })).items,
    ).toHaveLength(2)
  })

  test('outlives its variant, which can no longer be changed', async () => {
    await adjust(medium, 1, { operationId: 'op-1' })
    const before = await movements(medium)
    expect((await removeMedium()).statusCode).toBe(200)
    expect(await variantsOf(suite, slug)).toEqual([small])
    for (const rejected of [
      await set(medium, 1),
      await adjust(medium, 1),
      await adjust(medium, 1, { operationId: 'op-1' }),
    ]) {
      expect(rejected.statusCode).toBe(404)
      expect(rejected.json()).toMatchObject({ code: 'variant_not_found' })
    }
    expect(await movements(medium)).toEqual(before)
  })

  test('is never cached', async () => {
    const response = await readMovements(small)
    expect(response.headers['cache-control']).toBe('private, no-store')
    expect(response.headers['surrogate-key']).toBeUndefined()
  })
})

interface OwnShop {
  suite: Suite
  catalog: RunningCatalog
  orders: Messaging
}

async function inOwnShop(run: (shop: OwnShop) => Promise<void>): Promise<void> {
  const own = await createSuite('catalog')
  const started = await startTestCatalog(own, MANY_CONNECTIONS)
  const ownOrders = await own.openMessaging('orders')
  try {
    await run({ suite: own, catalog: started, orders: ownOrders })
    await expectLedgerBalanced(own)
  } finally {
    await started.stop()
    await own.stop()
  }
}

/** Stops a service and counts the deadlocks of its connections: they are reported when they are closed. */
async function deadlocksOf({ suite: own, catalog: started }: OwnShop): Promise<number | undefined> {
  await started.stop()
  const connections = `select from pg_stat_activity where datname = current_database() and application_name = 'catalog'`
  await waitFor('the connections to close', async () => (await own.sql(connections)).length === 0)
  const [row] = await own.sql<{ deadlocks: number }>(
    'select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()',
  )
  return row?.deadlocks
}

/** The number of statements of the service with this text that wait for a lock. */
const countWaiters = async (where: Suite, text?: string) =>
  (await lockWaiters(where, text, { application: 'catalog' })).length

const AT_ONCE = 8
const WRITERS = amount({ quick: 40, long: 200 })

describe('concurrent writers and checkouts', () => {
  test('finish, many of them on three products, and the ledger adds up to the stock', async () => {
    const slugs = ['one', 'two', 'three']
    const productsWith = (inventory: number) => slugs.map((each) => shirt(each, { sizes: ['S', 'M', 'L'], inventory }))
    const imported = await importCatalogue(catalog.app, suite, { products: productsWith(50) })
    expect(imported.statusCode).toBe(200)
    const ids: string[] = []
    for (const each of slugs) ids.push(...(await variantsOf(suite, each)))
    const variantOf = (index: number) => ids[index % ids.length] ?? ''

    /** Holds two sizes of different products, the later one first, and releases half of the holds. */
    const holdAndRelease = async (index: number): Promise<number> => {
      const lines = [variantOf(index + 4), variantOf(index)].map((variantId) => ({ variantId, quantity: 1 }))
      const longer = { timeoutMs: 20_000 }
      const request = { reservationId: newId('reservation'), lines, ttlSeconds: 600 }
      const held = await sendRequest(orders, ReserveInventory, request, longer)
      if (held.held && index % 2 === 0) await sendRequest(orders, ReleaseInventory, { claim: held.claim }, longer)
      return 200
    }
    const importSome = async (index: number): Promise<number> => {
      const products = productsWith(20 + index).filter((_each, place) => place !== index % 4)
      return (await importCatalogue(catalog.app, suite, { products: products.toReversed() })).statusCode
    }
    const writers: ((index: number) => Promise<number>)[] = [
      async (index) => (await set(variantOf(index), index % 40)).statusCode,
      async (index) => (await adjust(variantOf(index), 2)).statusCode,
      async (index) => (await adjust(variantOf(index + 1), -1, { operationId: `op-${index % 7}` })).statusCode,
      holdAndRelease,
      async (index) => (index % 3 > 0 ? holdAndRelease(index) : importSome(index)),
    ]
    const statuses: (number | undefined)[] = []
    const waiting = Array.from({ length: WRITERS }, (_, index) => index).values()
    const work = async () => {
      for (const index of waiting) statuses.push(await writers[index % writers.length]?.(index))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    expect(statuses).toHaveLength(WRITERS)
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(WRITERS / 2)
    await expectLedgerBalanced(suite)
  })

  test('do not wait for each other when the write publishes another size that the checkout has locked', async () => {
    await inOwnShop(async (ownShop) => {
      const { suite: own, catalog: ownCatalog, orders: ownOrders } = ownShop
      const variants = ['a', 'b'].map((size) => ({ id: `var_${size}`, options: { Size: size }, inventory: 9 }))
      await importCatalogue(ownCatalog.app, own, { products: [shirt('two-sizes', { sizes: ['a', 'b'], variants })] })
      const checkOut = (...sizes: string[]) => {
        const lines = sizes.map((variantId) => ({ variantId, quantity: 1 }))
        return sendRequest(ownOrders, ReserveInventory, { reservationId: newId('reservation'), lines, ttlSeconds: 600 })
      }
      await own.sql('begin')
      await own.sql('lock table catalog.audit_entries in exclusive mode')
      const setting = set('var_b', 3, { where: { app: ownCatalog.app, suite: own } })
      await waitFor('the write to wait', async () => (await countWaiters(own, 'audit_entries')) === 1)
      let isSettled = false
      const first = checkOut('var_a').then((result) => {
        isSettled = true
        return result
      })
      const isWaiting = async () => (await countWaiters(own, 'from stock s')) > 0
      await waitFor('the first checkout', async () => isSettled || isWaiting())
      const second = checkOut('var_a', 'var_b')
      await waitFor('the second checkout', isWaiting)
      await own.sql('commit')
      expect((await setting).statusCode).toBe(200)
      expect([await first, await second]).toMatchObject([{ held: true }, { held: true }])
      expect(await deadlocksOf(ownShop)).toBe(0)
    })
  })

  test('lock stock in the order of the ids, whatever the order of the lines', async () => {
    const sizes = ['f', 'c', 'a', 'e', 'b', 'd']
    const variants = sizes.map((size) => ({ id: `${slug}-${size}`, options: { Size: size }, inventory: 9 }))
    await importCatalogue(catalog.app, suite, { products: [shirt(`ordered-${slug}`, { sizes, variants })] })
    await suite.sql('begin')
    const lock = (size: string) =>
      suite.sql('select 1 from catalog.stock where variant_id = $1 for update nowait', [`${slug}-${size}`])
    await lock('a')
    // A checkout waits for a tenth of a second only, which may pass before the test looks.
    const db = createDatabase<CatalogTables>({
      url: suite.databaseUrl('catalog'),
      name: 'catalog',
      poolSize: 1,
      log: suite.log,
    })
    const locked = transaction(db, (tx) =>
      lockStock(
        tx,
        sizes.map((size) => `${slug}-${size}`),
      ),
    )
    await waitFor('its first row', async () => (await countWaiters(suite, 'from stock s')) === 1)
    // It waits for the first row and has locked none of the others.
    for (const size of sizes) await lock(size)
    await suite.sql('commit')
    expect((await locked).map(({ variantId }) => variantId)).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((size) => `${slug}-${size}`),
    )
    await db.destroy()
  })

  test('of a size that is deleted meanwhile get an error', async () => {
    const [row] = await suite.sql<{ id: string; version: number }>(
      'select id, version::int as version from catalog.products where slug = $1',
      [slug],
    )
    await suite.sql('begin')
    await suite.sql('select 1 from catalog.products where slug = $1 for update', [slug])
    const removing = catalog.app.inject({
      method: 'DELETE',
      url: `/admin/products/${row?.id}/variants/${medium}`,
      headers: { ...suite.headers.admin(), 'if-match': `"${row?.version}"` },
    })
    await waitFor('the removal', async () => (await countWaiters(suite)) === 1)
    const writes = Promise.all([set(medium, 3), adjust(medium, 1)])
    await waitFor('the writes', async () => (await countWaiters(suite)) === 3)
    await suite.sql('commit')
    expect((await removing).statusCode).toBe(200)
    for (const rejected of await writes) {
      expect(rejected.statusCode).toBe(404)
      expect(rejected.json()).toMatchObject({ code: 'variant_not_found' })
    }
    expect(await stockOf(medium)).toEqual({ onHand: 7, reserved: 0 })
  })
})

const Changed = z.object({ inventory: z.int().optional(), replayed: z.boolean().optional() })
const Short = z.object({ code: z.literal('insufficient_inventory'), detail: z.object({ available: z.int() }) })

/** Performs a step, and returns its visible result. */
async function take(step: Step, ids: string[], holds: { id: string; claim: string }[]): Promise<Outcome> {
  if (step.kind === 'set') return Changed.parse((await set(ids[step.variant] ?? '', step.quantity)).json())
  if (step.kind === 'adjust') {
    const { delta, operationId } = step
    const response = await adjust(ids[step.variant] ?? '', delta, operationId === undefined ? {} : { operationId })
    if (response.statusCode === 409) return { short: Short.parse(response.json()).detail.available }
    return Changed.parse(response.json())
  }
  if (step.kind === 'reserve') {
    const id = newId('reservation')
    const lines = step.quantities
      .map((quantity, index) => ({ variantId: ids[index] ?? '', quantity }))
      .filter(({ quantity }) => quantity > 0)
    const result = await sendRequest(orders, ReserveInventory, { reservationId: id, lines, ttlSeconds: 600 })
    if (result.held) holds.push({ id, claim: result.claim })
    return { held: result.held }
  }
  const { id, claim } = holds[step.hold] ?? { id: '', claim: '' }
  if (step.kind === 'release') return sendRequest(orders, ReleaseInventory, { claim })
  await sellClaim(id, claim)
  return {}
}

describe('any sequence of changes', () => {
  test('has the arithmetically expected result, step by step', async () => {
    await assert(
      asyncProperty(array(anyStep, { minLength: 4, maxLength: 16 }), async (steps) => {
        const ids = await stockedShirt(`model-${nextProduct++}`)
        const model = new StockModel(7)
        const holds: { id: string; claim: string }[] = []
        for (const step of steps) {
          if (!model.isPossible(step)) continue
          const outcome = model.take(step)
          expect(await take(step, ids, holds)).toEqual(outcome)
          const [one = '', other = ''] = ids
          expect([await stockOf(one), await stockOf(other)]).toEqual(model.stock)
        }
        await expectLedgerBalanced(suite)
        for (const [index, { onHand, reserved }] of model.stock.entries()) {
          const [newest] = (await movements(ids[index] ?? '')).items
          expect(newest?.after).toEqual({ onHand, reserved, inventory: onHand - reserved })
        }
      }),
      { numRuns: amount({ quick: 4, long: 40 }) },
    )
  })
})
