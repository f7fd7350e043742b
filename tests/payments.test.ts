import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listOf, Order, type Product } from '@storefront/contracts'
import {
  amount,
  createFakeRazorpay,
  createFakeStripe,
  openTcpProxy,
  sendWebhooks,
  waitFor,
  type FakeRazorpay,
  type FakeStripe,
  type FakeWebhook,
  type TcpProxy,
} from '@storefront/tools/testing'
import { expectShopBalanced, stockOf } from './support/shop-balance.ts'
import { retryUntilAvailable, mapConcurrently, makeBuyers, type Buyer } from './support/buyers.ts'
import { setCheckout } from './support/set-checkout.ts'
import { openShop, type TestShop } from './support/shop.ts'
import type { TestResponse } from './support/test-client.ts'

const UNITS = 6
const FAULTS = ['cut', 'error', 'busy', 'hang', 'endless', 'garbage', 'redirect'] as const
const MINUTE_MS = 60_000
/** The outage begins after a fifth of them; the webhook of the first is lost, and every fifth other one comes twice. */
const BUYERS = amount({ quick: 10, long: 500 })
/** Each of them sends its checkout again and again during the outage. */
const BUYERS_AT_ONCE = amount({ quick: 3, long: 16 })
/** Longer than the shop waits for Stripe (`PAYMENT_TIMEOUT_MS`). */
const OUTAGE_MS = amount({ quick: 4000, long: 10_000 })

let shop: TestShop
let stripe: FakeStripe
let razorpay: FakeRazorpay
/** The proxy between the shop and Stripe. */
let proxy: TcpProxy
let product: Product
let round = 0
const units = new Map<string, number>()

const Page = z.object({ url: z.string(), id: z.string(), accessToken: z.string() })
type Page = z.output<typeof Page>
const Form = z.object({ razorpay_order_id: z.string(), amount: z.number(), currency: z.string(), key_id: z.string() })
const Standing = z.object({ id: z.string(), status: z.string(), orderId: z.string().optional() })

beforeAll(async () => {
  ;[stripe, razorpay, proxy] = await Promise.all([createFakeStripe(), createFakeRazorpay(), openTcpProxy()])
  proxy.through(stripe.url)
  shop = await openShop({
    env: {
      SECRETS_KEY: 'a key for the secrets of this shop',
      // The whole stock may wait for payment at once while the provider is down.
      UNPAID_STOCK_PERCENT: '100',
      STRIPE_BASE_URL: `http://127.0.0.1:${proxy.port}`,
      RAZORPAY_BASE_URL: razorpay.url,
      PAYMENT_TIMEOUT_MS: '2000',
      RATE_LIMIT_WEBHOOKS: '0',
    },
  })
  const { keySecret: razorpayKeySecret, webhookSecret: razorpayWebhookSecret } = razorpay
  const { secretKey: stripeSecretKey, webhookSecret: stripeWebhookSecret } = stripe
  const secrets = { razorpayKeySecret, razorpayWebhookSecret, stripeSecretKey, stripeWebhookSecret }
  expect((await shop.admin.post('/admin/credentials', secrets)).status).toBe(200)
})

afterAll(async () => {
  await shop.stop()
  await Promise.all([stripe.stop(), razorpay.stop(), proxy.close()])
})

/** Creates the product that buyers of the next tests want. */
async function stock(count = UNITS): Promise<void> {
  product = await shop.stockProduct(`payments-${round++}`, count)
  units.set(variantId(), count)
}

const variantId = () => product.variants[0]?.id ?? ''

function checkOut({ client, cartId }: Buyer, more: Record<string, string> = {}): Promise<TestResponse> {
  return client.checkOut(cartId, 'ada@example.com', more)
}

async function newBuyer(quantity = 1): Promise<Buyer> {
  const client = shop.client()
  return { client, cartId: (await client.cartWith(variantId(), quantity)).id }
}

