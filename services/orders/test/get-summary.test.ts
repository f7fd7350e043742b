import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from '@storefront/tools/testing'
import { dayOf } from '../src/sales/period.ts'
import { applyPaymentUpdate } from '../src/payments/apply-payment-update.ts'
import { pageOf, paymentUpdate } from './payment-pages.ts'
import { createSalesShop, lineOf, type SalesShop } from './sales-shop.ts'
import { BUYER, errorOf, usd } from './shop.ts'

const DAY_MS = 86_400_000
const NOTHING = { revenue: usd(0), refunded: usd(0), orders: 0, units: 0, averageOrder: usd(0), checkouts: 0 }

let shop: SalesShop

beforeAll(async () => {
  shop = await createSalesShop()
  shop.provider.openSession = async ({ id }) => ({ providerSession: `page_${id}`, url: `https://pay.example/${id}` })
  shop.provider.closeSession = async () => {}
})
afterAll(() => shop.stop())

/** The checkouts that were begun today: orders of other tests are paid on days of their own. */
const today = async () => {
  const now = shop.clock.now().getTime()
  const { totals } = await shop.summary(`from=${dayOf(new Date(now - DAY_MS))}&to=${dayOf(new Date(now + DAY_MS))}`)
  const paid = totals.conversion === null ? 0 : Math.round(totals.conversion * totals.checkouts)
  return { checkouts: totals.checkouts, paid }
}
const openPage = async (cartId: string, email: string) => pageOf(await shop.checkOut(cartId, { ...BUYER, email })).id

describe('a period', () => {
  test('without sales has zeros for every day, and no conversion', async () => {
    const found = await shop.summary('from=2031-02-27&to=2031-03-01')
    expect(found).toEqual({
      period: { from: '2031-02-27', to: '2031-03-01' },
      previous: { from: '2031-02-24', to: '2031-02-26' },
      totals: { ...NOTHING, conversion: null },
      previousTotals: { ...NOTHING, conversion: null },
      days: ['2031-02-27', '2031-02-28', '2031-03-01'].map((date) => ({ date, revenue: usd(0), orders: 0, units: 0 })),
      previousDays: ['2031-02-24', '2031-02-25', '2031-02-26'].map((date) => ({
        date,
        revenue: usd(0),
        orders: 0,
        units: 0,
      })),
      topProducts: [],
      otherCurrencies: [],
    })
  })

  test('is the last thirty days by default, and is compared with the thirty days before', async () => {
    const { period, previous, days } = await shop.summary('from=&to=&currency=')
    const length = ({ from, to }: typeof period) => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
    expect([length(period), length(previous), days.length]).toEqual([30, 30, 30])
    expect(Math.abs(Date.parse(period.to) - shop.clock.now().getTime())).toBeLessThan(2 * DAY_MS)
  })

  test('may have two years', async () => {
    const { days, previousDays } = await shop.summary('from=2031-01-01&to=2032-12-31')
    expect([days.length, previousDays.length, days.at(-1)?.date]).toEqual([731, 731, '2032-12-31'])
  })

  test.each([
    ['from=2031-01-02&to=2031-01-01', 'to', 'must not be before `from`: 2031-01-01 is before 2031-01-02'],
    ['from=2031-01-01&to=2033-01-01', 'from', 'must leave a period of at most 731 days, not 732'],
    ['from=2031-02-30', 'from', 'must be a date such as 2026-11-21, not "2031-02-30"'],
    ['to=tomorrow', 'to', 'must be a date such as 2026-11-21, not "tomorrow"'],
    ['from=1999-02-30', 'from', 'must be a date such as 2026-11-21, not "1999-02-30"'],
    ['from=1999-12-31', 'from', 'must be 2000-01-01 or later, not "1999-12-31"'],
    ['to=9999-12-31', 'to', 'must be 2999-12-31 or earlier, not "9999-12-31"'],
    ['currency=euro', 'currency', 'must be a three-letter ISO 4217 currency code'],
  ])('that is requested as %s is rejected with a message about %s', async (query, path, message) => {
    expect(errorOf(await shop.requestSummary(query))).toMatchObject({
      status: 422,
      code: 'validation_failed',
      detail: { issues: [{ path, message }] },
    })
  })

  test('is shown to admins who may read orders', async () => {
    const { headers } = shop.suite
    for (const [caller, status] of [
      [{}, 401],
      [headers.customer('cus_ada'), 403],
      [headers.admin(['catalog:write']), 403],
      [headers.admin(['orders:read']), 200],
    ] as const) {
      expect((await shop.requestSummary('', caller)).status).toBe(status)
    }
  })
})

