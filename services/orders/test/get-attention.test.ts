import { OrdersAttention } from '@storefront/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRefundsShop, type RefundsShop } from './refunds-shop.ts'
import { stopQueueing } from './shop.ts'

let shop: RefundsShop

beforeAll(async () => {
  shop = await createRefundsShop()
})
afterAll(() => shop.stop())

const request = (headers: object = shop.suite.headers.admin(['orders:read'])) =>
  shop.call('GET', '/admin/attention', undefined, headers)
const attention = async () => OrdersAttention.parse((await request()).body)
const exactly = (count: number) => ({ count, more: false })

/** The last comparison found this many inconsistencies, of which a report holds a thousand. */
const report = (total: number) =>
  shop.suite.sql(
    `insert into orders.reconciliation (report, checked_until, disagreeing)
     values (jsonb_build_object('items', '[]'::jsonb, 'total', $1::int), now(), '{}')
     on conflict (only_row) do update set report = excluded.report`,
    [total],
  )

test('nothing waits in a new shop', async () => {
  expect(await attention()).toEqual({
    ordersToPack: exactly(0),
    refundsToSettle: exactly(0),
    reconciliationFindings: exactly(0),
  })
})

test('a paid order waits until it is sent, and a canceled one until its money is refunded', async () => {
  await shop.place('api')
  const [packed, refunded] = [await shop.place(), await shop.place()]
  expect(await attention()).toMatchObject({ ordersToPack: exactly(2), refundsToSettle: exactly(0) })
  const headers = shop.suite.headers.admin(['orders:write'])
  await shop.call('PATCH', `/admin/orders/${packed.id}`, { status: 'fulfilled' }, headers)
  await shop.call('PATCH', `/admin/orders/${refunded.id}`, { status: 'cancelled' }, headers)
  expect(await attention()).toMatchObject({ ordersToPack: exactly(0), refundsToSettle: exactly(1) })
  expect((await shop.refund(refunded.id)).status).toBe(200)
  expect(await attention()).toMatchObject({ ordersToPack: exactly(0), refundsToSettle: exactly(0) })
})

test('findings are those of the last reconciliation', async () => {
  await report(3)
  expect((await attention()).reconciliationFindings).toEqual(exactly(3))
  await report(0)
  expect((await attention()).reconciliationFindings).toEqual(exactly(0))
})

test('each number is counted up to a thousand', async () => {
  const { id } = await shop.place('api')
  const copy = (status: string, flag: string | null, count: number) =>
    shop.suite.sql(
      `insert into orders.orders (id, number, cart_id, email, status, placed_at, document, payment_provider, payment_status, attention)
       select id || $2 || each, number || $2 || each, cart_id || $2 || each, email, $2, placed_at, document,
         payment_provider, payment_status, $3
       from orders.orders, generate_series(1, $4::int) as each where id = $1`,
      [id, status, flag, count],
    )
  const queueAgain = await stopQueueing(shop.suite)
  await copy('paid', null, 1000)
  await copy('cancelled', 'refund_due', 1001)
  await queueAgain()
  await report(1200)
  expect(await attention()).toEqual({
    ordersToPack: exactly(1000),
    refundsToSettle: { count: 1000, more: true },
    reconciliationFindings: { count: 1000, more: true },
  })
})

test('only admins who may read orders see it', async () => {
  const { headers } = shop.suite
  for (const [caller, status] of [
    [{}, 401],
    [headers.customer('cus_ada'), 403],
    [headers.admin(['catalog:write']), 403],
  ] as const) {
    expect((await request(caller)).status).toBe(status)
  }
})
