import { listOf, Order, OrderStatus } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BUYER, createShop, orderOf, errorOf, searchIndexed, usd, type Shop } from './shop.ts'

const OrderList = listOf(Order).extend({
  page: z.int(),
  perPage: z.int(),
  counts: z.record(OrderStatus, z.int()),
  nextCursor: z.string().optional(),
})

/** Orders whose names belong to this test, in the order in which they were placed. */
const ORDERS = {
  guest: { placed: '2025-01-01T08:00:00Z', total: 5000 },
  ada: { placed: '2025-01-02T23:59:59.999Z', total: 9000, customer: 'cus_ada', status: 'paid', payment: 'captured' },
  french: { placed: '2025-01-03T00:00:00Z', total: 100, country: 'fr', status: 'fulfilled', payment: 'captured' },
  arrived: { placed: '2025-01-04T00:00:00Z', total: 9000, status: 'delivered', payment: 'captured' },
  partly: { placed: '2025-01-05T00:00:00Z', total: 300, status: 'delivered', payment: 'partially_refunded' },
  gone: { placed: '2025-01-06T00:00:00Z', total: 700, status: 'cancelled', payment: 'refunded' },
  owed: {
    placed: '2025-01-07T00:00:00Z',
    total: 800,
    status: 'cancelled',
    payment: 'captured',
    attention: 'refund_due',
  },
  short: { placed: '2025-01-08T00:00:00Z', total: 60, status: 'paid', payment: 'captured', attention: 'out_of_stock' },
  old: { placed: '2025-01-09T00:00:00Z', total: 70, country: '12', email: 'Grace@Mail.example' },
} as const
type Name = keyof typeof ORDERS

interface Wanted {
  placed: string
  total: number
  customer?: string
  status?: string
  payment?: string
  country?: string
  attention?: string
  email?: string
}

let shop: Shop
const names = new Map<string, string>()
const ids = new Map<string, string>()

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 1000)
  for (const [name, wanted] of Object.entries<Wanted>(ORDERS)) {
    const customerId = wanted.customer
    const cart = shop.addCart({ var_m: 1 }, { checkoutMode: 'api', ...(customerId !== undefined && { customerId }) })
    const headers = customerId === undefined ? {} : shop.suite.headers.customer(customerId)
    const { id } = orderOf(await shop.checkOut(cart.id, { ...BUYER, email: wanted.email ?? BUYER.email }, headers))
    await shop.suite.sql(
      `update orders.orders set placed_at = $2, status = $3, payment_status = $4, attention = $5,
         document = jsonb_set(jsonb_set(document, '{total,amount}', to_jsonb($6::int)),
           '{shippingAddress,country}', to_jsonb($7::text)) where id = $1`,
      [
        id,
        wanted.placed,
        wanted.status ?? 'placed',
        wanted.payment ?? 'pending',
        wanted.attention ?? null,
        wanted.total,
        wanted.country ?? 'US',
      ],
    )
    names.set(id, name)
    ids.set(name, id)
  }
  await searchIndexed(shop.suite)
})
afterAll(() => shop.stop())

const get = (query: string) => shop.call('GET', `/admin/orders${query}`, undefined, shop.suite.headers.admin())
const list = async (query: string) => OrderList.parse((await get(query)).body)
const found = async (query: string) => (await list(query)).items.map(({ id }) => names.get(id))
const inList = (...wanted: Name[]) => wanted
const NONE = { placed: 0, paid: 0, fulfilled: 0, delivered: 0, cancelled: 0 }

