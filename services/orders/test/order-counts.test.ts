import { listOf, Order, ORDER_STATUSES, OrderStatus } from '@storefront/contracts'
import { amount } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { applyCountChanges } from '../src/counts/apply-count-changes.ts'
import { findCountedDays } from '../src/counts/order-counts.queries.ts'
import { createShop, orderOf, stopQueueing, type Shop } from './shop.ts'

const OrderList = listOf(Order).extend({ counts: z.record(OrderStatus, z.int()), nextCursor: z.string().optional() })

/** Enough that a page at the end, or of a rare kind, is found by its days. */
const ORDERS = 24_000
const DAYS = 700

interface Kind {
  id: string
  placedAt: string
  status: OrderStatus
  payment: string
  country: string
  attention: string | null
  total: number
}

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 10)
  const { id } = orderOf(await shop.checkOut(shop.addCart({ var_m: 1 }).id))
  // The other effects of an order are not tested here, and would take long for so many orders.
  await stopQueueing(shop.suite)
  await shop.suite.sql(
    `insert into orders.orders (id, number, cart_id, email, status, placed_at, document, payment_provider, payment_status, attention)
     select 'copy_' || lpad(each::text, 6, '0'), 'C-' || each, 'cart_' || each, email,
       case when each % 1000 = 7 then 'placed' when each % 50 = 0 then 'cancelled' when each > 23920 then 'paid' else 'delivered' end,
       '2024-01-01T00:00:00Z'::timestamptz + each * interval '${DAYS} days' / ${ORDERS},
       document || jsonb_build_object('total', jsonb_build_object('amount', each * 7919 % 10007, 'currency', 'USD'),
         'shippingAddress', document->'shippingAddress' || jsonb_build_object('country',
           case when each % 3001 = 5 then 'FJ' when each % 3 = 0 then 'DE' else 'US' end)),
       payment_provider, case when each % 50 = 0 then 'refunded' else 'captured' end,
       case when each % 1500 = 9 or each % 11000 = 7 then 'out_of_stock' end
     from orders.orders, generate_series(1, ${ORDERS - 1}) as each where id = $1`,
    [id],
  )
})
afterAll(() => shop.stop())

const list = async (query: string) =>
  OrderList.parse((await shop.call('GET', `/admin/orders?${query}`, undefined, shop.suite.headers.admin())).body)
const readAll = (condition = 'true') =>
  shop.suite.sql<Kind>(`
    select id, to_char(placed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US') as "placedAt", status, payment_status as payment, country,
      attention, total_minor::int as total from orders.orders where ${condition}`)
const changesLeft = async () => (await shop.suite.sql('select from orders.order_count_changes')).length

async function addChanges(): Promise<void> {
  const timer = applyCountChanges(shop.orders.context)
  timer.wake()
  await expect.poll(changesLeft, { timeout: 60_000 }).toBe(0)
  await timer.stop()
}

/** Keeps the timer of the service from adding changes until the returned function is called. */
async function holdChanges(): Promise<() => Promise<void>> {
  await shop.suite.sql(`select pg_advisory_lock(hashtext('counts'), hashtext('orders'))`)
  return async () => void (await shop.suite.sql(`select pg_advisory_unlock(hashtext('counts'), hashtext('orders'))`))
}