describe('an order', () => {
  test('counts right after it was paid, on that day and in the month of it', async () => {
    const lines = [lineOf('shirt', 2), lineOf('sock', 1, 500)]
    await shop.sellAt('2031-04-02T00:00:00.000Z', { lines })
    await shop.sellAt('2031-04-02T23:59:59.999Z')
    const { totals, days, topProducts } = await shop.summary('from=2031-04-01&to=2031-04-03')
    expect(totals).toMatchObject({
      revenue: usd(9420 + 4920),
      refunded: usd(0),
      orders: 2,
      units: 4,
      averageOrder: usd(7170),
    })
    expect(days.map(({ revenue, orders, units }) => [revenue.amount, orders, units])).toEqual([
      [0, 0, 0],
      [14_340, 2, 4],
      [0, 0, 0],
    ])
    expect(topProducts).toEqual([
      {
        productId: 'prod_shirt',
        slug: 'shirt',
        title: 'The shirt',
        image: { url: '/media/shirt.svg', alt: 'shirt' },
        units: 2,
        revenue: usd(8000),
      },
      // A line of an older version has no id of its product.
      expect.objectContaining({ slug: 'linen-shirt', units: 1, revenue: usd(4000) }),
      expect.objectContaining({ productId: 'prod_sock', units: 1, revenue: usd(500) }),
    ])
    expect(topProducts[1]).not.toHaveProperty('productId')
    expect((await shop.summary('from=2031-04-01&to=2031-04-30')).topProducts).toEqual(topProducts)
    const next = await shop.summary('from=2031-05-01&to=2031-05-30')
    expect([next.totals.orders, next.previousTotals.orders, next.previousDays[1]?.orders]).toEqual([0, 2, 2])
    expect(next.topProducts).toEqual([])
  })

  test('that waits for its payment is only a checkout that was begun', async () => {
    const before = await today()
    const { id } = await shop.placeUnpaid()
    expect(await today()).toEqual({ checkouts: before.checkouts + 1, paid: before.paid })
    await shop.payAt(id, '2031-06-01T12:00:00.000Z')
    expect(await today()).toEqual({ checkouts: before.checkouts + 1, paid: before.paid + 1 })
    expect(await shop.totalsOf('2031-06-01')).toMatchObject({ orders: 1, checkouts: 0, conversion: null })
  })

  test('counts once when its payment is reported twice, one after the other and at once', async () => {
    const { id } = await shop.placeUnpaid()
    const pay = () => shop.payAt(id, '2031-06-02T12:00:00.000Z')
    await Promise.all([pay(), pay(), pay()])
    await pay()
    expect(await shop.totalsOf('2031-06-02')).toMatchObject({ revenue: usd(4920), orders: 1, units: 1 })
  })

  test('counts once when it is paid twice, and the refund of the second payment does not count', async () => {
    const { id } = await shop.sellAt('2031-06-03T12:00:00.000Z')
    await shop.payAt(id, '2031-06-03T13:00:00.000Z', { reference: `again_${id}` })
    await shop.refundAt(id, '2031-06-03T14:00:00.000Z', {
      paymentReference: `again_${id}`,
      reference: `re_again_${id}`,
    })
    expect(await shop.totalsOf('2031-06-03')).toMatchObject({ revenue: usd(4920), refunded: usd(0), orders: 1 })
  })

  test('that was canceled before its payment arrived counts with it, and with its refund', async () => {
    const { id } = await shop.placeUnpaid()
    await shop.cancel(id)
    await shop.payAt(id, '2031-06-04T12:00:00.000Z')
    await shop.makeDue()
    await shop.refundAt(id, '2031-06-04T13:00:00.000Z', { reference: `re_${id}` })
    const { revenue, orders } = await shop.totalsOf('2031-06-04')
    expect([revenue.amount, orders]).toEqual([4920, 1])
  })

  test('without a price is an order without revenue', async () => {
    const before = await today()
    await shop.placeUnpaid({ isFree: true })
    expect(await today()).toEqual({ checkouts: before.checkouts + 1, paid: before.paid + 1 })
  })

  test('that is paid while others are counted counts when it is committed', async () => {
    const [first, second] = [await shop.placeUnpaid(), await shop.placeUnpaid()]
    const at = '2031-06-05T12:00:00.000Z'
    await shop.suite.sql('begin')
    await shop.suite.sql(
      `insert into orders.order_timeline (order_id, at, kind, detail)
       values ($1, $2, 'payment_captured', '{"amount": 4920, "currency": "USD"}')`,
      [first.id, at],
    )
    await shop.payAt(second.id, at)
    expect(await shop.totalsOf('2031-06-05')).toMatchObject({ orders: 1 })
    await shop.suite.sql('commit')
    expect(await shop.totalsOf('2031-06-05')).toMatchObject({ orders: 2, revenue: usd(9840) })
  })

  test('that is paid in another currency is shown with that currency', async () => {
    const { id } = await shop.placeUnpaid()
    await shop.payAt(id, '2031-06-06T12:00:00.000Z', { currency: 'EUR', amountMinor: 4500 })
    const query = 'from=2031-06-06&to=2031-06-06'
    const inDollars = await shop.summary(query)
    expect([inDollars.totals.orders, inDollars.otherCurrencies]).toEqual([0, ['EUR']])
    const inEuros = await shop.summary(`${query}&currency=EUR`)
    expect(inEuros.totals).toMatchObject({ revenue: { amount: 4500, currency: 'EUR' }, orders: 1, units: 1 })
    expect(inEuros.otherCurrencies).toEqual(['USD'])
  })
})

