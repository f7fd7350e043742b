import { listOf, Order, OrderStatus } from '@storefront/contracts'
import { amount, waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BUYER, createShop, orderOf, errorOf, searchIndexed, type Shop } from './shop.ts'

const OrderList = listOf(Order).extend({
  page: z.int(),
  perPage: z.int(),
  counts: z.record(OrderStatus, z.int()),
  nextCursor: z.string().optional(),
})
let shop: Shop

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 1000)
})
afterAll(() => shop.stop())

const admin = () => shop.suite.headers.admin(['orders:read'])
const get = (path: string, headers: object = admin()) => shop.call('GET', `/admin/orders${path}`, undefined, headers)
const list = async (query = '') => OrderList.parse((await get(query)).body)
const found = async (q: string, more = '') =>
  (await list(`?q=${encodeURIComponent(q)}${more}`)).items.map((order) => order.id)
const place = async (buyer: object = {}, more: object = {}) =>
  orderOf(await shop.checkOut(shop.addCart({ var_m: 1 }, { checkoutMode: 'api', ...more }).id, { ...BUYER, ...buyer }))
const indexed = () => searchIndexed(shop.suite)
const set = (id: string, assignments: string) =>
  shop.suite.sql(`update orders.orders set ${assignments} where id = $1`, [id])

test('a merchant sees any order, with the reference of its payment, by id or number', async () => {
  const { id, number } = await place({}, { checkoutMode: 'demo' })
  await waitFor('the payment', async () => orderOf(await get(`/${id}`)).status === 'paid')
  for (const path of [id, number]) {
    const response = await get(`/${path}`)
    expect(orderOf(response).payment.reference).toBe(`demo_${id}`)
    expect(response.headers['cache-control']).toBe('private, no-store')
  }
  const [listed] = (await list(`?q=${number}`)).items
  expect(listed).toEqual(orderOf(await get(`/${id}`)))
  expect(orderOf(await get(`/${number.toLowerCase()}`)).id).toBe(id)
  for (const path of ['/order_nothing', '/SF-1', '/order_nothing/timeline']) {
    expect(errorOf(await get(path))).toMatchObject({ status: 404, code: 'not_found' })
  }
})

test('other callers see no order, and the token of a merchant opens no order page', async () => {
  const { id, accessToken } = await place()
  for (const path of ['', `/${id}`, `/${id}/timeline`]) {
    for (const [headers, status] of [
      [{}, 401],
      [{ 'x-order-token': accessToken }, 401],
      [shop.suite.headers.customer('cus_ada'), 403],
      [shop.suite.headers.admin(['catalog:write']), 403],
    ] as const) {
      expect((await get(path, headers)).status).toBe(status)
    }
  }
  expect((await shop.call('GET', `/orders/${id}`, undefined, shop.suite.headers.admin())).status).toBe(404)
})

