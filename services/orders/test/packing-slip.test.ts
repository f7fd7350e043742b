import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CartLine } from '@storefront/contracts'
import { lineWith, print } from './printed.ts'
import { BUYER, createShop, orderOf, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 100_000)
  shop.about.settings = {
    storeName: 'Linen & Co',
    storeAddress: { line1: 'Hauptstraße 5', city: 'Köln', postalCode: '50667', country: 'DE' },
    timeZone: 'Europe/Berlin',
    shippingMethods: [{ id: 'standard', label: 'DHL Paket' }],
  }
})
afterAll(() => shop.stop())

const place = async (lines: CartLine[] = [lineWith(1)], buyer: object = {}) =>
  orderOf(await shop.checkOut(shop.addCart({}, { lines, checkoutMode: 'api' }).id, { ...BUYER, ...buyer }))
const slip = (id: string, headers?: object) => print(shop, `${id}/packing-slip.pdf`, headers)

describe('a packing slip', () => {
  test('has the gift message of the buyer, line by line, and nothing in its place without one', async () => {
    const gift_message = 'Happy birthday, Zoë!\r\n\r\n\u202eYours, Ada'
    const { id, giftMessage } = await place([lineWith(1)], { gift_message })
    expect(giftMessage).toBe('Happy birthday, Zoë!\n\nYours, Ada')
    expect((await slip(id)).text).toContain('Message Happy birthday, Zoë! Yours, Ada')
    const plain = await place([lineWith(1)], { gift_message: ' \n ' })
    expect(plain).not.toHaveProperty('giftMessage')
    expect((await slip(plain.id)).text).not.toContain('Message')
  })

  test('has the longest gift message that a checkout takes, to its end', async () => {
    const gift_message = `${'With love, '.repeat(43)}yours, Zoë Łuczak`
    const { id } = await place([lineWith(1)], { gift_message: gift_message.padEnd(500, '!') })
    const { text } = await slip(id)
    expect(text).toContain('Łuczak!')
    expect(text).not.toContain('…')
  })

  test('has the shop, the number, the date, the address and each line, and no price', async () => {
    const { id, number } = await place(
      [lineWith(1, { quantity: 12, sku: 'LS-SAND-M' }), lineWith(2, { title: 'Jacket', options: {} })],
      {
        shipping_address: {
          name: 'Zoë Łuczak',
          line1: 'ul. Żółta 7',
          city: 'Kraków',
          postalCode: '30-001',
          country: 'PL',
          phone: '+48 12 345',
        },
      },
    )
    await shop.suite.sql(`update orders.orders set placed_at = '2026-02-28T23:30:00Z' where id = $1`, [id])
    const { status, pages, text } = await slip(number.toLowerCase())
    expect([status, pages.length]).toEqual([200, 1])
    for (const part of [
      'Linen & Co',
      'Hauptstraße 5',
      '50667 Köln',
      'Packing slip',
      `Order ${number}`,
      // In the time zone of the shop it is the next day.
      'Date March 1, 2026',
      'Delivery DHL Paket',
      'Units 13',
      'Ship to Zoë Łuczak ul. Żółta 7 30-001 Kraków Poland +48 12 345',
      '12 Shirt number 1 Color: Sand, Size: M LS-SAND-M',
      '1 Jacket SKU-2',
      `Packing slip ${number} · Page 1 of 1`,
    ]) {
      expect(text).toContain(part)
    }
    expect(text).not.toMatch(/\$|40\.00|USD/)
    expect(text).not.toContain(BUYER.email)
  })

  test('leaves out units that were refunded before they were sent', async () => {
    const { id, lines } = await place([lineWith(1, { quantity: 3 }), lineWith(2)])
    const change = (method: 'PATCH' | 'POST', path: string, body: object) =>
      shop.call(method, `/admin/orders/${id}${path}`, body, shop.suite.headers.admin())
    expect((await change('PATCH', '', { status: 'paid' })).status).toBe(200)
    const units = lines.map(({ id: lineId }) => ({ lineId, quantity: 1 }))
    const refund = { lines: units, reference: 'before the parcel', restock: false }
    expect((await change('POST', '/refunds', refund)).status).toBe(200)
    const { text } = await slip(id)
    expect(text).toContain('Units 2')
    expect(text).toContain('2 Shirt number 1 ')
    expect(text).not.toContain('Shirt number 2')
  })

  test('is a file that a browser shows and does not store', async () => {
    const { id, number } = await place()
    const { headers, bytes } = await slip(id)
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="packing-slip-${number}.pdf"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'content-length': String(bytes.length),
    })
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    await shop.suite.sql(`update orders.orders set number = $2 where id = $1`, [id, 'N° "7"\r\n; 8/../x'])
    expect((await slip(id)).headers['content-disposition']).toBe('inline; filename="packing-slip-N-7-8-x.pdf"')
  })

  test('of 60 lines continues on further pages with the same head and page numbers', async () => {
    const { id, number } = await place(Array.from({ length: 60 }, (_, each) => lineWith(each + 1)))
    const { pages, text } = await slip(id)
    expect(pages).toHaveLength(3)
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(number)
      expect(page).toContain('Quantity Item SKU')
      expect(page).toContain(`Page ${index + 1} of 3`)
    }
    for (let line = 1; line <= 60; line++) {
      expect(text.split(`Shirt number ${line} `), `line ${line}`).toHaveLength(2)
      expect(text).toContain(`SKU-${line} `)
    }
  })

  test('is printed for an order without an address, SKU or name of the shop', async () => {
    const { sku: _sku, ...line } = lineWith(1)
    const { id } = await place([line])
    const none = { name: '', line1: '', line2: '', city: '', region: '', postalCode: '', country: '', phone: '' }
    await shop.suite.sql(
      `update orders.orders set document = document || jsonb_build_object('shippingAddress', $2::jsonb) where id = $1`,
      [id, JSON.stringify(none)],
    )
    const { settings } = shop.about
    shop.about.settings = { storeName: '', timeZone: 'Mars/Olympus', shippingMethods: [] }
    const { status, text } = await slip(id)
    shop.about.settings = settings
    expect(status).toBe(200)
    expect(text).toContain('Ship to No delivery address')
    expect(text).toContain('Delivery standard')
  })

  test('needs the permission to read orders, and an order', async () => {
    const { id } = await place()
    const { admin, customer } = shop.suite.headers
    expect((await slip(id, admin(['orders:read']))).status).toBe(200)
    expect((await slip(id, admin(['orders:write']))).status).toBe(403)
    expect((await slip(id, customer('cus_ada'))).status).toBe(403)
    expect((await slip(id, {})).status).toBe(401)
    expect((await slip('order_nothing')).status).toBe(404)
  })
})

