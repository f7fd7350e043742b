import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CartLine, TaxTerms } from '@storefront/contracts'
import { amount, waitFor } from '@storefront/tools/testing'
import { lineWith, print } from './printed.ts'
import { BUYER, createShop, errorOf, orderOf, usd, type Shop } from './shop.ts'
import { timelineOf } from './timeline.ts'

let shop: Shop
const SETTINGS = {
  storeName: 'Linen & Co',
  storeAddress: 'Linen & Co Ltd\n1 Mill Lane, Belfast\nVAT GB 123 4567 89',
  storeEmail: 'hello@linen.example',
  timeZone: 'UTC',
  shippingMethods: [{ id: 'standard', label: 'Royal Mail' }],
}

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 100_000)
  shop.about.settings = SETTINGS
})
afterAll(() => shop.stop())

const admin = () => shop.suite.headers.admin()
const place = async (lines: CartLine[] = [lineWith(1)], taxTerms?: TaxTerms) => {
  const cart = shop.addCart({}, { lines, checkoutMode: 'api', ...(taxTerms && { taxTerms }) })
  return orderOf(await shop.checkOut(cart.id))
}
const pay = async (id: string) => orderOf(await shop.call('PATCH', `/admin/orders/${id}`, { status: 'paid' }, admin()))
const paid = async (lines?: CartLine[], taxTerms?: TaxTerms) => pay((await place(lines, taxTerms)).id)
const invoice = (id: string, headers?: object) => print(shop, `${id}/invoice.pdf`, headers)
/** Repeats the request after a 503, as a client does, because the machine may be busy. */
const invoiceAtLast = (id: string) =>
  waitFor('a response', async () => {
    const printed = await invoice(id)
    return printed.status !== 503 && printed
  })
const numberOf = (text: string) => Number(/INV-(\d{6})/.exec(text)?.[1])
/** The text of an invoice from the total on, without the dates of refunds. */
const sumsOf = (text: string) =>
  /Total \$.* Total after refunds \S+/.exec(text)?.[0].replaceAll(/Refund of \w+ \d+, \d{4}/g, 'Refund')
const amend = (id: string, document: object) =>
  shop.suite.sql('update orders.orders set document = document || $2::jsonb where id = $1', [
    id,
    JSON.stringify(document),
  ])