type Passes = (order: Kind) => boolean
const FILTERS: readonly [string, Passes][] = [
  ['', () => true],
  ['country=FJ', ({ country }) => country === 'FJ'],
  ['country=MT', () => false],
  ['payment=refunded&country=DE', ({ payment, country }) => payment === 'refunded' && country === 'DE'],
  ['attention=1', ({ attention }) => attention !== null],
  ['attention=out_of_stock&country=US', ({ attention, country }) => attention === 'out_of_stock' && country === 'US'],
  ['fulfilment=unfulfilled', ({ status }) => status === 'placed' || status === 'paid'],
  ['from=2024-03-01&to=2024-08-15', ({ placedAt }) => placedAt >= '2024-03-01' && placedAt < '2024-08-16'],
  [
    'from=2024-02-10T07:30:00Z&country=FJ',
    ({ placedAt, country }) => placedAt >= '2024-02-10T07:30:00.000000' && country === 'FJ',
  ],
  ['to=2025-02-10T07:30:00Z&attention=1', (order) => order.placedAt < '2025-02-10T07:30' && order.attention !== null],
  [
    'from=2024-05-05T01:00:00Z&to=2024-05-05T22:00:00Z',
    ({ placedAt }) => placedAt >= '2024-05-05T01:00' && placedAt < '2024-05-05T22:00',
  ],
]
const descending = (keysOf: (order: Kind) => (string | number)[]) => (one: Kind, other: Kind) => {
  const [first, second] = [keysOf(one), keysOf(other)]
  const place = first.findIndex((key, index) => key !== second[index])
  return place === -1 ? 0 : (first[place] ?? '') > (second[place] ?? '') ? -1 : 1
}
const byTime = descending(({ placedAt, id }) => [placedAt, id])
const SORTS: readonly [string, (one: Kind, other: Kind) => number][] = [
  ['attention', descending(({ attention, placedAt, id }) => [attention === null ? 0 : 1, placedAt, id])],
  ['newest', byTime],
  ['oldest', (one, other) => byTime(other, one)],
  ['total-desc', descending(({ total, placedAt, id }) => [total, placedAt, id])],
]

/** In a quick run each filter has one of the sorts, and another one in the next comparison. */
const SORT_PARTS = amount({ quick: 4, long: 1 })
let comparisons = 0

/** Compares counts and pages with those of all orders: the first ones, some in the middle, and the last. */
async function expectLists(orders: readonly Kind[]): Promise<void> {
  const turn = comparisons++
  for (const [place, [filter, passes]] of FILTERS.entries()) {
    const passing = orders.filter(passes)
    const counts = Object.fromEntries(
      ORDER_STATUSES.map((status) => [status, passing.filter((order) => order.status === status).length]),
    )
    const sorts = SORTS.filter((_sort, index) => (index + place) % SORT_PARTS === turn % SORT_PARTS)
    for (const [sort, compare] of sorts) {
      const sorted = passing.toSorted(compare).map(({ id }) => id)
      const lastPage = Math.max(1, Math.ceil(sorted.length / 20))
      for (const page of new Set([1, Math.ceil(lastPage / 2), lastPage, lastPage + 1])) {
        const query = `${filter}&sort=${sort}&per_page=20&page=${page}`
        const found = await list(query)
        expect(found, query).toMatchObject({ total: passing.length, counts })
        expect(
          found.items.map(({ id }) => id),
          query,
        ).toEqual(sorted.slice(20 * (page - 1), 20 * page))
        expect(found.nextCursor === undefined, query).toBe(page >= lastPage)
      }
    }
  }
}

describe('a list of many orders has the counts and the pages of its filter', () => {
  test('while their changes wait, and after they are added', async () => {
    expect(await changesLeft()).toBeGreaterThan(0)
    const orders = await readAll()
    await expectLists(orders)
    await addChanges()
    await expectLists(orders)
  })

  test('after orders changed in everything that is counted', async () => {
    await addChanges()
    const release = await holdChanges()
    await shop.suite.sql(`
      update orders.orders set status = 'cancelled', payment_status = 'partially_refunded', attention = 'refund_due'
      where id like 'copy_0%11'`)
    await shop.suite.sql(`
      update orders.orders set placed_at = placed_at + interval '40 days', attention = null,
        document = jsonb_set(document, '{shippingAddress,country}', '"FJ"') where id like 'copy_01%17'`)
    await shop.suite.sql(`delete from orders.orders where id like 'copy_00%23'`)
    const orders = await readAll()
    expect(await changesLeft()).toBeGreaterThan(0)
    await expectLists(orders)
    await release()
    await addChanges()
    await expectLists(orders)
    expect(await shop.suite.sql('select from orders.order_count_days where orders <= 0')).toEqual([])
  })

  // Such a page is expected to skip most orders of the shop, and is found by its days.
  test.each(SORTS)('a cursor leads through all of a rare kind, sorted by %s', async (sort, compare) => {
    const expected = (await readAll(`status in ('placed', 'paid')`)).toSorted(compare).map(({ id }) => id)
    expect(expected.length).toBeGreaterThan(100)
    const ids: string[] = []
    let cursor = ''
    do {
      const found = await list(`fulfilment=unfulfilled&sort=${sort}&per_page=90${cursor}`)
      expect(found.total).toBe(expected.length)
      ids.push(...found.items.map(({ id }) => id))
      cursor = found.nextCursor === undefined ? '' : `&cursor=${found.nextCursor}`
    } while (cursor !== '')
    expect(ids).toEqual(expected)
  })
})