/** Texts as only an import or an attacker would write them. */
const HOSTILE: Record<string, string> = {
  'control characters': 'a\u0001\u001b[31mc\r\n\t\u0085\u2028d',
  'marks of direction': '\u202Etxet\u202C \u2067x\u2069 \u200Fy',
  'right-to-left letters': 'שלום عالم 12',
  'scripts of other continents': '東京都 한국 हिन्दी ภาษาไทย',
  emoji: '👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️ 👍🏽',
  'piled accents': `Z${'\u0301\u0327\u0336'.repeat(500)}`,
  'a long word': 'W'.repeat(10_000),
  'a long text': 'word '.repeat(2000),
  'the syntax of PDF': ') Tj ET /JavaScript << /S /JavaScript /JS (app.alert(1)) >> endstream endobj (\\',
  'nothing but spaces': ' \u00A0\u3000 ',
}

describe('hostile texts in an order', () => {
  test.each(Object.entries(HOSTILE))('break no document: %s', async (_what, text) => {
    const { id } = await place([lineWith(1), lineWith(2)])
    const response = await shop.call('PATCH', `/admin/orders/${id}`, { status: 'paid' }, shop.suite.headers.admin())
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    const line = (title: string) => ({ ...lineWith(3), title, sku: text, options: { [text]: text, Size: text } })
    const address = { name: text, line1: text, line2: text, city: text, region: text, postalCode: text, country: 'GB' }
    const document = { lines: [line(text), line('The last line')], shippingAddress: { ...address, phone: text } }
    await shop.suite.sql('update orders.orders set document = document || $2::jsonb where id = $1', [
      id,
      JSON.stringify(document),
    ])
    for (const path of ['packing-slip.pdf', 'invoice.pdf']) {
      const { status, pages, text: printed } = await print(shop, `${id}/${path}`)
      expect(status).toBe(200)
      expect(pages.length).toBeLessThanOrEqual(4)
      expect(printed).toContain('The last line')
      expect(printed).toContain('United Kingdom')
      expect(printed).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
    }
  })

  test('show a square for each letter that the fonts lack', async () => {
    const { id } = await place([lineWith(1, { title: 'Kimono 東京 שלום 12' })])
    expect((await slip(id)).text).toContain('Kimono □□ □□□□ 12')
  })
})

test.each([
  ['Icelandic', 'Þorlákshöfn ÐÆÖ'],
  ['Turkish', 'İstanbul ğış'],
  ['Hungarian', 'Győr űŰ'],
  ['Romanian', 'Iași Țăndărei'],
  ['Latvian', 'Ķegums Ģļņ'],
  ['Maltese', 'Għarb Żejtun Ħ'],
  ['Welsh', 'Ŵŷ Ẁỳ'],
  ['Vietnamese', 'Nguyễn Hữu Thọ'],
  ['Greek', 'Θεσσαλονίκη ΐΰ'],
  ['Bulgarian', 'София ъщю'],
  ['Ukrainian', 'Київ їєґ'],
  ['Serbian', 'Љубљана Ђћџ'],
  ['Armenian', 'Երևան'],
  ['Georgian', 'თბილისი'],
])('a name in %s is printed with all its letters', async (_language, name) => {
  const { id } = await place([lineWith(1, { title: name })])
  expect((await slip(id)).text).toContain(name)
})
