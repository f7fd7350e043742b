import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Order, OrderPaid, OrderPlaced } from '@storefront/contracts'
import { waitForLock } from '@storefront/tools/testing'
import { applyPaymentUpdate } from '../src/payments/apply-payment-update.ts'
import { findFaults } from '../src/reconciliation/ledger.queries.ts'
import { relayed } from './events.ts'
import { pageOf, paymentUpdate, payAtStripe, sessionStatus } from './payment-pages.ts'
import { BUYER, cookie, createShop, orderOf, errorOf, usd, type TestResponse, type Shop } from './shop.ts'

let shop: Shop
let admin: object

beforeAll(async () => {
  shop = await createShop()
  admin = shop.suite.headers.admin(['orders:write'])
})
afterAll(() => shop.stop())

let counter = 0
beforeEach(() => {
  counter++
  shop.stock.set('var_m', 20)
})
afterEach(() => shop.reset())

const Placed = Order.extend({ created: z.boolean() })
const place = (body: object, headers: object = admin) => shop.call('POST', '/admin/orders', body, headers)
const placed = ({ status, body }: TestResponse) => {
  if (status !== 200) throw new Error(`the status is ${status}: ${JSON.stringify(body)}`)
  return Placed.parse(body)
}
const captured = (more: object = {}) => ({
  payment: {
    provider: 'razorpay',
    status: 'captured',
    reference: `pay_${counter}`,
    method: 'upi',
    amount: 8920,
    ...more,
  },
})
const email = 'ada@mail.example'
const ACCEPTED = { status: 200, body: undefined }