describe('the list', () => {
  test('shows what needs attention first, then the newest, in pages that hold each order once', async () => {
    const orders: string[] = []
    for (let each = 0; each < 7; each++) orders.unshift((await place({ email: 'list@mail.example' })).id)
    const [flagged = '', alsoFlagged = ''] = [orders[5], orders[3]]
    await set(flagged, `attention = 'out_of_stock'`)
    await set(alsoFlagged, `attention = 'refund_due'`)
    await indexed()
    const wanted = [alsoFlagged, flagged, ...orders.filter((id) => id !== flagged && id !== alsoFlagged)]
    const all = await list()
    expect(all.items.slice(0, 7).map(({ id }) => id)).toEqual(wanted)
    expect(all).toMatchObject({ page: 1, perPage: 25, total: all.items.length })
    for (const query of ['?', '?q=list@mail.example&', '?q=list@mail.example&status=placed&']) {
      const byPage: string[] = []
      for (let page = 1; byPage.length < 7; page++) {
        byPage.push(...(await list(`${query}per_page=2&page=${page}`)).items.map(({ id }) => id))
      }
      expect(byPage.slice(0, 7)).toEqual(wanted)
      let { items, nextCursor } = await list(`${query}per_page=3`)
      const byCursor = items.map(({ id }) => id)
      for (let page = 2; nextCursor !== undefined && byCursor.length < 7; page++) {
        const next = await list(`${query}per_page=3&cursor=${nextCursor}`)
        expect(next.page).toBe(page)
        byCursor.push(...next.items.map(({ id }) => id))
        nextCursor = next.nextCursor
      }
      expect(byCursor.slice(0, 7)).toEqual(wanted)
    }
    expect((await list('?attention=1')).items.map(({ id }) => id)).toEqual([alsoFlagged, flagged])
    expect(await list('?q=list@mail.example&attention=1')).toMatchObject({ total: 2 })
  })

  test('shows one status or a range of days on request', async () => {
    const { id } = await place()
    await set(id, `status = 'delivered', placed_at = '2024-02-29 23:59:59.999+00'`)
    await indexed()
    for (const query of [
      '?status=delivered',
      '?from=2024-02-29&to=2024-02-29',
      '?to=2024-03-01T00:00:00Z',
      '?q=ada&status=delivered',
      '?q=ada&to=2024-02-29',
    ]) {
      expect(await list(query)).toMatchObject({ total: 1, items: [{ id, status: 'delivered' }] })
    }
    for (const query of [
      '?status=cancelled',
      '?to=2024-02-28',
      '?status=placed&to=2024-03-01',
      '?q=ada&to=2024-02-28',
    ]) {
      expect(await list(query)).toMatchObject({ items: [], total: 0, page: 1, perPage: 25 })
    }
  })

  test('rejects an invalid status, page, day and cursor', async () => {
    expect(errorOf(await get('?status=lost'))).toMatchObject({ status: 422, code: 'invalid_status' })
    const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const query of [
      '?page=x',
      '?per_page=1.5',
      '?from=yesterday',
      '?to=2024-02-30',
      '?cursor=x',
      `?cursor=${cursorOf([1, true, 'now', 'order_1'])}`,
      `?cursor=${cursorOf([1, true, '2026-01-01T00:00:00.000000Z', 'a\0'])}`,
      `?cursor=${cursorOf([1, true, '0000-01-01T00:00:00.000000Z', 'order_1'])}`,
      `?q=${'x'.repeat(201)}`,
    ]) {
      expect(errorOf(await get(query)), query).toMatchObject({ status: 422, code: 'validation_failed' })
    }
    expect(await list('?page=0&per_page=1000')).toMatchObject({ page: 1, perPage: 100 })
    const everything = await list('')
    expect(await list('?from=0000-01-01&to=9999-12-31')).toEqual(everything)
  })
})

