import { Redis } from 'ioredis'
import { sendRequest, type Messaging } from '@storefront/messaging'
import {
  PRICE_FIELDS,
  priceEntryKey,
  newId,
  OrderPlaced,
  OrderRestocked,
  ReleaseInventory,
} from '@storefront/contracts'
import { createSuite, expectLedgerBalanced, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RunningCatalog } from '../src/start.ts'
import { fill, importCatalogue, shirt, startTestCatalog } from './catalog.ts'
import { hold, placedOrder, publishEvent } from './orders.ts'

/** At least one for each test. */
const PRODUCTS = 12

let suite: Suite
let catalog: RunningCatalog
let orders: Messaging
let redis: Redis
let shirts = 0
let slug: string
let variantId: string
let productId: string

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  orders = await suite.openMessaging('orders')
  redis = new Redis(suite.redisUrl)
  // One import for all tests, because one takes longer than most of them.
  const products = Array.from({ length: PRODUCTS }, (_, index) =>
    shirt(`shirt-${index}`, { sizes: ['M'], inventory: 7 }),
  )
  await fill(catalog.app, suite, { products: [shirt('other', { sizes: ['M'] }), ...products] })
})

afterAll(async () => {
  await expectLedgerBalanced(suite)
  redis.disconnect()
  await suite.stop()
})

beforeEach(async () => {
  slug = `shirt-${shirts++}`
  const [row] = await suite.sql<{ id: string; product_id: string }>(
    'select v.id, v.product_id from catalog.variants v join catalog.products p on p.id = v.product_id where p.slug = $1',
    [slug],
  )
  expect(row, `${slug} of ${PRODUCTS}`).toBeDefined()
  variantId = row?.id ?? ''
  productId = row?.product_id ?? ''
})

type Reservation = Awaited<ReturnType<typeof hold>>

const place = (reservation: Reservation, at = new Date()) =>
  publishEvent(orders, OrderPlaced, placedOrder({ reservation, at }))

const restock = (claim: string, quantity: number, { at = new Date(), eventId = newId('event') } = {}) =>
  publishEvent(
    orders,
    OrderRestocked,
    { orderId: newId('order'), claim, placedAt: at.toISOString(), lines: [{ variantId, quantity }] },
    eventId,
  )

async function stock() {
  const [row] = await suite.sql<{ on_hand: number; reserved: number }>(
    'select on_hand, reserved from catalog.stock where variant_id = $1',
    [variantId],
  )
  return [row?.on_hand, row?.reserved]
}
const stockIs = (onHand: number, reserved = 0) =>
  waitFor(`${onHand} on hand`, async () => JSON.stringify(await stock()) === JSON.stringify([onHand, reserved]))

const movements = async () =>
  (
    await suite.sql<{ line: string }>(
      `select concat_ws(' ', kind, on_hand_delta, reserved_delta, reference) as line
       from catalog.stock_movements where variant_id = $1 order by id`,
      [variantId],
    )
  ).map(({ line }) => line)

const sales = async () =>
  (
    await suite.sql<{ line: string }>(
      `select day::text || ' ' || units as line from catalog.daily_sales where product_id = $1 order by 1`,
      [productId],
    )
  ).map(({ line }) => line)

/** Events of one kind are processed in sequence: when this one is, all earlier ones are as well. */
async function untilConsumed(): Promise<void> {
  const before = variantId
  const claim = `${newId('reservation')}.1`
  const [other] = await suite.sql<{ variant_id: string; on_hand: number }>(
    `select s.variant_id, s.on_hand from catalog.stock s join catalog.variants v on v.id = s.variant_id
     where v.sku = 'OTHER-M'`,
  )
  variantId = other?.variant_id ?? ''
  await restock(claim, 1)
  await stockIs((other?.on_hand ?? 0) + 1)
  variantId = before
}

test('the goods of a sold order can be bought again, and no longer count as sold', async () => {
  const reservation = await hold(orders, variantId, 3)
  const yesterday = new Date(Date.now() - 24 * 3600 * 1000)
  const day = yesterday.toISOString().slice(0, 10)
  await place(reservation, yesterday)
  await stockIs(4)
  expect(await sales()).toEqual([`${day} 3`])
  await restock(reservation.claim, 3, { at: yesterday })
  await stockIs(7)
  expect(await sales()).toEqual([`${day} 0`])
  expect(await movements()).toEqual([
    'set 7 0',
    `reserved 0 3 ${reservation.claim}`,
    `sold -3 -3 ${reservation.claim}`,
    `returned 3 0 ${reservation.claim}`,
  ])
  await waitFor('the price projection', async () => {
    const key = priceEntryKey(suite.namespace, variantId)
    return (await redis.hget(key, PRICE_FIELDS.stock)) === '7'
  })
  await waitFor('the page', async () => {
    const page = await catalog.app.inject({ url: `/products/${slug}` })
    return page.json().variants[0].inventory === 7 && page.json().social?.boughtLast30Days !== 3
  })
})