describe('a refund', () => {
  test('counts on the day on which it was made, and takes nothing off the revenue', async () => {
    const { id } = await shop.sellAt('2031-07-01T12:00:00.000Z')
    await shop.refundAt(id, '2031-07-02T12:00:00.000Z', { reference: `re_part_${id}`, amount: usd(1000) })
    const of = async (day: string) => {
      const { revenue, refunded, orders } = await shop.totalsOf(day)
      return [revenue.amount, refunded.amount, orders]
    }
    expect([await of('2031-07-01'), await of('2031-07-02')]).toEqual([
      [4920, 0, 1],
      [0, 1000, 0],
    ])
    // The remaining amount cancels the order.
    await shop.refundAt(id, '2031-07-03T12:00:00.000Z', { reference: `re_rest_${id}`, amount: usd(3920) })
    expect((await shop.order(id)).status).toBe('cancelled')
    expect([await of('2031-07-01'), await of('2031-07-03')]).toEqual([
      [4920, 0, 1],
      [0, 3920, 0],
    ])
    expect((await shop.summary('from=2031-07-01&to=2031-07-03')).totals).toMatchObject({
      revenue: usd(4920),
      refunded: usd(4920),
      orders: 1,
      averageOrder: usd(4920),
    })
  })

  test('that the provider has not confirmed does not count, and counts once when it has, however often', async () => {
    const { id } = await shop.sellAt('2031-07-04T12:00:00.000Z')
    const report = (status: 'pending' | 'succeeded', at: string) =>
      shop.refundAt(id, at, { reference: `re_${id}`, amount: usd(1000), status })
    await report('pending', '2031-07-04T13:00:00.000Z')
    expect((await shop.totalsOf('2031-07-04')).refunded).toEqual(usd(0))
    await report('succeeded', '2031-07-05T12:00:00.000Z')
    await report('succeeded', '2031-07-06T12:00:00.000Z')
    const { totals, days } = await shop.summary('from=2031-07-04&to=2031-07-06')
    expect(totals.refunded).toEqual(usd(1000))
    expect((await shop.totalsOf('2031-07-05')).refunded).toEqual(usd(1000))
    expect(days).toHaveLength(3)
  })

  test('that is reversed is taken off the day on which it was counted', async () => {
    const { id } = await shop.sellAt('2031-07-07T12:00:00.000Z')
    const report = (status: 'succeeded' | 'failed', at: string) =>
      shop.refundAt(id, at, { reference: `re_${id}`, amount: usd(1000), status })
    await report('succeeded', '2031-07-08T12:00:00.000Z')
    expect((await shop.totalsOf('2031-07-08')).refunded).toEqual(usd(1000))
    await report('failed', '2031-07-09T12:00:00.000Z')
    for (const day of ['2031-07-07', '2031-07-08', '2031-07-09'])
      expect((await shop.totalsOf(day)).refunded).toEqual(usd(0))
  })

  test('that is requested with the admin API counts right after its response', async () => {
    const { id } = await shop.place()
    // The shop itself returns what was paid for a canceled order, and that counts on the real day.
    await waitFor('the refunds of other orders', async () => {
      const open = await shop.suite.sql(`select 1 from orders.refunds where status = 'pending'`)
      return open.length === 0
    })
    const before = await shop.summary('')
    expect((await shop.refund(id, { amount: 1500, restock: false })).status).toBe(200)
    const { totals } = await shop.summary('')
    expect(totals.refunded.amount - before.totals.refunded.amount).toBe(1500)
  })
})

