import { migrateFrom } from '@storefront/tools/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyAllSalesChanges } from '../src/sales/apply-sales-changes.ts'
import { pageOf } from './payment-pages.ts'
import { createSalesShop, lineOf, type SalesShop } from './sales-shop.ts'
import { usd } from './shop.ts'

const FIGURES = [
  // A refund that was reversed leaves a day without figures.
  `select * from orders.sales_days
   where (revenue_minor, refunded_minor, orders, units, checkouts) <> (0, 0, 0, 0, 0) order by day, currency`,
  ...['day', 'month'].map(
    (unit) =>
      `select s.${unit}, s.currency, s.units, s.revenue_minor, p.product, p.product_id, p.slug, p.title, p.image
       from orders.product_sales_${unit}s s join orders.sold_products p on p.id = s.product order by 1, 2, 5`,
  ),
]
/** The tables that the figures are computed from, each after those that it refers to. */
const SOURCES = ['orders', 'payment_sessions', 'payments', 'refunds', 'order_timeline']

let shop: SalesShop

beforeAll(async () => {
  shop = await createSalesShop()
  shop.provider.openSession = async ({ id }) => ({ providerSession: `page_${id}`, url: `https://pay.example/${id}` })
  shop.provider.closeSession = async () => {}
})
afterAll(() => shop.stop())

async function figures(): Promise<unknown[][]> {
  const found: unknown[][] = []
  for (const text of FIGURES) found.push(await shop.suite.sql(text))
  return found
}
/** The columns of a table as it was before the migration: later migrations have added some. */
const columnsOf = async (table: string) => {
  const [row] = await shop.suite.sql<{ names: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
     where attrelid = 'orders.${table}'::regclass and attnum > 0 and not attisdropped`,
  )
  return row?.names ?? ''
}

async function sellEverything(): Promise<void> {
  const [plain, part, whole, late, foreign] = [
    await shop.sellAt('2030-01-31T23:59:59.999Z', { lines: [lineOf('shirt', 2), lineOf('sock', 1, 500)] }),
    await shop.sellAt('2030-02-01T00:00:00.000Z', { lines: [lineOf('shirt', 1)] }),
    await shop.sellAt('2030-02-01T12:00:00.000Z'),
    await shop.placeUnpaid(),
    await shop.placeUnpaid(),
  ]
  await shop.placeUnpaid()
  await shop.placeUnpaid({ isFree: true })
  await shop.payAt(plain.id, '2030-02-01T13:00:00.000Z', { reference: 'twice' })
  await shop.refundAt(plain.id, '2030-02-02T12:00:00.000Z', { paymentReference: 'twice', reference: 're_twice' })
  await shop.refundAt(part.id, '2030-02-02T12:00:00.000Z', { reference: 're_part', amount: usd(1000) })
  await shop.refundAt(part.id, '2030-02-03T12:00:00.000Z', { reference: 're_back', amount: usd(1000) })
  await shop.refundAt(part.id, '2030-02-04T12:00:00.000Z', {
    reference: 're_back',
    amount: usd(1000),
    status: 'failed',
  })
  await shop.refundAt(part.id, '2030-02-05T12:00:00.000Z', {
    reference: 're_open',
    amount: usd(100),
    status: 'pending',
  })
  await shop.refundAt(whole.id, '2030-02-06T12:00:00.000Z', { reference: 're_whole' })
  await shop.cancel(late.id)
  await shop.payAt(late.id, '2030-02-07T12:00:00.000Z')
  await shop.payAt(foreign.id, '2030-02-08T12:00:00.000Z', { currency: 'EUR', amountMinor: 4500 })
  const cart = shop.addCart({ var_m: 1 }, { checkoutMode: 'redirect', checkoutProvider: 'demo' })
  pageOf(await shop.checkOut(cart.id))
}

test('a shop that was opened before has the same figures as one that counted from the start', async () => {
  await sellEverything()
  await shop.db.destroy()
  await applyAllSalesChanges(shop.orders.context.db)
  const counted = await figures()
  // No table is empty: the one with the fewest rows has five.
  expect(Math.min(...counted.map((rows) => rows.length))).toBe(5)

  for (const table of SOURCES) await shop.suite.sql(`create table public.old_${table} as select * from orders.${table}`)
  await shop.orders.stop()
  const ran = await migrateFrom(shop.suite, 'orders', {
    before: '0018_sales.sql',
    async fill() {
      for (const table of SOURCES) {
        const columns = await columnsOf(table)
        await shop.suite.sql(
          `insert into orders.${table} (${columns}) overriding system value select ${columns} from public.old_${table}`,
        )
      }
    },
  })
  expect(ran).toContain('0018_sales.sql')
  expect(await figures()).toEqual(counted)
  expect(await shop.suite.sql('select from orders.sales_changes')).toEqual([])
})