describe('the list is filtered by', () => {
  test.each<[string, Name[]]>([
    ['?payment=partially_refunded', inList('partly')],
    ['?payment=pending&sort=oldest', inList('guest', 'old')],
    ['?fulfilment=unfulfilled&sort=oldest', inList('guest', 'ada', 'short', 'old')],
    ['?fulfilment=fulfilled', inList('french')],
    ['?fulfilment=delivered&sort=oldest', inList('arrived', 'partly')],
    ['?fulfilment=unfulfilled&status=paid&sort=oldest', inList('ada', 'short')],
    ['?fulfilment=unfulfilled&status=delivered', inList()],
    ['?country=FR', inList('french')],
    ['?country=%20fr', inList('french')],
    ['?country=DE', inList()],
    ['?attention=1', inList('short', 'owed')],
    ['?attention=refund_due', inList('owed')],
    ['?attention=amount_mismatch', inList()],
    ['?customer=cus_ada', inList('ada')],
    ['?customer=grace@mail.EXAMPLE', inList('old')],
    ['?customer=cus_nobody', inList()],
    ['?from=2025-01-02&to=2025-01-03&sort=oldest', inList('ada', 'french')],
    ['?from=2025-01-03&to=2025-01-03', inList('french')],
    ['?from=2025-01-02T23:59:59.999Z&to=2025-01-03T00:00:00Z', inList('ada')],
    ['?from=2025-01-03T01:00:00%2B01:00&to=2025-01-03T01:00:01%2B01:00', inList('french')],
    ['?payment=captured&country=US&status=paid&from=2025-01-05', inList('short')],
    ['?q=ada&country=FR', inList('french')],
    ['?q=ada&payment=refunded', inList('gone')],
    ['?q=ada&fulfilment=delivered&sort=total-asc', inList('partly', 'arrived')],
    ['?q=ada&customer=cus_ada', inList('ada')],
    [
      '?payment=&fulfilment=&customer=&country=&attention=&from=&to=&sort=&status=&q=&per_page=2',
      inList('short', 'owed'),
    ],
  ])('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  test('a customer with the guest orders of the address that the customer verified', async () => {
    const verified = `insert into orders.customer_emails (email, verified_at, customer_id) values ('grace@mail.example', now(), 'cus_grace')`
    await shop.suite.sql(verified)
    expect(await found('?customer=cus_grace')).toEqual(['old'])
    expect((await list('?customer=cus_grace')).counts).toEqual({ ...NONE, placed: 1 })
  })
})

describe('the list is sorted', () => {
  const byTime = Object.keys(ORDERS)

  test.each<[string, string[]]>([
    ['', ['short', 'owed', ...byTime.filter((name) => name !== 'short' && name !== 'owed').toReversed()]],
    ['attention', ['short', 'owed', ...byTime.filter((name) => name !== 'short' && name !== 'owed').toReversed()]],
    ['newest', byTime.toReversed()],
    ['oldest', byTime],
    // Of orders with the same total, the newest comes first when they descend, and last when they ascend.
    ['total-desc', ['arrived', 'ada', 'guest', 'owed', 'gone', 'partly', 'french', 'old', 'short']],
    ['total-asc', ['short', 'old', 'french', 'partly', 'gone', 'owed', 'guest', 'ada', 'arrived']],
  ])('by %s, in pages that hold each order once', async (sort, expected) => {
    for (const query of [`?sort=${sort}`, `?sort=${sort}&q=mail.example`, `?sort=${sort}&to=2025-01-31`]) {
      expect(await found(query), query).toEqual(expected)
      const byPage: (string | undefined)[] = []
      for (const page of [1, 2, 3]) byPage.push(...(await found(`${query}&per_page=4&page=${page}`)))
      expect(byPage, query).toEqual(expected)
      let { items, nextCursor } = await list(`${query}&per_page=4`)
      const byCursor = items.map(({ id }) => names.get(id))
      while (nextCursor !== undefined) {
        ;({ items, nextCursor } = await list(`${query}&per_page=4&cursor=${nextCursor}`))
        byCursor.push(...items.map(({ id }) => names.get(id)))
      }
      expect(byCursor, query).toEqual(expected)
    }
  })

  test('and a cursor works only with its own sort, also a cursor of the previous version', async () => {
    const { nextCursor } = await list('?sort=newest&per_page=1')
    expect(errorOf(await get(`?sort=oldest&cursor=${nextCursor}`))).toMatchObject({
      status: 422,
      code: 'validation_failed',
      detail: { issues: [{ path: 'cursor', message: 'belongs to the sort newest, not to oldest' }] },
    })
    const before = JSON.stringify([2, true, '2025-01-08T00:00:00.000000Z', ids.get('short')])
    const cursor = Buffer.from(before).toString('base64url')
    expect(await list(`?per_page=1&cursor=${cursor}`)).toMatchObject({ page: 2, items: [{ id: ids.get('owed') }] })
  })
})

describe('the counts', () => {
  test('cover every status, whichever is shown', async () => {
    const counts = { placed: 2, paid: 2, fulfilled: 1, delivered: 2, cancelled: 2 }
    expect(await list('')).toMatchObject({ total: 9, counts })
    expect(await list('?status=paid')).toMatchObject({ total: 2, counts })
    expect(await list('?status=paid&q=mail.example')).toMatchObject({ total: 2, counts, items: [{}, {}] })
    expect(await list('?status=paid&per_page=1&page=7')).toMatchObject({ total: 2, counts, items: [] })
  })

  test('follow every other filter', async () => {
    expect((await list('?payment=captured')).counts).toEqual({
      ...NONE,
      paid: 2,
      fulfilled: 1,
      delivered: 1,
      cancelled: 1,
    })
    expect((await list('?fulfilment=unfulfilled&status=delivered')).counts).toEqual({ ...NONE, placed: 2, paid: 2 })
    expect((await list('?attention=1')).counts).toEqual({ ...NONE, paid: 1, cancelled: 1 })
    expect((await list('?q=ada&country=FR&status=placed')).counts).toEqual({ ...NONE, fulfilled: 1 })
    expect((await list('?q=!!!')).counts).toEqual(NONE)
    expect((await list('?q=nowhere')).counts).toEqual(NONE)
  })
})