describe('a merchant', () => {
  test('places an order for a paid cart, once per key, and publishes nothing twice', async () => {
    const cart = shop.addCart({ var_m: 2 }, { customerId: 'cus_ada' })
    const body = { cart_id: cart.id, email, ...captured(), idempotency_key: `key-${counter}` }
    const headers = { ...admin, 'idempotency-key': `header-${counter}` }
    const response = await place({ ...body, shipping_address: BUYER.shipping_address }, headers)
    const order = placed(response)
    expect(order).toMatchObject({
      created: true,
      status: 'paid',
      email,
      customerId: 'cus_ada',
      shippingAddress: { country: 'US' },
      payment: { provider: 'razorpay', status: 'captured', reference: `pay_${counter}`, method: 'upi' },
    })
    // The caller is not the buyer.
    expect(response.browser).toBeUndefined()
    expect(response.body).not.toHaveProperty('accessToken')
    expect(await shop.suite.sql('select from orders.order_capabilities where order_id = $1', [order.id])).toEqual([])

    const again = [
      { ...body, email: 'eve@mail.example' },
      { cart_id: shop.addCart().id, idempotency_key: `key-${counter}` },
    ]
    for (const other of again) expect(placed(await place(other, headers))).toEqual({ ...order, created: false })
    await relayed(shop.suite)
    expect((await shop.suite.eventsOf(OrderPlaced)).filter((event) => event.order.id === order.id)).toHaveLength(1)
    expect((await shop.suite.eventsOf(OrderPaid)).filter((event) => event.orderId === order.id)).toHaveLength(1)
    const steps = await shop.suite.sql<{ kind: string; actor: string | null }>(
      'select kind, actor from orders.order_timeline where order_id = $1 order by id',
      [order.id],
    )
    expect(steps.map(({ kind }) => kind)).toEqual(['placed', 'payment_captured', 'paid'])
    expect(steps.map(({ actor }) => actor)).not.toContain(null)
  })

  test('is identified by the reference of the payment when there is no key', async () => {
    const body = { cart_id: shop.addCart({ var_m: 2 }).id, email, ...captured() }
    const order = placed(await place(body))
    expect(placed(await place({ ...body, cart_id: shop.addCart().id }))).toMatchObject({ id: order.id, created: false })
  })

  test('who sends ten requests at once places one order', async () => {
    const body = { cart_id: shop.addCart({ var_m: 2 }).id, email, ...captured(), idempotency_key: `key-${counter}` }
    const orders = (await Promise.all(Array.from({ length: 10 }, () => place(body)))).map(placed)
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
    expect(orders.filter(({ created }) => created)).toHaveLength(1)
    expect(await shop.suite.sql('select from orders.refunds where order_id = $1', [orders[0]?.id])).toEqual([])
  })

  test('who sends two carts with one key at once places one order, and the goods of the other are free', async () => {
    const carts = [shop.addCart({ var_m: 2 }), shop.addCart({ var_m: 2 })]
    const key = { idempotency_key: `key-${counter}` }
    const orders = (await Promise.all(carts.map(({ id }) => place({ cart_id: id, email, ...key })))).map(placed)
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
    expect(shop.stock.available('var_m')).toBe(18)
  })

  test('who sends a key for an order of its buyer gets that order for every cart, and pays it once', async () => {
    const cart = shop.addCart({ var_m: 2 }, { checkoutMode: 'api' })
    const { id } = orderOf(await shop.checkOut(cart.id))
    const keys = ['one', 'two'].map((name) => ({ idempotency_key: `${name}-${counter}` }))
    for (const key of keys) {
      const body = { cart_id: cart.id, email, ...key }
      expect(placed(await place(body))).toMatchObject({ id, created: false, status: 'placed' })
    }
    const other = { cart_id: shop.addCart({ var_m: 2 }).id, email }
    for (const key of keys) expect(placed(await place({ ...other, ...key }))).toMatchObject({ id, created: false })
    for (const payment of [captured(), captured(), captured({ reference: `late_${counter}` })]) {
      const order = placed(await place({ ...other, ...keys[0], ...payment }))
      expect(order).toMatchObject({ id, created: false, status: 'paid', payment: { reference: `pay_${counter}` } })
    }
    expect(await shop.suite.sql('select from orders.refunds where order_id = $1', [id])).toEqual([])
    expect(shop.stock.available('var_m')).toBe(18)
  })

  test('who sends one key for an ordered cart and a new one at once gets one order for it', async () => {
    const ordered = shop.addCart({ var_m: 2 }, { checkoutMode: 'api' })
    orderOf(await shop.checkOut(ordered.id))
    const body = { cart_id: ordered.id, email, idempotency_key: `key-${counter}` }
    const bodies = [body, { ...body, cart_id: shop.addCart({ var_m: 2 }).id }]
    const orders = (await Promise.all([...bodies, ...bodies].map((each) => place(each)))).map(placed)
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
  })

  test('whose key an earlier version stored gets its order', async () => {
    const body = { cart_id: shop.addCart().id, email, idempotency_key: `key-${counter}` }
    const { id } = placed(await place(body))
    await shop.suite.sql('delete from orders.placement_keys where order_id = $1', [id])
    expect(placed(await place({ ...body, cart_id: shop.addCart().id }))).toMatchObject({ id, created: false })
  })

  test('has a cart priced as paid only when money was taken', async () => {
    const payments = [{}, { amount: undefined }, { amount: 0 }, { amount: usd(0) }, { status: 'authorized' }]
    const paid = []
    for (const payment of payments) {
      const { id } = shop.addCart()
      await place({ cart_id: id, email, ...captured({ reference: id, ...payment }) })
      paid.push(shop.quotes.findLast(({ cartId }) => cartId === id)?.paid)
    }
    expect(paid).toEqual([true, true, undefined, undefined, undefined])
  })

  test('without a payment places an order that waits for it', async () => {
    const order = placed(await place({ cart_id: shop.addCart().id, email }))
    expect(order).toMatchObject({ status: 'placed', payment: { provider: 'manual', status: 'pending' } })
  })

  test('with a payment without a reference gets a generated one', async () => {
    const order = placed(await place({ cart_id: shop.addCart().id, email, payment: { status: 'captured' } }))
    expect(order).toMatchObject({ status: 'paid', payment: { provider: 'manual', reference: `manual_${order.id}` } })
  })

  test('with another amount than the total has the order flagged', async () => {
    const body = { cart_id: shop.addCart({ var_m: 2 }).id, email }
    expect(placed(await place({ ...body, ...captured({ amount: usd(8919) }) }))).toMatchObject({
      status: 'placed',
      attention: 'amount_mismatch',
    })
  })

  test('accepts a payment of 0 by marking the order as paid', async () => {
    const order = placed(await place({ cart_id: shop.addCart({ var_m: 2 }).id, email, ...captured({ amount: 0 }) }))
    expect(order).toMatchObject({ status: 'placed', attention: 'amount_mismatch', payment: { status: 'captured' } })
    const paid = orderOf(await shop.call('PATCH', `/admin/orders/${order.id}`, { status: 'paid' }, admin))
    expect(paid).toMatchObject({ status: 'paid', payment: { reference: `pay_${counter}` } })
    const compared = { settled: new Date(Date.now() + 60_000), overdue: new Date(0), since: new Date(0) }
    const faults = await findFaults(shop.orders.context.db, { ...compared, again: { orderIds: [], payments: [] } })
    expect(faults.filter(({ subject }) => subject === order.id)).toEqual([])
  })

  test('pays the order that the cart already has', async () => {
    const cart = shop.addCart({ var_m: 2 }, { checkoutMode: 'api' })
    const order = orderOf(await shop.checkOut(cart.id))
    const body = { cart_id: cart.id, email, ...captured() }
    expect(placed(await place(body))).toMatchObject({ id: order.id, created: false, status: 'paid' })
    expect(placed(await place(body))).toMatchObject({ id: order.id, created: false, status: 'paid' })
  })

  test('needs no address and no email when the buyer gave them at a payment page, which ends', async () => {
    const cart = shop.addCart({ var_m: 2 }, { checkoutMode: 'redirect', checkoutProvider: 'stripe' })
    const response = await shop.checkOut(cart.id)
    const order = placed(await place({ cart_id: cart.id, ...captured() }))
    expect(order).toMatchObject({ email: BUYER.email, shippingMethod: 'standard', created: true })
    expect(order.shippingAddress).toMatchObject({ line1: '1 Way', country: 'US' })
    expect(await shop.suite.sql('select status from orders.payment_sessions where cart_id = $1', [cart.id])).toEqual([
      { status: 'superseded' },
    ])
    expect(shop.stock.available('var_m')).toBe(18)
    // The buyer's browser is the one that was at the page.
    expect((await shop.call('GET', `/orders/${order.id}`, undefined, cookie(response.browser))).status).toBe(200)
  })
})

