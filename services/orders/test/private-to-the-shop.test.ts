import { sendRequest, type Messaging } from '@storefront/messaging'
import { SERVICE_OPENAPI_PATH } from '@storefront/http'
import { ReadOrdersPersonalData, type Order } from '@storefront/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { relayed } from './events.ts'
import { paymentUpdate } from './payment-pages.ts'
import { BUYER, createShop, orderOf, type Shop, type TestResponse } from './shop.ts'
import { simulateProvider } from './simulated-provider.ts'

const TAG = 'difficult buyer'
const NOTE = 'Sends everything back.'

let shop: Shop
let identity: Messaging
let order: Order
let cartId: string

/** An order of a customer, with a tag and a note, of which a part was sent and another refunded. */
beforeAll(async () => {
  const razorpay = {
    ...simulateProvider('razorpay'),
    verifyResult: async () => {
      const { id: orderId, total: amount } = order
      return paymentUpdate({ provider: 'razorpay', reference: 'pay_1', orderId, amount, method: undefined })
    },
  }
  shop = await createShop({ providers: new Map([['razorpay', razorpay]]) })
  shop.stock.set('var_m', 1000)
  const { suite } = shop
  identity = await suite.openMessaging('identity')
  cartId = shop.addCart({ var_m: 2 }, { customerId: 'cus_ada', checkoutMode: 'api' }).id
  order = orderOf(await shop.checkOut(cartId, BUYER, ada()))
  const admin = suite.headers.admin()
  expect((await shop.call('PATCH', `/admin/orders/${order.id}`, { tags: [TAG] }, admin)).status).toBe(200)
  expect((await shop.call('POST', `/admin/orders/${order.id}/notes`, { text: NOTE }, admin)).status).toBe(200)
  const parcel = { lines: [{ lineId: order.lines[0]?.id, quantity: 1 }] }
  expect((await shop.call('POST', `/admin/orders/${order.id}/fulfilments`, parcel, admin)).status).toBe(200)
  expect((await shop.call('PATCH', `/admin/orders/${order.id}`, { status: 'paid' }, admin)).status).toBe(200)
  const refund = { ...parcel, restock: true }
  expect((await shop.call('POST', `/admin/orders/${order.id}/refunds`, refund, admin)).status).toBe(200)
  const stored = orderOf(await shop.call('GET', `/admin/orders/${order.id}`, undefined, admin))
  expect(stored).toMatchObject({ tags: [TAG], fulfilments: [parcel], refunds: [parcel] })
  expect(stored).toHaveProperty('paidForLines')
})
afterAll(() => shop.stop())

const ada = () => shop.suite.headers.customer('cus_ada')
const PAID = { razorpay_order_id: 'order_1', razorpay_payment_id: 'pay_1', razorpay_signature: 'signed' }

/** Every route that shows an order to its buyer. */
const ROUTES: Record<string, () => Promise<TestResponse>> = {
  'GET /orders': () => shop.call('GET', '/orders', undefined, ada()),
  'GET /orders/{id}': () => shop.call('GET', `/orders/${order.id}`, undefined, ada()),
  'POST /orders/lookup': () => shop.call('POST', '/orders/lookup', { number: order.number, email: BUYER.email }),
  'POST /carts/{id}/checkout': () => shop.checkOut(cartId, BUYER, ada()),
  'POST /checkout/sessions': () => shop.call('POST', '/checkout/sessions', { ...BUYER, cart_id: cartId }, ada()),
  'POST /payments/verify': () => shop.call('POST', '/payments/verify', PAID, ada()),
}

const expectNothingPrivate = (text: string) => {
  expect(text).toContain(order.number)
  expect(text).not.toContain(TAG)
  expect(text).not.toContain(NOTE)
  expect(text).not.toContain('"tags"')
  expect(text).not.toContain('"fulfilments"')
  expect(text).not.toContain('"paidForLines"')
  expect(text).not.toContain('"restock"')
}

describe('the notes, tags and parcels of an order, and the units of its refunds', () => {
  test.each(Object.keys(ROUTES))('are not in the response of %s', async (route) => {
    const response = await ROUTES[route]?.()
    expect(response?.status, JSON.stringify(response?.body)).toBe(200)
    expectNothingPrivate(JSON.stringify(response?.body))
  })

  test('are looked for on every route for buyers that can show an order', async () => {
    const { body } = await shop.call('GET', SERVICE_OPENAPI_PATH, undefined, {})
    const Operation = z.looseObject({ security: z.unknown().optional(), responses: z.unknown() })
    const { paths, components } = z
      .object({
        paths: z.record(z.string(), z.record(z.string(), Operation)),
        components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
      })
      .parse(body)
    /** Whether a description has the tags of an order, through its references. */
    const hasTags = (part: unknown, seen = new Set<string>()): boolean => {
      const text = JSON.stringify(part)
      const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)
      return (
        text.includes('"tags"') ||
        names.some((name) => !seen.has(name) && hasTags(components.schemas[name], seen.add(name)))
      )
    }
    const found = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(
          ([, { security, responses }]) => !JSON.stringify(security ?? []).includes('admin') && hasTags(responses),
        )
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    )
    expect(found.toSorted()).toEqual(Object.keys(ROUTES).toSorted())
  })

  test('are not in events, from which mails and webhooks are made', async () => {
    const admin = shop.suite.headers.admin()
    const change = { status: 'fulfilled', tags: [TAG, 'sent'] }
    expect((await shop.call('PATCH', `/admin/orders/${order.id}`, change, admin)).status).toBe(200)
    await relayed(shop.suite)
    const events = await shop.suite.sql<{ name: string; payload: string }>(
      'select name, payload from orders.sent_events order by id',
    )
    expect(events.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['order.placed', 'parcel.sent', 'order.fulfilled']),
    )
    expectNothingPrivate(events.map(({ payload }) => payload).join('\n'))
  })

  test('are not in the export of personal data, which customers read without the shop', async () => {
    const page = await sendRequest(identity, ReadOrdersPersonalData, { customerId: 'cus_ada' })
    expect(page.records).toHaveLength(1)
    expectNothingPrivate(JSON.stringify(page))
  })
})