describe('a filter is rejected', () => {
  const payments = 'pending, authorized, captured, failed, partially_refunded, refunded'
  test.each([
    ['payment', 'paid', `must be one of ${payments}, not "paid"`],
    ['fulfilment', 'sent', 'must be one of unfulfilled, fulfilled, delivered, not "sent"'],
    ['attention', 'lost', 'must be one of 1, true, out_of_stock, amount_mismatch, refund_due, 0, false, not "lost"'],
    ['sort', 'total', 'must be one of attention, newest, oldest, total-desc, total-asc, not "total"'],
    ['country', '12', 'must be an ISO 3166-1 alpha-2 code such as GB, not "12"'],
    ['country', 'x'.repeat(90), `must be an ISO 3166-1 alpha-2 code such as GB, not "${'x'.repeat(50)}"`],
    ['customer', 'ada', 'must be the id of a customer, such as cus_…, or an email address, not "ada"'],
    [
      'from',
      'yesterday',
      'must be a date such as 2026-11-21 or a timestamp such as 2026-11-21T08:00:00Z, not "yesterday"',
    ],
    [
      'to',
      '2025-02-30',
      'must be a date such as 2026-11-21 or a timestamp such as 2026-11-21T08:00:00Z, not "2025-02-30"',
    ],
  ])('for %s=%s, with the allowed values', async (name, value, message) => {
    for (const path of ['', '/export']) {
      if (name === 'sort' && path !== '') continue
      expect(errorOf(await get(`${path}?${name}=${value}`))).toMatchObject({
        status: 422,
        code: 'validation_failed',
        detail: { issues: [{ path: name, message }] },
      })
    }
  })

  test('for an unknown status', async () => {
    expect(errorOf(await get('?status=lost'))).toEqual({
      status: 422,
      code: 'invalid_status',
      message: '`status` must be one of placed, paid, fulfilled, delivered, cancelled, not "lost".',
      detail: { allowed: ['placed', 'paid', 'fulfilled', 'delivered', 'cancelled'] },
    })
  })
})

describe('an order', () => {
  test('shows its customer only to the merchant', async () => {
    const [shown] = (await list('?customer=cus_ada')).items
    expect(shown?.customerId).toBe('cus_ada')
    const path = `/orders/${ids.get('ada')}`
    const own = orderOf(await shop.call('GET', path, undefined, shop.suite.headers.customer('cus_ada')))
    expect(own).not.toHaveProperty('customerId')
    const guest = orderOf(await get(`/${ids.get('guest')}`))
    expect(guest).not.toHaveProperty('customerId')
  })

  test('with an unknown country and lines without SKU is returned unchanged', async () => {
    const order = orderOf(await get(`/${ids.get('old')}`))
    expect(order).toMatchObject({ shippingAddress: { country: '12' }, total: usd(70), lines: [{ variantId: 'var_m' }] })
    expect(order.lines[0]).not.toHaveProperty('sku')
  })
})

test('a search finds SKUs and postcodes, written with a space or without', async () => {
  const cart = shop.addCart({ var_m: 1 })
  const lines = cart.lines.map((line) => ({ ...line, sku: 'LS-NAVY-40', productId: 'prod_1' }))
  const { id } = shop.addCart({}, { lines, checkoutMode: 'api' })
  const address = { ...BUYER.shipping_address, country: 'GB', postalCode: 'SW1Y 4JH' }
  const order = orderOf(await shop.checkOut(id, { ...BUYER, shipping_address: address }))
  expect(order.lines).toMatchObject([{ sku: 'LS-NAVY-40', productId: 'prod_1' }])
  names.set(order.id, 'sought')
  await waitFor('the search', async () => (await found('?q=ls-navy-40')).length > 0)
  for (const q of ['LS-NAVY-40', 'ls-navy', 'navy-40', 'SW1Y 4JH', 'sw1y4jh', 'SW1Y4', '4jh ada']) {
    expect(await found(`?q=${encodeURIComponent(q)}`), q).toEqual(['sought'])
  }
})
