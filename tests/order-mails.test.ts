import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Order, ORDER_MAIL_KINDS, Product, type OrderMailKind } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { orderToken, plain } from './support/mails.ts'
import { openShop, type TestShop } from './support/shop.ts'
import { ADDRESS } from './support/test-client.ts'

const BUYER = 'ada@example.com'

let shop: TestShop
let variantId: string

beforeAll(async () => {
  // Logs of every level are searched for personal data.
  shop = await openShop({ env: { LOG_LEVEL: 'debug' } })
  variantId = (await shop.stockProduct('mailed-shirt', 20)).variants[0]?.id ?? ''
})
afterAll(() => shop.stop())

const mail = (number: string, kind: OrderMailKind, count = 1) =>
  waitFor(`${count} mails ${kind}`, async () => {
    const mails = await shop.mailsFor(number, kind)
    return mails.length >= count ? mails : undefined
  })
/**
 * How often mails of each kind were sent about an order, from the database, because a mail that is sent again has the
 * same file.
 */
async function counted(number: string) {
  const rows = await shop.sql<{ kind: string; times: number }>(
    'select kind, sum(attempts)::int as times from notifier.mails where reference = $1 group by kind',
    [number],
  )
  return Object.fromEntries(rows.map(({ kind, times }) => [kind, times]))
}
const change = async (id: string, body: unknown) =>
  Order.parse((await shop.admin.call('PATCH', `/admin/orders/${id}`, body)).body)
const refund = async (id: string, body: unknown) =>
  Order.parse((await shop.admin.post(`/admin/orders/${id}/refunds`, body)).body)
/** The first lines of an order in a parcel of one unit. */
const sendOne = async ({ id, lines }: Order) =>
  Order.parse(
    (await shop.admin.post(`/admin/orders/${id}/fulfilments`, { lines: [{ lineId: lines[0]?.id, quantity: 1 }] })).body,
  )
/** An order of two units that the demo provider has paid. */
async function buy(): Promise<Order> {
  const order = await shop.client().buy(variantId, 2)
  await mail(order.number, 'paymentCaptured')
  return order
}

test('a buyer gets one mail about each step of an order, and none again after a restart', async () => {
  const order = await buy()
  const { id, number, total } = order
  expect(total.amount).toBe(9335)
  const tracking = { carrier: 'UPS', code: '1Z999', url: 'https://ups.example/1Z999' }
  expect((await sendOne(order)).status).toBe('paid')
  await mail(number, 'partlyShipped')
  await change(id, { status: 'fulfilled', tracking })
  await change(id, { status: 'fulfilled' })
  await mail(number, 'shipped')
  await change(id, { tracking: { carrier: 'UPS', code: '1Z998' } })
  await change(id, { tracking: { carrier: 'UPS', code: '1Z998' } })
  await mail(number, 'trackingUpdated')
  await refund(id, { amount: 1250, reason: 'a stain' })
  await mail(number, 'refunded')
  await refund(id, {})
  await mail(number, 'refunded', 2)

  const expected = {
    orderPlaced: 1,
    paymentCaptured: 1,
    partlyShipped: 1,
    shipped: 1,
    trackingUpdated: 1,
    refunded: 2,
  }
  expect(await counted(number)).toEqual(expected)
  const texts = new Map<OrderMailKind, string>()
  for (const kind of ORDER_MAIL_KINDS) {
    const mails = await shop.mailsFor(number, kind)
    for (const each of mails) {
      expect(each).toContain(`To: ${BUYER}`)
      expect(plain(each)).toContain(number)
      expect(plain(each)).not.toContain(`demo_${id}`)
    }
    texts.set(kind, mails.map(plain).join('\n'))
  }
  expect(texts.get('paymentCaptured')).toContain('$93.35')
  expect(texts.get('partlyShipped')).toContain('1 x Shirt mailed-shirt')
  for (const part of Object.values(tracking)) expect(texts.get('shipped')).toContain(part)
  expect(texts.get('trackingUpdated')).toContain('Tracking number: 1Z998')
  expect(texts.get('refunded')).toContain('$12.50')
  expect(texts.get('refunded')).toContain('$80.85')

  const { notifier } = shop.shop.services
  await notifier.stop()
  await notifier.start()
  await notifier.waitReady()
  // The mails of a later order are sent after all mails about the first.
  const later = await buy()
  expect(await counted(number)).toEqual(expected)
  expect(await counted(later.number)).toMatchObject({ orderPlaced: 1, paymentCaptured: 1 })
})

