import { createHmac } from 'node:crypto'
import { actorVerifier, createEncryption, systemClock } from '@storefront/service'
import { replyTo } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import { CREDENTIALS_PURPOSE } from '@storefront/credentials'
import {
  newId,
  OrderPaid,
  RazorpayCheckout,
  ReadPrices,
  ReadOrdersCredentials,
  type Order,
} from '@storefront/contracts'
import {
  createFakeRazorpay,
  createSuite,
  priceSettings,
  waitFor,
  type FakeRazorpay,
  type Suite,
} from '@storefront/tools/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../src/database.ts'
import { confirmPayments } from '../src/payments/confirm-payments.ts'
import { ANONYMOUS, BUYER, createShop, orderOf, errorOf, type Shop } from './shop.ts'
import { openDatabase } from './webhooks.ts'

const SECRETS_KEY = 'a key of this test alone'

let suite: Suite
let razorpay: FakeRazorpay
let shop: Shop
let db: Database

beforeAll(async () => {
  razorpay = await createFakeRazorpay()
  suite = await createSuite('orders')
  await simulateKeyServices()
  db = openDatabase(suite)
  shop = await createShop({
    providers: 'real',
    suite,
    env: {
      SECRETS_KEY,
      RAZORPAY_BASE_URL: razorpay.url,
      PAYMENT_TIMEOUT_MS: '3000',
      RAZORPAY_KEY_SECRET: 'of another',
    },
  })
})
afterEach(() => razorpay.heal())
afterAll(async () => {
  await db.destroy()
  await shop.stop()
  await razorpay.stop()
})

/** Simulates identity, which returns the encrypted secret of the merchant, and catalog, which returns the key id. */
async function simulateKeyServices(): Promise<void> {
  const verifyActor = actorVerifier(suite.env('orders')['ACTOR_PUBLIC_KEY'] ?? '', systemClock)
  const open = async (service: 'identity' | 'catalog') => {
    const messaging = await suite.openMessaging(service)
    return { messaging, log: suite.log, verifyActor }
  }
  const [identity, catalog] = await Promise.all([open('identity'), open('catalog')])
  const encrypted =
    createEncryption({ SECRETS_KEY }, CREDENTIALS_PURPOSE)?.encrypt(razorpay.keySecret, 'razorpayKeySecret') ?? ''
  replyTo(identity, ReadOrdersCredentials, () =>
    Promise.resolve({
      credentials: [{ key: 'razorpayKeySecret', sealed: encrypted, updatedAt: '2026-05-01T00:00:00.000Z' }],
    }),
  )
  replyTo(catalog, ReadPrices, () =>
    Promise.resolve({
      entries: [],
      settings: priceSettings({ checkoutMode: 'razorpay', razorpayKeyId: razorpay.keyId }),
    }),
  )
  await Promise.all([identity, catalog].map(async ({ messaging }) => (await messaging.opened).flush()))
}

/** An order that waits for its payment at Razorpay. */
async function waiting(): Promise<{ order: Order; razorpayOrder: string; sessionId: string }> {
  const cart = shop.addCart({ var_m: 1 }, { checkoutMode: 'api' })
  shop.stock.set('var_m', 100)
  const order = orderOf(await shop.checkOut(cart.id))
  const sessionId = newId('payment')
  const response = await fetch(`${razorpay.url}/v1/orders`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${razorpay.keyId}:${razorpay.keySecret}`).toString('base64')}` },
    body: JSON.stringify({ ...order.total, receipt: sessionId, notes: { session_id: sessionId, order_id: order.id } }),
  })
  await response.arrayBuffer()
  const made = [...razorpay.orders.values()].find(({ receipt }) => receipt === sessionId)
  if (!made) throw new Error('Razorpay made no order')
  await suite.sql(
    `insert into orders.payment_sessions (id, order_id, cart_id, asked_cart_id, provider, provider_session, status, email,
       document, number_prefix, request_hash, secret_hashes, created_at, expires_at)
     values ($1, $2, $3, $3, 'razorpay', $4, 'open', 'ada@mail.example', '{}', 'SF-', '', '{}', now(), now())`,
    [sessionId, order.id, cart.id, made.id],
  )
  return { order, razorpayOrder: made.id, sessionId }
}

const verify = (body: unknown, headers: object = ANONYMOUS) => shop.call('POST', '/payments/verify', body, headers)
const paidEvents = async (orderId: string) =>
  (await suite.eventsOf(OrderPaid)).filter((each) => each.orderId === orderId)