describe('a part of one day, whose orders are counted one by one', () => {
  const PART = 'from=2024-05-05T01:00:00Z&to=2024-05-05T22:00:00Z'

  test('has an empty page far beyond its end', async () => {
    const { total } = await list(PART)
    expect(total).toBeGreaterThan(0)
    const beyond = await list(`${PART}&sort=newest&per_page=100&page=1000`)
    expect(beyond).toMatchObject({ total, items: [] })
  })

  test('has the pages of a rare kind', async () => {
    await shop.suite.sql(`
      update orders.orders set placed_at = '2024-05-05T02:00:00Z'::timestamptz + right(id, 3)::int * interval '1 minute'
      where id like 'copy_003%'`)
    const rare = (await readAll())
      .filter(({ placedAt }) => placedAt >= '2024-05-05T01:00' && placedAt < '2024-05-05T22:00')
      .filter(({ country }) => country === 'FJ')
    expect(rare.length).toBeGreaterThan(0)
    for (const [sort, compare] of SORTS) {
      const found = await list(`${PART}&country=FJ&sort=${sort}&per_page=100`)
      expect(found.total).toBe(rare.length)
      expect(found.items.map(({ id }) => id)).toEqual(rare.toSorted(compare).map(({ id }) => id))
    }
  })
})

test('the days after a place have enough orders, of whatever part of its own day is before it', async () => {
  const filter = { country: 'US' }
  const start = { day: '2024-09-10', flagged: false }
  for (const direction of ['asc', 'desc'] as const) {
    const options = { byAttention: false, direction, skip: 0, take: 50, start }
    const days = await findCountedDays(shop.orders.context.db, filter, options)
    expect(days[0]?.day).toBe(start.day)
    const others = days.slice(1)
    expect(others.reduce((sum, { orders }) => sum + orders, 0)).toBeGreaterThanOrEqual(50)
    expect(others.slice(0, -1).reduce((sum, { orders }) => sum + orders, 0)).toBeLessThan(50)
    expect(others.every(({ day }) => (direction === 'asc' ? day > start.day : day < start.day))).toBe(true)
  }
})

test('no list counts an order twice or not at all while replicas add changes', async () => {
  await addChanges()
  const everything = (await list('')).total
  const replicas = Array.from({ length: 3 }, () => applyCountChanges(shop.orders.context))
  let isChanging = true
  // The changes of the orders with each end are added while lists are read: 240 orders, or 2,400 in a long run.
  const ends = amount({
    quick: ['01', '12', '23', '34', '45', '56', '67', '78', '89', '90'],
    long: ['0', '1', '2', '3', '4'],
  })
  const change = async () => {
    const toggle = `case when status = 'paid' then 'fulfilled' else 'paid' end`
    try {
      for (const end of ends)
        await shop.suite.sql(`update orders.orders set status = ${toggle} where id like $1`, [`copy_0%${end}`])
    } finally {
      isChanging = false
    }
  }
  const read = async () => {
    while (isChanging) {
      for (const replica of replicas) replica.wake()
      const { total, counts } = await list('')
      expect(total).toBe(everything)
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(everything)
    }
  }
  await Promise.all([change(), read(), read()])
  for (const replica of replicas) await replica.stop()
  await addChanges()
  await expectLists(await readAll())
})