/** Checks out and returns the payment page. */
async function pageOf(buyer: Buyer, more: Record<string, string> = {}): Promise<Page> {
  const response = await checkOut(buyer, more)
  expect(response).toMatchObject({ status: 200 })
  return Page.parse(response.body)
}

/** Sends one of the forms on the page of the demo provider, as a browser does. */
async function press(page: Page, button: 'pay' | 'decline' | 'cancel'): Promise<{ status: number; location: string }> {
  const response = await fetch(`${page.url}/${button}`, { method: 'POST', redirect: 'manual' })
  await response.arrayBuffer()
  return { status: response.status, location: response.headers.get('location') ?? '' }
}

/** The order that a checkout has become, for the browser that began it. */
function orderOf({ client }: Buyer, page: Pick<Page, 'id'>): Promise<Order> {
  return waitFor('the order', async () => {
    const { orderId } = Standing.parse((await client.get(`/checkout/sessions/${page.id}`)).body)
    if (orderId === undefined) return undefined
    const order = Order.parse((await client.get(`/orders/${orderId}`)).body)
    return order.payment.status === 'pending' ? undefined : order
  })
}

async function available(): Promise<number> {
  const { onHand, reserved } = await stockOf(shop, variantId())
  return onHand - reserved
}

const ordersOf = ({ cartId }: Buyer) =>
  shop.sql<{ id: string; attention: string | null }>('select id, attention from orders.orders where cart_id = $1', [
    cartId,
  ])

const sendTo = (provider: string, webhooks: readonly FakeWebhook[]) =>
  sendWebhooks(`${shop.shop.url}/webhooks/${provider}`, webhooks)

/** Waits until all webhooks are processed. */
function waitUntilProcessed(): Promise<boolean> {
  return waitFor('webhooks to be processed', async () => {
    const [left] = await shop.sql<{ count: number }>(
      `select count(*)::int as count from orders.provider_events where status = 'pending'`,
    )
    return left?.count === 0
  })
}

/** The id at Stripe of a payment page. */
const atStripe = ({ url }: Page) => url.split('/').at(-1) ?? ''

const completed = (page: Page, more?: Parameters<FakeStripe['webhook']>[2]) =>
  stripe.webhook('checkout.session.completed', stripe.sessions.get(atStripe(page)), more)

describe('a buyer on the page of the demo provider', () => {
  beforeEach(async () => {
    await stock()
    await setCheckout(shop, { mode: 'redirect', provider: 'demo' })
  })

  test('pays and is redirected to a paid order, for which a webhook and a mail are sent', async () => {
    const buyer = await newBuyer(2)
    const page = await pageOf(buyer, { success_url: 'http://localhost:5173/thanks/{ORDER_ID}' })
    expect(await ordersOf(buyer)).toEqual([])
    expect(await available()).toBe(UNITS - 2)
    const shown = await fetch(page.url)
    expect(shown.status).toBe(200)
    expect(await shown.text()).toContain('Demo payment')

    const back = await press(page, 'pay')
    expect(back).toMatchObject({ status: 303, location: expect.stringMatching(/^http:\/\/localhost:5173\/thanks\/./) })
    const order = await orderOf(buyer, page)
    expect(order).toMatchObject({ status: 'paid', payment: { provider: 'demo', status: 'captured' } })
    expect(back.location).toContain(order.id)
    await waitFor('order.paid', () =>
      shop.receiver.received.find(({ type, orderId }) => type === 'order.paid' && orderId === order.id),
    )
    await waitFor('the mail', async () => (await shop.mailsFor(order.number)).length > 0)
    await waitFor('the sale', async () => {
      const { onHand, reserved } = await stockOf(shop, variantId())
      return onHand === UNITS - 2 && reserved === 0
    })
    // A second press of the button has the same result.
    expect(await press(page, 'pay')).toEqual(back)
    expect(await ordersOf(buyer)).toHaveLength(1)
    // An outsider cannot see it without the token.
    const outsider = shop.client()
    expect((await outsider.get(`/orders/${order.id}`)).status).toBe(404)
    expect((await outsider.get(`/checkout/sessions/${page.id}`)).status).toBe(404)
    expect((await outsider.get(`/orders/${order.id}?token=${page.accessToken}`)).status).toBe(200)
  })

  test('whose card was declined pays with another', async () => {
    const buyer = await newBuyer()
    const page = await pageOf(buyer)
    await press(page, 'decline')
    await waitUntilProcessed()
    expect(await ordersOf(buyer)).toEqual([])
    expect(await available()).toBe(UNITS - 1)
    await press(page, 'pay')
    expect(await orderOf(buyer, page)).toMatchObject({ status: 'paid', payment: { status: 'captured' } })
  })

  test('who cancels releases the goods at once, and can check out again', async () => {
    const buyer = await newBuyer(UNITS)
    const page = await pageOf(buyer, { cancel_url: 'http://localhost:5173/bag' })
    expect(await available()).toBe(0)
    expect(await press(page, 'cancel')).toEqual({ status: 303, location: 'http://localhost:5173/bag' })
    await waitFor('the goods', async () => (await available()) === UNITS)
    expect(await ordersOf(buyer)).toEqual([])
    expect(Standing.parse((await buyer.client.get(`/checkout/sessions/${page.id}`)).body).status).toBe('cancelled')
    const again = await pageOf(buyer)
    expect(again.url).not.toBe(page.url)
    await press(again, 'pay')
    expect(await orderOf(buyer, again)).toMatchObject({ status: 'paid' })
  })
})