test('a verified payment marks the order as paid, and opens it to the browser that paid', async () => {
  const { order, razorpayOrder } = await waiting()
  const result = await verify(razorpay.pay(razorpayOrder))
  const paid = orderOf(result)
  expect(paid).toMatchObject({ id: order.id, status: 'paid', payment: { provider: 'razorpay', status: 'captured' } })
  expect(paid.payment.reference).toBeUndefined()
  expect(result.headers['cache-control']).toBe('private, no-store')
  const seen = await shop.call('GET', `/orders/${order.id}`, undefined, { 'x-order-token': paid.accessToken ?? '' })
  expect(seen.status).toBe(200)
  const inBrowser = await shop.call('GET', `/orders/${order.id}`, undefined, {
    cookie: `store_browser=${result.browser}`,
  })
  expect(inBrowser.status).toBe(200)
})

test('a payment that is verified twice at once, and reported by the webhook, is one payment of one order', async () => {
  const { order, razorpayOrder } = await waiting()
  const result = razorpay.pay(razorpayOrder)
  const payment = {
    provider: 'razorpay',
    reference: result.razorpay_payment_id,
    orderId: order.id,
    amountMinor: order.total.amount,
    currency: order.total.currency,
    method: 'card',
  }
  const byWebhook = transaction(db, (tx) => confirmPayments(tx, [payment], new Date()))
  const responses = await Promise.all([verify(result), verify(result), byWebhook.then(() => verify(result))])
  expect(responses.map((each) => orderOf(each).id)).toEqual([order.id, order.id, order.id])
  await waitFor('the event', async () => (await paidEvents(order.id)).length > 0)
  expect(await paidEvents(order.id)).toHaveLength(1)
  const kept = await suite.sql(
    'select reference, attention from orders.payments join orders.orders o on o.id = order_id where o.id = $1',
    [order.id],
  )
  expect(kept).toEqual([{ reference: result.razorpay_payment_id, attention: null }])
})

test('an authorized payment is captured first, and once in two concurrent requests', async () => {
  const { order, razorpayOrder } = await waiting()
  const result = razorpay.pay(razorpayOrder, { status: 'authorized' })
  const responses = await Promise.all([verify(result), verify(result)])
  expect(responses.map((each) => orderOf(each).status)).toEqual(['paid', 'paid'])
  expect(razorpay.payments.get(result.razorpay_payment_id)?.status).toBe('captured')
  expect(orderOf(await verify(result)).id).toBe(order.id)
})

test.each([
  ['created', 'payment_not_captured'],
  ['failed', 'payment_failed'],
] as const)('a payment that is %s does not mark the order as paid', async (status, code) => {
  const { order, razorpayOrder } = await waiting()
  expect(errorOf(await verify(razorpay.pay(razorpayOrder, { status })))).toMatchObject({ status: 402, code })
  expect(await suite.sql('select status from orders.orders where id = $1', [order.id])).toEqual([{ status: 'placed' }])
})

test('an authorized payment of another amount is not captured', async () => {
  const { razorpayOrder } = await waiting()
  const result = razorpay.pay(razorpayOrder, { status: 'authorized', amount: 1 })
  expect(errorOf(await verify(result))).toMatchObject({ status: 402, code: 'payment_not_captured' })
  expect(razorpay.payments.get(result.razorpay_payment_id)?.status).toBe('authorized')
})

test('a forged signature is rejected without a request to Razorpay', async () => {
  const { order, razorpayOrder } = await waiting()
  const result = razorpay.pay(razorpayOrder)
  const other = razorpay.pay((await waiting()).razorpayOrder)
  const before = razorpay.calls.length
  const forged = [
    { ...result, razorpay_signature: other.razorpay_signature },
    { ...result, razorpay_payment_id: other.razorpay_payment_id },
    { ...result, razorpay_order_id: other.razorpay_order_id },
    { ...result, razorpay_signature: result.razorpay_signature.toUpperCase() },
    { ...result, razorpay_signature: createHmac('sha256', 'of another').update('x').digest('hex') },
    { razorpay_order_id: 'order_none', razorpay_payment_id: 'pay_none', razorpay_signature: 'none' },
  ]
  for (const body of forged) {
    expect(errorOf(await verify(body))).toMatchObject({
      status: 400,
      code: 'bad_signature',
      message: expect.stringContaining('We could not confirm this payment.'),
    })
  }
  expect(razorpay.calls).toHaveLength(before)
  expect(await suite.sql('select status from orders.orders where id = $1', [order.id])).toEqual([{ status: 'placed' }])
})

test('a payment of an order of another shop is not found', async () => {
  const { razorpayOrder, order } = await waiting()
  await suite.sql('delete from orders.payment_sessions where order_id = $1', [order.id])
  const made = razorpay.orders.get(razorpayOrder)
  if (made) made.notes = []
  expect(errorOf(await verify(razorpay.pay(razorpayOrder)))).toMatchObject({ status: 404, code: 'not_found' })
})