describe('a checkout', () => {
  test('at a payment page counts once for a cart, however often the page is opened, and is paid with its order', async () => {
    const before = await today()
    const cart = shop.addCart({ var_m: 1 }, { checkoutMode: 'redirect', checkoutProvider: 'demo' })
    const first = await openPage(cart.id, 'ada@mail.example')
    const second = await openPage(cart.id, 'grace@mail.example')
    expect(second).not.toBe(first)
    await openPage(
      shop.addCart({ var_m: 1 }, { checkoutMode: 'redirect', checkoutProvider: 'demo' }).id,
      'left@mail.example',
    )
    expect(await today()).toEqual({ checkouts: before.checkouts + 2, paid: before.paid })
    const payment = { reference: 'pi_page', sessionId: second, amount: usd(4920) }
    const update = paymentUpdate({ provider: 'demo', ...payment })
    await applyPaymentUpdate(shop.orders.context, update)
    await applyPaymentUpdate(shop.orders.context, update)
    expect(await today()).toEqual({ checkouts: before.checkouts + 2, paid: before.paid + 1 })
  })
})

test('the ten products with the highest revenue are shown, summed over days and whole months', async () => {
  const products = Array.from({ length: 11 }, (_, index) => `item-${String.fromCharCode(97 + index)}`)
  const lines = products.map((product, index) => lineOf(product, 1, 100 * (index + 1)))
  for (const day of ['2031-08-31', '2031-09-01', '2031-10-31', '2031-11-01'])
    await shop.sellAt(`${day}T12:00:00.000Z`, { lines: lines.map((line) => ({ ...line, id: `${line.id}_${day}` })) })
  await shop.sellAt('2031-11-01T13:00:00.000Z', { lines: [lineOf('item-a', 9, 100)] })
  const { topProducts } = await shop.summary('from=2031-08-31&to=2031-11-01')
  const [least, ...others] = products.slice(2).map((slug) => [slug, 4, 400 * (products.indexOf(slug) + 1)])
  expect(topProducts.map(({ slug, units, revenue }) => [slug, units, revenue.amount])).toEqual([
    ...others.toReversed(),
    ['item-a', 13, 1300],
    least,
  ])
  expect((await shop.summary('from=2031-09-01&to=2031-10-31')).topProducts[0]).toMatchObject({
    slug: 'item-k',
    units: 2,
  })
})
