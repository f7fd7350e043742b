import { sql } from 'kysely'
import { transaction } from '@storefront/postgres'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyAllSalesChanges, applySalesChanges } from '../src/sales/apply-sales-changes.ts'
import { lockSales } from '../src/sales/sales.queries.ts'
import { createSalesShop, lineOf, type SalesShop } from './sales-shop.ts'
import { usd } from './shop.ts'

let shop: SalesShop

beforeAll(async () => {
  shop = await createSalesShop()
})
afterAll(() => shop.stop())

const waiting = async () => (await shop.suite.sql('select from orders.sales_changes')).length
/** Entries as the payments of this many copies of an order write them. */
const payCopies = async (id: string, count: number, day: string) => {
  await shop.suite.sql(
    `insert into orders.orders (id, number, cart_id, email, status, placed_at, document, payment_provider, payment_status)
     select id || '-' || $3 || each, number || '-' || $3 || each, cart_id || $3 || each, email, status, placed_at, document,
       payment_provider, payment_status
     from orders.orders, generate_series(1, $2::int) as each where id = $1`,
    [id, count, day],
  )
  await shop.suite.sql(
    `insert into orders.order_timeline (order_id, at, kind, detail)
     select id, $2::timestamptz, 'payment_captured', '{"amount": 4920, "currency": "USD"}'
     from orders.orders where id like $1 || '-' || $3 || '%'`,
    [id, `${day}T12:00:00.000Z`, day],
  )
}

test('several replicas at once count every change once', async () => {
  const { id } = await shop.placeUnpaid({ lines: [lineOf('cap', 3, 1333)] })
  await payCopies(id, 1200, '2031-01-01')
  const replicas = Array.from({ length: 3 }, () => applySalesChanges(shop.orders.context))
  for (const replica of replicas) replica.wake()
  const [found] = await Promise.all([
    shop.summary('from=2031-01-01&to=2031-01-31'),
    applyAllSalesChanges(shop.db),
    applyAllSalesChanges(shop.orders.context.db),
  ])
  for (const replica of replicas) await replica.stop()
  const again = await shop.summary('from=2031-01-01&to=2031-01-31')
  for (const { totals, topProducts } of [found, again]) {
    expect(totals).toMatchObject({ revenue: usd(1200 * 4920), orders: 1200, units: 3600 })
    expect(topProducts).toMatchObject([{ productId: 'prod_cap', units: 3600, revenue: usd(1200 * 3999) }])
  }
  expect(await waiting()).toBe(0)
})

test('a replica counts changes without a request for a summary', async () => {
  await shop.sellAt('2031-02-01T12:00:00.000Z')
  await waitFor('the changes to be counted', async () => (await waiting()) === 0)
  const rows = await shop.suite.sql(`select orders from orders.sales_days where day = '2031-02-01'`)
  expect(rows).toEqual([{ orders: 1 }])
})

test('a failure in between loses nothing and counts nothing twice', async () => {
  await applyAllSalesChanges(shop.db)
  await shop.suite.sql(`
    create function orders.crash() returns trigger language plpgsql as $$ begin raise 'a crash'; end $$;
    create trigger crash before insert or update on orders.product_sales_months
      for each row execute function orders.crash()`)
  await shop.sellAt('2031-02-02T12:00:00.000Z')
  await expect(applyAllSalesChanges(shop.db)).rejects.toThrow('a crash')
  expect((await shop.requestSummary('from=2031-02-02&to=2031-02-02')).status).toBe(500)
  expect(await shop.suite.sql(`select from orders.sales_days where day = '2031-02-02'`)).toEqual([])
  await shop.suite.sql('drop function orders.crash cascade')
  expect(await shop.totalsOf('2031-02-02')).toMatchObject({ revenue: usd(4920), orders: 1, units: 1 })
})

test('a checkout does not wait for the replica that counts', async () => {
  await shop.sellAt('2031-02-03T12:00:00.000Z')
  await applyAllSalesChanges(shop.db)
  await transaction(shop.db, async (tx) => {
    await lockSales(tx)
    await sql`select from sales_days for update`.execute(tx)
    await sql`select from product_sales_days for update`.execute(tx)
    await shop.sellAt('2031-02-03T13:00:00.000Z')
    expect(await waiting()).toBeGreaterThan(0)
  })
  expect(await shop.totalsOf('2031-02-03')).toMatchObject({ orders: 2 })
})

test('an order that cannot be parsed counts with what is known of it', async () => {
  await shop.suite.sql(`
    insert into orders.orders (id, number, cart_id, email, status, placed_at, document, payment_provider, payment_status)
    values ('order_odd', 'ODD-1', 'cart_odd', 'odd@mail.example', 'placed', '2031-02-04', '{}', 'demo', 'pending');
    insert into orders.order_timeline (order_id, at, kind, detail)
    values ('order_odd', '2031-02-04T12:00:00Z', 'payment_captured', '{"amount": 700, "currency": "USD"}')`)
  expect(await shop.totalsOf('2031-02-04')).toMatchObject({ revenue: usd(700), orders: 1, units: 0 })
})

test('a product keeps the name under which it was sold last', async () => {
  const renamed = { ...lineOf('mug', 1), title: 'The new mug', productSlug: 'new-mug' }
  await shop.sellAt('2031-03-01T12:00:00.000Z', { lines: [lineOf('mug', 1)] })
  await shop.sellAt('2031-03-01T13:00:00.000Z', { lines: [renamed] })
  const { topProducts } = await shop.summary('from=2031-03-01&to=2031-03-01')
  expect(topProducts).toMatchObject([{ productId: 'prod_mug', slug: 'new-mug', title: 'The new mug', units: 2 }])
})