describe('a buyer at Stripe', () => {
  beforeEach(async () => {
    await stock()
    await setCheckout(shop, { mode: 'redirect', provider: 'stripe' })
  })

  test('gets one order, whatever the number and sequence of webhooks from Stripe', async () => {
    const buyer = await newBuyer()
    const page = await pageOf(buyer)
    expect(stripe.sessions.get(atStripe(page))).toMatchObject({ amount_total: 4000 + 695 + 320, currency: 'usd' })
    const open = structuredClone(stripe.sessions.get(atStripe(page)))
    const intent = stripe.pay(atStripe(page))
    const paid = completed(page)
    const forged = completed(page, { secret: 'whsec_of_somebody_else' })
    const old = completed(page, { at: new Date(Date.now() - 6 * MINUTE_MS) })
    expect(await sendTo('stripe', [forged, old])).toEqual([400, 400])
    // The same event with the signature of another provider is rejected too.
    expect(await sendTo('razorpay', [paid])).toEqual([400])
    await waitUntilProcessed()
    expect(await ordersOf(buyer)).toEqual([])

    const expired = stripe.webhook('checkout.session.expired', { ...open, status: 'expired' })
    const failed = stripe.webhook('payment_intent.payment_failed', intent)
    const statuses = await Promise.all([sendTo('stripe', [expired, paid, failed, paid]), sendTo('stripe', [paid])])
    expect(statuses.flat()).toEqual([200, 200, 200, 200, 200])
    const order = await orderOf(buyer, page)
    await sendTo('stripe', [expired, failed, completed(page)])
    await waitUntilProcessed()
    expect(await ordersOf(buyer)).toEqual([{ id: order.id, attention: null }])
    const { body } = await shop.admin.get(`/admin/orders/${order.id}`)
    expect(body).toMatchObject({ status: 'paid', payment: { status: 'captured', reference: intent.id } })
    const mails = await waitFor('the mail', async () => {
      const found = await shop.mailsFor(order.number)
      return found.length > 0 ? found : undefined
    })
    expect(mails).toHaveLength(1)
  })

  test('is refunded once when the merchant requests it', async () => {
    const buyer = await newBuyer()
    const page = await pageOf(buyer)
    const intent = stripe.pay(atStripe(page))
    await sendTo('stripe', [completed(page)])
    const { id, total } = await orderOf(buyer, page)
    // The response of Stripe is lost, so the worker retries.
    stripe.fail('cut-after', /POST \/v1\/refunds/, 2)
    const response = await shop.admin.post(`/admin/orders/${id}/refunds`, { reason: 'too small', restock: true })
    expect(response.status).toBe(200)
    const succeeded = `select 1 from orders.refunds where order_id = $1 and status = 'succeeded'`
    await waitFor('the refund', async () => (await shop.sql(succeeded, [id])).length > 0)
    const { refunds } = Order.parse((await shop.admin.get(`/admin/orders/${id}`)).body)
    const refund = refunds?.find(({ status }) => status === 'succeeded')
    expect(refund).toMatchObject({ amount: total, restocked: true })
    const made = [...stripe.refunds.values()].filter((each) => each.payment_intent === intent.id)
    expect(made).toMatchObject([{ id: refund?.reference, amount: total.amount }])
    await sendTo('stripe', [stripe.webhook('refund.created', made[0]), stripe.webhook('refund.updated', made[0])])
    await waitUntilProcessed()
    expect(await shop.sql('select id from orders.refunds where order_id = $1', [id])).toHaveLength(1)
    await waitFor('the goods', async () => (await available()) === UNITS)
  })

  test('who pays for sold-out goods gets an order that the merchant sees first', async () => {
    const buyer = await newBuyer(UNITS)
    const page = await pageOf(buyer)
    // The session expires, but Stripe cannot be reached to close the page that is still open.
    stripe.fail('error', /expire$/)
    await shop.sql(`update orders.payment_sessions set expires_at = now() - interval '2 minutes' where id = $1`, [
      page.id,
    ])
    await waitFor('the reservation to expire', async () => (await available()) === UNITS)
    const other = await newBuyer(UNITS)
    const otherPage = await pageOf(other)
    stripe.pay(atStripe(otherPage))
    await sendTo('stripe', [completed(otherPage)])
    await orderOf(other, otherPage)
    stripe.heal()

    stripe.pay(atStripe(page))
    await sendTo('stripe', [completed(page)])
    const order = await orderOf(buyer, page)
    const newer = await orderOfAnotherProduct()
    expect(await ordersOf(buyer)).toEqual([{ id: order.id, attention: 'out_of_stock' }])
    const { items } = listOf(Order).parse((await shop.admin.get('/admin/orders')).body)
    expect(items[0]).toMatchObject({ id: order.id, attention: 'out_of_stock', payment: { status: 'captured' } })
    expect(items.map(({ id }) => id)).toContain(newer)
    expect(await stockOf(shop, variantId())).toEqual({ onHand: 0, reserved: 0 })
    // A refund by an admin settles the order.
    expect((await shop.admin.post(`/admin/orders/${order.id}/refunds`, {})).status).toBe(200)
  })
})