describe('a payment for goods that a customer has ordered with the cart that the guest’s was merged into', () => {
  /** A guest has the form open, and a customer has ordered the same goods, which are paid. */
  async function orderedElsewhere(isKnown: boolean) {
    shop.stock.set('var_m', 100)
    const guest = shop.addCart({ var_m: 1 }, { checkoutMode: 'razorpay' })
    const form = RazorpayCheckout.parse((await shop.checkOut(guest.id)).body)
    const merged = { checkoutMode: 'api', customerId: 'cus_ada', ...(isKnown && { mergedCartIds: [guest.id] }) }
    const own = shop.addCart({ var_m: 1 }, merged)
    own.lines = guest.lines
    const order = orderOf(await shop.checkOut(own.id, BUYER, suite.headers.customer('cus_ada')))
    await shop.call('PATCH', `/admin/orders/${order.id}`, { status: 'paid' }, suite.headers.admin())
    return { order, result: razorpay.pay(form.razorpay_order_id) }
  }

  test.each([
    ['when the merge of the carts is recorded', true],
    ['when only their lines are the same', false],
  ])('does not open that order, however often and in whatever sequence it is reported: %s', async (_what, isKnown) => {
    const { order, result } = await orderedElsewhere(isKnown)
    for (const response of [await verify(result), await verify(result)]) {
      expect(errorOf(response)).toMatchObject({ status: 409, code: 'conflict' })
      expect(response.browser).toBeUndefined()
    }
    expect(await suite.sql('select payment_reference from orders.refunds where order_id = $1', [order.id])).toEqual([
      { payment_reference: result.razorpay_payment_id },
    ])
  })

  test('shows the order to the customer to whom it belongs', async () => {
    const { order, result } = await orderedElsewhere(true)
    expect(errorOf(await verify(result, suite.headers.customer('cus_eve')))).toMatchObject({ status: 409 })
    expect(orderOf(await verify(result, suite.headers.customer('cus_ada')))).toMatchObject({ id: order.id })
  })
})

test('missing fields are named, and a field that is not a string is rejected', async () => {
  const whole = { razorpay_order_id: 'order_1', razorpay_payment_id: 'pay_1', razorpay_signature: '00' }
  for (const name of Object.keys(whole)) {
    const result = errorOf(await verify({ ...whole, [name]: undefined }))
    expect(result).toMatchObject({ status: 422, code: 'missing_fields', detail: { fields: [name] } })
  }
  expect(errorOf(await verify(undefined))).toMatchObject({
    code: 'missing_fields',
    detail: { fields: Object.keys(whole) },
  })
  expect(errorOf(await verify({ ...whole, razorpay_signature: 5 }))).toMatchObject({ code: 'validation_failed' })
})

test.each(['error', 'cut', 'hang', 'garbage'] as const)(
  'a payment can be verified again after the fault %s at Razorpay',
  async (fault) => {
    const { order, razorpayOrder } = await waiting()
    const result = razorpay.pay(razorpayOrder)
    razorpay.fail(fault)
    const responded = await verify(result)
    expect(errorOf(responded)).toMatchObject({ status: 503, code: 'service_unavailable' })
    expect(responded.headers['retry-after']).toBe('2')
    razorpay.heal()
    expect(orderOf(await verify(result)).id).toBe(order.id)
  },
)

describe('the page that a provider redirects its buyers to', () => {
  const page = (session: string) => shop.orders.app.inject({ method: 'GET', url: `/payments/done?session=${session}` })

  test('shows the number of the order', async () => {
    const { order, sessionId } = await waiting()
    const { body, headers, statusCode } = await page(sessionId)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['cache-control']).toBe('private, no-store')
    expect(body).toContain(order.number)
    expect(body).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(body).not.toMatch(/<script|<style|style=|\son\w+=|javascript:|https?:|ada@/i)
  })

  test('shows that the payment is being processed, or that the session has ended', async () => {
    const { order, sessionId } = await waiting()
    await suite.sql('update orders.payment_sessions set order_id = $1 where id = $2', [newId('order'), sessionId])
    expect((await page(sessionId)).body).toContain('being processed')
    await suite.sql("update orders.payment_sessions set status = 'expired' where id = $1", [sessionId])
    expect((await page(sessionId)).body).toContain('has ended')
    expect((await page(sessionId)).body).not.toContain(order.number)
  })

  test('of an unknown session repeats nothing of its address', async () => {
    const { body, statusCode } = await page('%3Cb%3Ehello')
    expect([statusCode, body.includes('hello')]).toEqual([200, false])
    expect((await shop.orders.app.inject({ method: 'GET', url: '/payments/done' })).statusCode).toBe(200)
  })
})