describe('a search', () => {
  test('finds an order by everything a merchant may know of it, in any case and without accents', async () => {
    const address = { ...BUYER.shipping_address, name: "Zoë Ångström-O'Neill" }
    const { id, number } = await place({ email: 'Zoe.A@Example.org', shipping_address: address })
    await set(
      id,
      `document = document || '{"discountCode": {"code": "WELCOME-10", "label": "x"}}'
         || jsonb_build_object('lines', jsonb_build_array((document -> 'lines' -> 0)
           || '{"title": "Crêpe Dress", "variantId": "var_zoe1"}')),
       payment_reference = 'pay_Zoe%1', tracking = '{"carrier": "UPS", "code": "1Z-ZOE", "url": ""}'`,
    )
    await indexed()
    const digits = number.replace('SF-', '')
    for (const q of [
      number,
      number.toLowerCase(),
      digits,
      id,
      id.slice(0, 20),
      'zoe.a@example.org',
      'ZOE.A@',
      'example.org',
      'zoë',
      'ZOE angstr',
      "o'neill",
      'neill, zoe',
      'crepe dre',
      'Crêpe',
      'var_zoe1',
      'welcome-10',
      'pay_zoe%1',
      '1z-zoe',
      `  ${digits}\t zoe `,
    ]) {
      expect(await found(q), q).toContain(id)
    }
    for (const q of ['gstrom', 'zoe nobody', `${number}0`, "zoe' | 'ada", 'z\\oe', '!zoe & ada']) {
      expect(await found(q), q).not.toContain(id)
    }
  })

  test('finds added words, and no longer finds replaced ones', async () => {
    const { id } = await place()
    for (const code of ['FIRSTCODE', 'SECONDCODE']) {
      await set(id, `tracking = '{"carrier": "UPS", "code": "${code}", "url": ""}'`)
      await indexed()
    }
    expect([await found('firstcode'), await found('secondcode')]).toEqual([[], [id]])
  })

  test('sees a change of status at once', async () => {
    const { id } = await place()
    await set(id, `payment_reference = 'pay_statuses'`)
    await indexed()
    await set(id, `status = 'cancelled', attention = 'refund_due'`)
    expect(await found('pay_statuses', '&status=cancelled')).toEqual([id])
    expect(await found('pay_statuses', '&status=placed')).toEqual([])
    expect(await found('pay_statuses', '&attention=1')).toEqual([id])
  })

  test('finds an order immediately by its number or id, without duplicates', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, number } = await place()
      for (const q of [number, ` ${number.toLowerCase()} `, id]) {
        expect(await list(`?q=${encodeURIComponent(q)}`)).toMatchObject({ total: 1, items: [{ id }] })
        expect(await found(q, '&status=cancelled')).toEqual([])
      }
    }
  })

  test.each(['!!!', "'", '\\', '&', "a' b", ':*', '((', '\u{1F600}', 'ﬁ', '<->', 'a '.repeat(90)])(
    'for %j finds nothing and does not fail',
    async (q) => {
      expect(await found(`nowhere ${q}`)).toEqual([])
      expect((await get(`?q=${encodeURIComponent(q)}`)).status).toBe(200)
    },
  )
})

/** It makes 10,100 orders, because the list counts up to 10,000. */
const hasManyOrders = amount({ quick: false, long: true })

test.runIf(hasManyOrders)('a very frequent word still lists its orders, in the same order', async () => {
  const { id, number } = await place({ email: 'crowd@mail.example' })
  await shop.suite.sql(
    `insert into orders.orders (id, number, cart_id, email, status, placed_at, document, payment_provider, payment_status)
     select id || each, 'C-' || each, cart_id || each, email, status, placed_at - each * interval '1 minute',
       document || '{"lines": []}', payment_provider, payment_status
     from orders.orders, generate_series(1, 10100) as each where id = $1`,
    [id],
  )
  await indexed()
  const first = await list('?q=crowd@mail.example&per_page=100')
  expect(first.total).toBe(10_000)
  expect(first.items.map((order) => order.id)).toEqual([
    id,
    ...Array.from({ length: 99 }, (_, index) => `${id}${index + 1}`),
  ])
  const second = await list(`?q=crowd@mail.example&per_page=100&cursor=${first.nextCursor}`)
  expect(second.items[0]?.id).toBe(`${id}100`)
  expect(Object.values(first.counts).reduce((sum, count) => sum + count, 0)).toBe(10_000)

  await shop.suite.sql(`update orders.orders set status = 'paid' where number like 'C-100__'`)
  const paid = await list('?q=crowd@mail.example&status=paid&per_page=2')
  expect(paid).toMatchObject({ total: 100, counts: { paid: 100 }, items: [{ id: `${id}10000` }, { id: `${id}10001` }] })

  const url = '/admin/orders/export?q=crowd@mail.example&sort=oldest'
  const rows = (await shop.orders.app.inject({ url, headers: admin() })).body.trimEnd().split('\r\n').slice(1)
  expect(rows.map((row) => row.split(',')[0])).toEqual([
    ...Array.from({ length: 10_100 }, (_, index) => `C-${10_100 - index}`),
    number,
  ])
  expect((await list(`?per_page=1`)).total).toBeGreaterThan(10_100)
})