/** Sells another product, paid at Stripe. @returns the id of the order */
async function orderOfAnotherProduct(): Promise<string> {
  const { variants } = await shop.stockProduct(`payments-${round++}`, 1)
  const client = shop.client()
  const buyer = { client, cartId: (await client.cartWith(variants[0]?.id ?? '')).id }
  const page = await pageOf(buyer)
  stripe.pay(atStripe(page))
  await sendTo('stripe', [completed(page)])
  return (await orderOf(buyer, page)).id
}

describe('a buyer in the form of Razorpay', () => {
  beforeEach(async () => {
    await stock()
    await setCheckout(shop, { mode: 'razorpay', razorpayKeyId: razorpay.keyId })
  })

  async function formOf(buyer: Buyer): Promise<z.output<typeof Form>> {
    const response = await checkOut(buyer)
    expect(response).toMatchObject({ status: 200 })
    return Form.parse(response.body)
  }

  test('gets the key id from `checkout.publicKey` when the merchant sets it there', async () => {
    await setCheckout(shop, { mode: 'razorpay', publicKey: razorpay.keyId })
    const buyer = await newBuyer()
    const form = await formOf(buyer)
    expect(form.key_id).toBe(razorpay.keyId)
    const order = Order.parse((await buyer.client.post('/payments/verify', razorpay.pay(form.razorpay_order_id))).body)
    expect(order).toMatchObject({ status: 'paid', lines: [{ sku: product.variants[0]?.sku, productId: product.id }] })

    const ofAnother = { mode: 'razorpay', publicKey: 'pk_live_of_another_provider' }
    const rejected = await shop.admin.call('PATCH', '/admin/storefront', { checkout: ofAnother })
    expect(rejected).toMatchObject({ status: 422, body: { detail: { issues: [{ path: 'checkout.publicKey' }] } } })
  })

  test('gets one order when the browser and the webhook report the payment at once', async () => {
    const buyer = await newBuyer()
    const form = await formOf(buyer)
    expect(form).toMatchObject({ key_id: razorpay.keyId, amount: 4000 + 695 + 320, currency: 'USD' })
    const result = razorpay.pay(form.razorpay_order_id)
    const about = { payment: result.razorpay_payment_id, order: form.razorpay_order_id }
    const [verified, again, statuses] = await Promise.all([
      buyer.client.post('/payments/verify', result),
      buyer.client.post('/payments/verify', result),
      sendTo('razorpay', [razorpay.webhook('payment.captured', about), razorpay.webhook('order.paid', about)]),
    ])
    expect([verified.status, again.status, ...statuses]).toEqual([200, 200, 200, 200])
    const order = Order.parse(verified.body)
    expect(order).toMatchObject({ status: 'paid', payment: { provider: 'razorpay', status: 'captured' } })
    expect(Order.parse(again.body).id).toBe(order.id)
    await waitUntilProcessed()
    expect(await ordersOf(buyer)).toEqual([{ id: order.id, attention: null }])
    expect(await shop.sql('select reference from orders.payments where order_id = $1', [order.id])).toEqual([
      { reference: result.razorpay_payment_id },
    ])
  })

  test('gets no order for a forged signature or a payment that is not captured', async () => {
    const buyer = await newBuyer()
    const { razorpay_order_id: name } = await formOf(buyer)
    const promised = razorpay.pay(name, { status: 'authorized', amount: 1 })
    const forged = { ...promised, razorpay_signature: promised.razorpay_signature.replaceAll(/[0-9]/g, '0') }
    const errors = [
      await buyer.client.post('/payments/verify', forged),
      await buyer.client.post('/payments/verify', promised),
      await buyer.client.post('/payments/verify', razorpay.pay(name, { status: 'failed' })),
    ]
    expect(errors).toMatchObject([
      { status: 400, body: { code: 'bad_signature' } },
      { status: 402, body: { code: 'payment_not_captured' } },
      { status: 402, body: { code: 'payment_failed' } },
    ])
    expect(await ordersOf(buyer)).toEqual([])
    // The third payment is captured.
    expect((await buyer.client.post('/payments/verify', razorpay.pay(name))).status).toBe(200)
  })

  test('whose browser is closed gets the order through the webhook alone', async () => {
    const buyer = await newBuyer()
    const { razorpay_order_id: name } = await formOf(buyer)
    const result = razorpay.pay(name)
    await sendTo('razorpay', [razorpay.webhook('payment.captured', { payment: result.razorpay_payment_id })])
    const [order] = await waitFor('the order', async () => {
      const found = await ordersOf(buyer)
      return found.length > 0 ? found : undefined
    })
    expect((await shop.admin.get(`/admin/orders/${order?.id}`)).body).toMatchObject({ status: 'paid' })
    // The browser returns, and gets the same order.
    const late = await buyer.client.post('/payments/verify', result)
    expect(Order.parse(late.body).id).toBe(order?.id)
  })
})