test('an order whose event arrives after its goods were returned sells nothing', async () => {
  const reservation = await hold(orders, variantId, 2)
  const lastWeek = new Date(Date.now() - 7 * 24 * 3600 * 1000)
  await restock(reservation.claim, 2, { at: lastWeek })
  await stockIs(7)
  await place(reservation, lastWeek)
  const later = await hold(orders, variantId, 1)
  await place(later)
  await stockIs(6)
  expect((await movements()).slice(1)).toEqual([
    `reserved 0 2 ${reservation.claim}`,
    `sold -2 -2 ${reservation.claim}`,
    `returned 2 0 ${reservation.claim}`,
    `reserved 0 1 ${later.claim}`,
    `sold -1 -1 ${later.claim}`,
  ])
  expect((await sales())[0]).toBe(`${lastWeek.toISOString().slice(0, 10)} 0`)
})

test('a repeated event returns the goods only once', async () => {
  const reservation = await hold(orders, variantId, 2)
  await place(reservation)
  await stockIs(5)
  const eventId = newId('event')
  for (let time = 0; time < 3; time++) await restock(reservation.claim, 2, { eventId })
  await stockIs(7)
  await untilConsumed()
  expect(await stock()).toEqual([7, 0])
})

test('pieces of an order that return one after the other are all returned, also before the order was consumed', async () => {
  const reservation = await hold(orders, variantId, 3)
  await Promise.all([restock(reservation.claim, 1), restock(reservation.claim, 1)])
  await stockIs(6)
  await place(reservation)
  await restock(reservation.claim, 1)
  await stockIs(7)
  expect((await movements()).slice(1)).toEqual([
    `reserved 0 3 ${reservation.claim}`,
    `sold -3 -3 ${reservation.claim}`,
    ...Array.from({ length: 3 }, () => `returned 1 0 ${reservation.claim}`),
  ])
})

test('released goods were never sold, and none are returned', async () => {
  const reservation = await hold(orders, variantId, 2)
  expect(await sendRequest(orders, ReleaseInventory, { claim: reservation.claim })).toEqual({ released: true })
  await restock(reservation.claim, 2)
  await untilConsumed()
  expect(await stock()).toEqual([7, 0])
})

test('the order contains the lines of a deleted reservation, and unknown variants are ignored', async () => {
  const reservation = await hold(orders, variantId, 2)
  await place(reservation)
  await stockIs(5)
  await suite.sql('delete from catalog.reservations where id = $1', [reservation.id])
  await suite.sql('delete from catalog.daily_sales where product_id = $1', [productId])
  await publishEvent(orders, OrderRestocked, {
    orderId: newId('order'),
    claim: reservation.claim,
    placedAt: new Date().toISOString(),
    lines: [
      { variantId, quantity: 2 },
      { variantId: 'var_nothing', quantity: 5 },
    ],
  })
  await stockIs(7)
  expect(await suite.sql(`select from catalog.stock where variant_id = 'var_nothing'`)).toEqual([])
})

test('goods of a product that was deleted meanwhile are returned to their stock', async () => {
  const reservation = await hold(orders, variantId, 2)
  await place(reservation)
  await stockIs(5)
  const gone = await catalog.app.inject({
    method: 'DELETE',
    url: `/admin/products/${productId}`,
    headers: suite.headers.admin(),
  })
  expect(gone.statusCode).toBe(200)
  await restock(reservation.claim, 2)
  await stockIs(7)
})

test('concurrent returns and purchases of one size end with the correct stock', async () => {
  await importCatalogue(catalog.app, suite, { products: [shirt('rush', { sizes: ['M'], inventory: 100 })] })
  const [row] = await suite.sql<{ id: string }>(`select id from catalog.variants where sku = 'RUSH-M'`)
  variantId = row?.id ?? ''
  const reservations = await Promise.all(Array.from({ length: 40 }, () => hold(orders, variantId, 1)))
  await Promise.all([
    ...reservations.flatMap((reservation, nth) =>
      nth % 2 === 0
        ? [place(reservation), restock(reservation.claim, 1)]
        : [restock(reservation.claim, 1), place(reservation)],
    ),
    ...Array.from({ length: 10 }, () => hold(orders, variantId, 2)),
  ])
  await stockIs(100, 20)
  expect((await movements()).filter((line) => line.startsWith('returned'))).toHaveLength(40)
})

test('an order whose goods were sold out when it was paid sells nothing, and still counts as a purchase', async () => {
  const customerId = newId('customer')
  const line = {
    id: newId('line'),
    variantId,
    productSlug: slug,
    title: 'Shirt',
    options: {},
    image: { url: '/media/shirt.jpg', alt: '' },
    quantity: 9,
    unitPrice: { amount: 1, currency: 'USD' },
    lineTotal: { amount: 9, currency: 'USD' },
  }
  await publishEvent(orders, OrderPlaced, placedOrder({ lines: [line], customerId }))
  await waitFor('the purchase', async () => {
    const rows = await suite.sql('select from catalog.purchases where customer_id = $1', [customerId])
    return rows.length === 1
  })
  expect(await stock()).toEqual([7, 0])
  expect(await sales()).toEqual([])
})