test('a mail has the name and the address of the shop, pictures that load, and a link that opens the order', async () => {
  const store = { name: 'Linen & Öl', address: '12 Analytical Row\nLondon' }
  expect((await shop.admin.call('PATCH', '/admin/storefront', { store })).status).toBe(200)
  const { id, number } = await buy()
  const [raw = ''] = await mail(number, 'paymentCaptured')
  expect(raw).toContain('From: =?UTF-8?Q?Linen_=26_=C3=96l?= <shop@example.com>')
  const text = plain(raw)
  expect(text).toMatch(/<header>[^]*Linen &amp; [^]*<footer>[^]*12 Analytical Row<\/bdi><br \/>\r\n<bdi>London/)
  const picture = /<img src="([^"]*)" alt="[^"]+" width="64" height="80"/.exec(text)?.[1] ?? ''
  const { port } = new URL(shop.shop.url)
  expect(picture).toContain(`http://localhost:${port}/media/thumbnails/`)
  const loaded = await fetch(picture)
  expect([loaded.status, loaded.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  // Another browser, without a session.
  const open = (token: string) => shop.client().call('GET', `/orders/${id}?token=${token}`)
  const token = orderToken(raw, id) ?? ''
  expect(Order.parse((await open(token)).body)).toMatchObject({ id, number })
  expect((await open(token.toLowerCase())).status).toBe(404)
})

test('a test mail without an address goes to the admin who requests it', async () => {
  const { status, body } = await shop.admin.post('/admin/notifications/test', { event: 'shipped' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ delivered: true, preview: { event: 'shipped', to: 'admin@example.com' } })
  const { key } = z
    .object({ key: z.string() })
    .parse((await shop.admin.post('/admin/api-keys', { name: 'erp', permissions: ['settings:write'] })).body)
  const machine = shop.client()
  machine.token = key
  const rejected = await machine.post('/admin/notifications/test', { event: 'shipped' })
  expect(rejected).toMatchObject({ status: 422, body: { code: 'missing_to' } })
})

test('no log contains personal data of the buyer', async () => {
  const folder = join(shop.dataDir, 'logs')
  const logs = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  const text = logs.join('')
  expect(text).toContain('a mail was sent')
  for (const personal of [BUYER, ADDRESS.name, ADDRESS.line1, '1Z999']) expect(text).not.toContain(personal)
})

test('a buyer whose order is canceled and then refunded gets a mail about both', async () => {
  const { id, number } = await buy()
  await change(id, { status: 'cancelled' })
  await mail(number, 'cancelled')
  expect(await shop.mailsFor(number, 'refunded')).toEqual([])
  await refund(id, {})
  const [text = ''] = await mail(number, 'refunded')
  expect(plain(text)).toContain('$93.35')
  expect(await counted(number)).toEqual({ orderPlaced: 1, paymentCaptured: 1, refunded: 1, cancelled: 1 })
})

test('a buyer whose unsent order is refunded gets a mail about the refund and the cancellation', async () => {
  const { id, number } = await buy()
  await refund(id, {})
  await mail(number, 'cancelled')
  await mail(number, 'refunded')
  expect(await counted(number)).toEqual({ orderPlaced: 1, paymentCaptured: 1, refunded: 1, cancelled: 1 })
})

test('the options of a line have the order of the product', async () => {
  const shirt = {
    slug: 'ordered-shirt',
    title: 'Ordered Shirt',
    price: { amount: 4000, currency: 'USD' },
    // A database would sort the shorter name first.
    options: [
      { name: 'Color', values: ['Navy'] },
      { name: 'Size', values: ['M'] },
    ],
    variants: [{ sku: 'ORDERED', options: { Color: 'Navy', Size: 'M' }, inventory: 5 }],
  }
  expect((await shop.admin.post('/admin/import', { mode: 'merge', products: [shirt] })).status).toBe(200)
  const product = Product.parse((await shop.client().get('/products/ordered-shirt')).body)
  const { number } = await shop.client().buy(product.variants[0]?.id ?? '')
  const [sent = ''] = await mail(number, 'orderPlaced')
  expect(plain(sent)).toContain('Color: Navy, Size: M')
})