describe('a checkout while a provider fails', () => {
  // Each fault sells one unit.
  beforeAll(() => stock(FAULTS.length))

  test.each(FAULTS)('is rejected and holds no goods: %s', async (fault) => {
    await setCheckout(shop, { mode: 'redirect', provider: 'stripe' })
    const availableBefore = await available()
    const buyer = await newBuyer()
    stripe.fail(fault)
    const rejected = await checkOut(buyer)
    stripe.heal()
    expect(rejected).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
    expect(rejected.headers.get('retry-after')).toMatch(/^\d+$/)
    await waitFor('the goods', async () => (await available()) === availableBefore)
    // It succeeds as soon as the provider works again.
    const page = await pageOf(buyer)
    stripe.pay(atStripe(page))
    await sendTo('stripe', [completed(page)])
    await orderOf(buyer, page)
  })

  test('is rejected and holds no goods when the key is wrong', async () => {
    await stock()
    await setCheckout(shop, { mode: 'razorpay', razorpayKeyId: razorpay.keyId })
    const { keySecret } = razorpay
    razorpay.keySecret = 'another since then'
    const buyer = await newBuyer()
    const rejected = await checkOut(buyer)
    razorpay.keySecret = keySecret
    expect(rejected).toMatchObject({ status: 502, body: { code: 'bad_gateway' } })
    expect(JSON.stringify(rejected.body)).not.toContain(keySecret)
    await waitFor('the goods', async () => (await available()) === UNITS)
  })
})