describe('an invoice', () => {
  test('has the seller, its number, the dates, the lines, and how the total is made up', async () => {
    const { id, number } = await paid([lineWith(1, { quantity: 2, sku: 'LS-M' }), lineWith(2)], {
      rate: 825,
      isIncluded: false,
      onShipping: false,
    })
    await amend(id, {
      discount: usd(2000),
      discountCode: { code: 'SUMMER', label: '20 off' },
      tax: usd(825),
      total: usd(11_425),
    })
    await shop.suite.sql(`update orders.orders set placed_at = '2026-01-31T10:00:00Z' where id = $1`, [id])
    const { status, pages, text, headers } = await invoice(id)
    expect([status, pages.length]).toEqual([200, 1])
    const name = `INV-${String(numberOf(text)).padStart(6, '0')}`
    for (const part of [
      'Linen & Co Linen & Co Ltd 1 Mill Lane, Belfast VAT GB 123 4567 89 hello@linen.example',
      `Invoice ${name}`,
      'Invoice date',
      `Order ${number}`,
      'Order date January 31, 2026',
      `Bill to Ada 1 Way LA, CA 90001 United States ${BUYER.email}`,
      'Item Quantity Unit price Amount',
      'Shirt number 1 Color: Sand, Size: M · LS-M 2 $40.00 $80.00',
      'Shirt number 2 Color: Sand, Size: M · SKU-2 1 $40.00 $40.00',
      'Subtotal $120.00',
      'Discount (SUMMER) −$20.00',
      'Shipping: Royal Mail $6.00',
      'Tax 8.25% on $100.00 $8.25',
      'Total $114.25',
      `Invoice ${name} · Page 1 of 1`,
    ]) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain('Refund')
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="invoice-${name}.pdf"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
  })

  test('names the tax that prices include after the total', async () => {
    const { id } = await paid([lineWith(1)], { rate: 2000, isIncluded: true, onShipping: true })
    await amend(id, { tax: usd(767), total: usd(4600) })
    expect((await invoice(id)).text).toContain('Total $46.00 Included: Tax 20% on $38.33 $7.67')
  })

  test('of an order from before rates were kept has the tax without a rate', async () => {
    const { id } = await paid()
    expect((await invoice(id)).text).toContain('Tax $3.20 Total $49.20')
  })

  test('shows the refunds that were made until now', async () => {
    const { id } = await paid()
    const before = await invoice(id)
    for (const [reference, amount] of [
      ['first', 1000],
      ['second', 500],
    ] as const) {
      const refund = { amount, reference, restock: false }
      expect((await shop.call('POST', `/admin/orders/${id}/refunds`, refund, admin())).status).toBe(200)
    }
    const { text } = await invoice(id)
    expect(sumsOf(text)).toBe('Total $49.20 Refund −$10.00 Refund −$5.00 Total after refunds $34.20')
    expect(numberOf(text)).toBe(numberOf(before.text))
  })

  test.each([
    [6000, 'Paid $60.00 Refund −$15.00 Total after refunds $45.00'],
    [6920, 'Paid $69.20 Refund −$15.00 Total after refunds $49.20'],
    [1500, 'Paid $15.00 Refund −$15.00 Total after refunds $0.00'],
  ])(
    'of an order that was paid with another amount than its total shows it above the refunds: %s',
    async (captured, sums) => {
      const { id } = await paid()
      await shop.suite.sql('update orders.orders set captured_minor = $2 where id = $1', [id, captured])
      const refund = { amount: 1500, reference: `of ${captured}`, restock: false }
      expect((await shop.call('POST', `/admin/orders/${id}/refunds`, refund, admin())).status).toBe(200)
      expect(sumsOf((await invoice(id)).text)).toBe(`Total $49.20 ${sums}`)
    },
  )

  test('keeps its number, its date and its seller when the shop changes', async () => {
    const { id } = await paid()
    const first = await invoice(id)
    shop.about.settings = { ...SETTINGS, storeName: 'Renamed', storeAddress: 'Elsewhere' }
    const second = await invoice(id)
    shop.about.settings = SETTINGS
    expect(second.text).toBe(first.text)
    expect(second.text).not.toContain('Renamed')
    expect((await print(shop, `${id}/packing-slip.pdf`)).text).toContain('Linen & Co')
  })

  test('exists for paid orders only, whatever becomes of them later', async () => {
    const { id } = await place()
    const rejected = await invoice(id)
    expect(errorOf({ status: rejected.status, body: JSON.parse(rejected.bytes.toString()) })).toMatchObject({
      status: 402,
      code: 'payment_not_captured',
      message: 'This order has not been paid yet, so it has no invoice.',
    })
    await pay(id)
    const { text } = await invoice(id)
    await shop.call('PATCH', `/admin/orders/${id}`, { status: 'cancelled' }, admin())
    expect(numberOf((await invoice(id)).text)).toBe(numberOf(text))
    expect((await invoice('order_nothing')).status).toBe(404)
  })

  test('is issued once, and the timeline shows by whom', async () => {
    const { id } = await paid()
    const reader = shop.suite.headers.adminUser('user_accountant', ['orders:read'])
    const name = `INV-${String(numberOf((await invoice(id, reader)).text)).padStart(6, '0')}`
    await invoice(id)
    const steps = (await timelineOf(shop, id)).map(({ kind, label, actor }) => ({ kind, label, actor }))
    expect(steps.filter(({ kind }) => kind === 'invoice')).toEqual([
      { kind: 'invoice', label: `The invoice ${name} was issued.`, actor: 'user_accountant' },
    ])
    expect((await invoice(id, shop.suite.headers.admin(['orders:write']))).status).toBe(403)
  })

  test('of 60 lines continues on further pages with the same head, and the sums are on the last', async () => {
    const { id } = await paid(Array.from({ length: 60 }, (_, each) => lineWith(each + 1)))
    const { pages, text } = await invoice(id)
    expect(pages).toHaveLength(3)
    for (const [index, page] of pages.entries()) {
      expect(page).toContain('Item Quantity Unit price Amount')
      expect(page).toContain(`Page ${index + 1} of 3`)
      expect(page.includes('Subtotal')).toBe(index === 2)
    }
    for (let line = 1; line <= 60; line++) expect(text.split(`Shirt number ${line} `)).toHaveLength(2)
  })

  test('writes amounts and days plainly where the fonts lack the letters of a language', async () => {
    const { id } = await paid()
    await amend(id, { locale: 'ar-EG' })
    await shop.suite.sql(`update orders.orders set placed_at = '2026-01-31T10:00:00Z' where id = $1`, [id])
    const { text } = await invoice(id)
    expect(text).toContain('Order date 2026-01-31')
    expect(text).toContain('Total 49.20 USD')
    expect(text).toContain('United States')
  })
})

describe('numbers of invoices', () => {
  test('are given in order and without gaps, however many are requested at the same moment', async () => {
    const before = numberOf((await invoice((await paid()).id)).text)
    const orders = await Promise.all(Array.from({ length: amount({ quick: 5, long: 8 }) }, () => paid()))
    // Each is requested three times, and unpaid orders in between take no number.
    const unpaid = await place()
    const requests = orders.flatMap(({ id }) => [id, unpaid.id, id, id])
    const responses = await Promise.all(requests.map(async (id) => ({ id, ...(await invoiceAtLast(id)) })))
    const given = responses.filter(({ id }) => id !== unpaid.id)
    expect(given.map(({ status }) => status)).toEqual(orders.flatMap(() => [200, 200, 200]))
    const byOrder = Map.groupBy(given, ({ id }) => id)
    const numbers = [...byOrder.values()].map((copies) => [...new Set(copies.map(({ text }) => numberOf(text)))])
    expect(numbers.every((ofOne) => ofOne.length === 1)).toBe(true)
    expect(numbers.flat().toSorted((one, other) => one - other)).toEqual(orders.map((_, each) => before + 1 + each))
  })

  test('are not lost when an invoice cannot be written', async () => {
    const before = numberOf((await invoice((await paid()).id)).text)
    const { id } = await paid()
    await shop.suite.sql(
      `create function orders.fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
       create trigger fail before insert on orders.invoices for each row execute function orders.fail()`,
    )
    expect((await invoice(id)).status).toBe(500)
    await shop.suite.sql('drop function orders.fail cascade')
    expect(numberOf((await invoice(id)).text)).toBe(before + 1)
  })

  test('cannot be changed or deleted by the service', async () => {
    await invoice((await paid()).id)
    const { db } = shop.orders.context
    await expect(db.deleteFrom('invoices').execute()).rejects.toThrow('permission denied')
    await expect(db.updateTable('invoices').set({ number: 1 }).execute()).rejects.toThrow('permission denied')
  })
})