describe('one payment', () => {
  const conflict = { status: 409, code: 'conflict' }
  const UPDATE = paymentUpdate({ provider: 'razorpay' })
  const cartIn = (checkoutMode = 'api') => shop.addCart({ var_m: 2 }, { checkoutMode })
  const paymentsOf = (reference: string) =>
    shop.suite.sql('select order_id, status from orders.payments where reference = $1', [reference])

  test('for two carts under different keys pays only for the first, one after the other', async () => {
    const [one, two] = [cartIn(), cartIn()]
    const order = placed(await place({ cart_id: one.id, email, ...captured(), idempotency_key: `one-${counter}` }))
    expect(order.status).toBe('paid')
    for (const key of [{ idempotency_key: `two-${counter}` }, { idempotency_key: `three-${counter}` }]) {
      expect(errorOf(await place({ cart_id: two.id, email, ...captured(), ...key }))).toMatchObject(conflict)
    }
    expect(await shop.suite.sql('select from orders.orders where cart_id = $1', [two.id])).toEqual([])
    expect(shop.stock.available('var_m')).toBe(18)
  })

  test('for two carts at once under different keys pays for one of them', async () => {
    const carts = [cartIn(), cartIn(), cartIn()]
    const responses = await Promise.all(
      carts.map(({ id }, index) =>
        place({ cart_id: id, email, ...captured(), idempotency_key: `${index}-${counter}` }),
      ),
    )
    expect(responses.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409'])
    const ids = carts.map(({ id }) => id)
    expect(await shop.suite.sql('select status from orders.orders where cart_id = any($1)', [ids])).toEqual([
      { status: 'paid' },
    ])
    expect(shop.stock.available('var_m')).toBe(18)
  })

  test('for orders that wait for their payment pays one of them', async () => {
    const carts = [cartIn(), cartIn()]
    for (const { id } of carts) orderOf(await shop.checkOut(id))
    const responses = await Promise.all(
      carts.map(({ id }, index) =>
        place({ cart_id: id, email, ...captured(), idempotency_key: `${index}-${counter}` }),
      ),
    )
    expect(responses.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
    expect(errorOf(responses.find(({ status }) => status === 409) ?? ACCEPTED)).toMatchObject(conflict)
  })

  test('that was pending when the order was placed pays it when it is captured', async () => {
    const body = { cart_id: cartIn().id, email }
    const promised = placed(await place({ ...body, ...captured({ status: 'authorized' }) }))
    expect(promised).toMatchObject({ status: 'placed', payment: { status: 'authorized' } })
    const paid = { id: promised.id, created: false, status: 'paid', payment: { status: 'captured' } }
    expect(placed(await place({ ...body, ...captured() }))).toMatchObject(paid)
    expect(placed(await place({ ...body, ...captured() }))).toMatchObject(paid)
    expect(await shop.suite.sql('select from orders.refunds where order_id = $1', [promised.id])).toEqual([])
  })

  test.each(['authorized', 'pending'])(
    'that was %s when the order was placed is found by its reference',
    async (status) => {
      const order = placed(await place({ cart_id: cartIn().id, email, ...captured({ status }) }))
      const update = { ...UPDATE, reference: `pay_${counter}` }
      const ignored = await applyPaymentUpdate(shop.orders.context, { ...update, status: 'expired' })
      expect(ignored).toMatchObject({ kind: 'order', order: { id: order.id, status: 'placed' } })
      const outcome = await applyPaymentUpdate(shop.orders.context, update)
      expect(outcome).toMatchObject({ kind: 'order', order: { id: order.id, status: 'paid', capturedMinor: 8920 } })
    },
  )

  test.each(['authorized', 'pending'])('that is %s pays the order that its cart already has', async (status) => {
    const cart = cartIn()
    const { id } = orderOf(await shop.checkOut(cart.id))
    const reference = `pay_${counter}`
    for (const key of [{}, { idempotency_key: `again-${counter}` }]) {
      const order = placed(await place({ cart_id: cart.id, email, ...captured({ status }), ...key }))
      expect(order).toMatchObject({ id, status: 'placed', payment: { provider: 'razorpay', status, reference } })
    }
    const outcome = await applyPaymentUpdate(shop.orders.context, { ...UPDATE, reference })
    expect(outcome).toMatchObject({ kind: 'order', order: { id, status: 'paid', capturedMinor: 8920 } })
    const steps = await shop.suite.sql<{ kind: string }>(
      'select kind from orders.order_timeline where order_id = $1 order by id',
      [id],
    )
    const authorized = status === 'authorized' ? ['payment_authorized'] : []
    expect(steps.map(({ kind }) => kind)).toEqual(['placed', ...authorized, 'payment_captured', 'paid'])
  })

  test('that is expected for one order does not become the payment of another', async () => {
    const [one, two] = [cartIn(), cartIn()]
    const payment = captured({ status: 'authorized' })
    const order = placed(await place({ cart_id: one.id, email, ...payment, idempotency_key: `one-${counter}` }))
    orderOf(await shop.checkOut(two.id))
    const other = placed(await place({ cart_id: two.id, email, ...payment, idempotency_key: `two-${counter}` }))
    expect(other).toMatchObject({ created: false, payment: { provider: 'invoice', status: 'pending' } })
    const outcome = await applyPaymentUpdate(shop.orders.context, { ...UPDATE, reference: `pay_${counter}` })
    expect(outcome).toMatchObject({ kind: 'order', order: { id: order.id, status: 'paid' } })
  })

  test('that is expected for one order is rejected when it is captured for another, and stays its payment', async () => {
    const [one, withKey, waiting, unordered] = [cartIn(), cartIn(), cartIn(), cartIn()]
    const expected = { cart_id: one.id, email, idempotency_key: one.id }
    const order = placed(await place({ ...expected, ...captured({ status: 'authorized' }) }))
    placed(await place({ cart_id: withKey.id, email, idempotency_key: withKey.id }))
    orderOf(await shop.checkOut(waiting.id))
    for (const { id } of [withKey, waiting, unordered]) {
      const response = await place({ cart_id: id, email, ...captured(), idempotency_key: id })
      expect(errorOf(response)).toMatchObject(conflict)
    }
    const ids = [withKey.id, waiting.id, unordered.id]
    expect(await shop.suite.sql('select payment_status from orders.orders where cart_id = any($1)', [ids])).toEqual([
      { payment_status: 'pending' },
      { payment_status: 'pending' },
    ])
    expect(await paymentsOf(`pay_${counter}`)).toEqual([{ order_id: order.id, status: 'authorized' }])
    expect(placed(await place({ ...expected, ...captured() }))).toMatchObject({ id: order.id, status: 'paid' })
  })

  test.each<[string, (cartId: string) => Promise<unknown>]>([
    ['a cart', () => Promise.resolve()],
    ['an order', (cartId) => shop.checkOut(cartId)],
  ])('that another request expects for its order at the same moment does not pay for %s', async (_what, prepare) => {
    const [one, two] = [cartIn(), cartIn()]
    const order = orderOf(await shop.checkOut(one.id))
    await prepare(two.id)
    const reference = `pay_${counter}`
    await shop.suite.sql('begin')
    await shop.suite.sql(
      `insert into orders.payments (provider, reference, order_id, status, amount_minor, currency, received_at)
       values ('razorpay', $1, $2, 'authorized', 8920, 'USD', now())`,
      [reference, order.id],
    )
    const request = place({ cart_id: two.id, email, ...captured(), idempotency_key: two.id })
    await waitForLock(shop.suite, 'insert into payments ')
    await shop.suite.sql('commit')
    expect(errorOf(await request)).toMatchObject(conflict)
    expect(await paymentsOf(reference)).toEqual([{ order_id: order.id, status: 'authorized' }])
    expect(
      await shop.suite.sql(`select from orders.orders where cart_id = $1 and payment_status <> 'pending'`, [two.id]),
    ).toEqual([])
  })

  test('that was authorized stays the payment of its order when the merchant marks the order as paid', async () => {
    const order = placed(await place({ cart_id: cartIn().id, email, ...captured({ status: 'authorized' }) }))
    const paid = await shop.call('PATCH', `/admin/orders/${order.id}`, { status: 'paid' }, admin)
    const payment = { provider: 'razorpay', status: 'captured', reference: `pay_${counter}` }
    expect(orderOf(paid)).toMatchObject({ status: 'paid', payment })
    const update = { ...UPDATE, reference: `pay_${counter}` }
    expect(await applyPaymentUpdate(shop.orders.context, update)).toMatchObject({ kind: 'order' })
    expect(await shop.suite.sql('select from orders.refunds where order_id = $1', [order.id])).toEqual([])
  })

  test('in another currency flags the order, which is not paid', async () => {
    const body = { cart_id: cartIn().id, email }
    const amount = { amount: 8920, currency: 'EUR' }
    expect(placed(await place({ ...body, ...captured({ amount }) }))).toMatchObject({
      status: 'placed',
      attention: 'amount_mismatch',
    })
  })

  test('of one cart does not pay for the page of another, whatever the source', async () => {
    const order = placed(await place({ cart_id: cartIn().id, email, ...captured({ provider: 'stripe' }) }))
    const other = shop.addCart({ var_m: 2 }, { checkoutMode: 'redirect', checkoutProvider: 'stripe' })
    const page = pageOf(await shop.checkOut(other.id))
    const outcome = await payAtStripe(shop, page.id, `pay_${counter}`)
    expect(outcome).toMatchObject({ kind: 'order', order: { id: order.id, status: 'paid' } })
    expect(await shop.suite.sql('select from orders.orders where cart_id = $1', [other.id])).toEqual([])
  })
})

describe('a shortfall', () => {
  test('is rejected line by line, and nothing is placed', async () => {
    const cart = shop.addCart({ var_m: 30 })
    expect(errorOf(await place({ cart_id: cart.id, email }))).toMatchObject({
      status: 409,
      code: 'out_of_stock',
      detail: { lines: [{ lineId: cart.lines[0]?.id, wanted: 30, available: 20 }] },
    })
    expect(await shop.suite.sql('select from orders.orders where cart_id = $1', [cart.id])).toEqual([])
  })

  test('of a paid order flags it for a person', async () => {
    const cart = shop.addCart({ var_m: 30 })
    const order = placed(await place({ cart_id: cart.id, email, ...captured({ amount: undefined }) }))
    expect(order).toMatchObject({ status: 'paid', attention: 'out_of_stock', created: true })
  })
})

describe('goods that a payment page of the same cart holds', () => {
  test.each([
    ['paid', captured],
    ['placed', () => ({})],
  ])('are those of its %s order', async (status, payment) => {
    shop.stock.set('var_m', 3)
    const cart = shop.addCart({ var_m: 3 }, { checkoutMode: 'redirect', checkoutProvider: 'stripe' })
    const page = pageOf(await shop.checkOut(cart.id))
    cart.lines = shop.addCart({ var_m: 2 }).lines
    const order = placed(await place({ cart_id: cart.id, email, ...payment() }))
    expect(order).toMatchObject({ status, created: true })
    expect(order).not.toHaveProperty('attention')
    expect(await sessionStatus(shop, page.id)).toBe('superseded')
    expect(shop.stock.available('var_m')).toBe(1)
  })
})

describe('the request is rejected', () => {
  test('for a cart that does not exist', async () => {
    expect(errorOf(await place({ cart_id: 'cart_nothing', email }))).toMatchObject({
      status: 404,
      code: 'cart_not_found',
    })
  })

  test.each([
    ['without an email address', {}, 422, 'email_required'],
    ['with an invalid one', { email: 'ada' }, 422, 'invalid_email'],
    ['when the payment failed', { email, payment: { status: 'failed' } }, 402, 'payment_failed'],
    ['with an amount below zero', { email, payment: { status: 'captured', amount: -1 } }, 422, 'validation_failed'],
  ])('%s', async (_what, body, status, code) => {
    const before = shop.reservations()
    const { id } = shop.addCart()
    expect(errorOf(await place({ cart_id: id, ...body }))).toMatchObject({ status, code })
    expect(shop.reservations()).toBe(before)
  })

  test('without the permission', async () => {
    const body = { cart_id: shop.addCart().id, email }
    expect((await place(body, {})).status).toBe(401)
    expect((await place(body, shop.suite.headers.customer('cus_ada'))).status).toBe(403)
    expect((await place(body, shop.suite.headers.admin(['orders:read']))).status).toBe(403)
  })
})