test('the ledger is balanced after all of these payments', async () => {
  await expectShopBalanced(shop, units)
})

test(`every buyer can pay in spite of ${OUTAGE_MS / 1000} seconds without Stripe, and the ledger is balanced`, async () => {
  await setCheckout(shop, { mode: 'redirect', provider: 'stripe' })
  const { variants } = await shop.stockProduct('payments-outage', BUYERS)
  const id = variants[0]?.id ?? ''
  const buyers = await makeBuyers(shop, id, BUYERS)
  let outage: Promise<void> | undefined
  const tries = await mapConcurrently(buyers, BUYERS_AT_ONCE, async (buyer, index) => {
    if (index === BUYERS / 5) outage = cutFor(OUTAGE_MS)
    const { response, tries: count } = await retryUntilAvailable(() => checkOut(buyer))
    const page = Page.parse(response.body)
    stripe.pay(atStripe(page))
    // Some webhooks arrive twice, and some never arrive.
    if (index % 25 === 0) return count
    const events = completed(page)
    const statuses = await sendTo('stripe', index % 5 === 0 ? [events, events] : [events])
    expect(new Set(statuses)).toEqual(new Set([200]))
    return count
  })
  await outage
  // For a lost webhook the shop requests the state from Stripe when the session expires.
  await shop.sql(`update orders.payment_sessions set expires_at = now() - interval '2 minutes' where status = 'open'`)
  expect(
    tries.some((count) => count > 1),
    'a checkout was retried in the outage',
  ).toBe(true)
  await expectShopBalanced(shop, new Map([[id, BUYERS]]))
  const [paid] = await shop.sql<{ orders: number; captured: number }>(
    `select count(*)::int as orders, count(*) filter (where payment_status = 'captured')::int as captured
       from orders.orders, jsonb_array_elements(document->'lines') as line where line->>'variantId' = $1`,
    [id],
  )
  expect(paid).toEqual({ orders: BUYERS, captured: BUYERS })
  const references = [...stripe.intents.keys()]
  const known = await shop.sql<{ reference: string }>(`select reference from orders.payments where provider = 'stripe'`)
  expect(new Set(known.map(({ reference }) => reference))).toEqual(new Set(references))
  expect(await stockOf(shop, id)).toEqual({ onHand: 0, reserved: 0 })
})

async function cutFor(ms: number): Promise<void> {
  proxy.cut()
  await setTimeout(ms)
  proxy.repair()
}
