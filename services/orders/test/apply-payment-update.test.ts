import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendRequest } from '@storefront/messaging'
import { DependencyUnavailable } from '@storefront/service'
import { OrderPaid, OrderPlaced, SettleClaims } from '@storefront/contracts'
import { waitFor, waitForLock } from '@storefront/tools/testing'
import type { PaymentUpdate } from '../src/payments/provider.ts'
import { applyPaymentUpdate } from '../src/payments/apply-payment-update.ts'
import { relayed } from './events.ts'
import { pageOf, paymentUpdate, sessionStatus } from './payment-pages.ts'
import { BUYER, cookie, createShop, orderOf, usd, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
})
afterAll(() => shop.stop())

beforeEach(() => shop.stock.set('var_m', 10))
afterEach(() => shop.reset())

const open = async (more: object = {}, body: unknown = BUYER) => {
  const cart = shop.addCart({ var_m: 2 }, { checkoutMode: 'redirect', checkoutProvider: 'stripe', ...more })
  return { cart, ...(await page(cart.id, body)) }
}
const page = async (cartId: string, body: unknown = BUYER) => {
  const response = await shop.checkOut(cartId, body)
  return { id: pageOf(response).id, browser: response.browser }
}
let payments = 0
const updateOf = (sessionId: string | undefined, more: Partial<PaymentUpdate> = {}) =>
  paymentUpdate({ reference: `pi_${++payments}`, sessionId, ...more })
const apply = (update: PaymentUpdate) => applyPaymentUpdate(shop.orders.context, update)
const orderAfter = async (update: PaymentUpdate) => {
  const result = await apply(update)
  if (result.kind !== 'order') throw new Error(`there is no order: ${result.kind}`)
  return result.order
}
const statusOf = (sessionId: string) => sessionStatus(shop, sessionId)
const ordersOf = (cartId: string) =>
  shop.suite.sql<{ id: string; status: string; attention: string | null; payment_status: string }>(
    'select id, status, attention, payment_status from orders.orders where cart_id = $1',
    [cartId],
  )
const refundsOf = (orderId: string) =>
  shop.suite.sql('select payment_reference, of_duplicate from orders.refunds where order_id = $1', [orderId])
const paymentsOf = (reference: string) =>
  shop.suite.sql(
    'select status, amount_minor::int as amount, currency, session_id, order_id from orders.payments where reference = $1',
    [reference],
  )
const placeUnpaid = async () => orderOf(await shop.checkOut(shop.addCart({ var_m: 1 }, { checkoutMode: 'api' }).id))
const publishedAbout = async (orderId: string) => {
  await relayed(shop.suite)
  return {
    placed: (await shop.suite.eventsOf(OrderPlaced)).filter(({ order }) => order.id === orderId),
    paid: (await shop.suite.eventsOf(OrderPaid)).filter((event) => event.orderId === orderId),
  }
}

describe('a payment', () => {
  test('places the order of its session as paid, for the browser that began it', async () => {
    const { cart, id, browser } = await open({ discount: 'use_code' })
    const order = await orderAfter(updateOf(id))
    expect(order).toMatchObject({ status: 'paid', capturedMinor: 8920, discountClaim: 'use_code.1', attention: null })
    expect(order.payment).toMatchObject({ provider: 'stripe', status: 'captured', method: 'card' })
    expect(await statusOf(id)).toBe('completed')
    const read = await shop.call('GET', `/orders/${order.id}`, undefined, cookie(browser))
    expect(orderOf(read).number).toBe(order.number)
    expect((await shop.call('GET', `/checkout/sessions/${id}`, undefined, cookie(browser))).body).toEqual({
      id,
      status: 'completed',
      orderId: order.id,
      number: order.number,
    })
    const { placed, paid } = await publishedAbout(order.id)
    expect(placed).toHaveLength(1)
    expect(placed[0]).toMatchObject({
      cartId: cart.id,
      reservation: { claim: order.claim },
      discountClaim: 'use_code.1',
      order: { payment: { provider: 'stripe', status: 'captured', method: 'card' } },
    })
    expect(JSON.stringify(placed[0])).not.toContain(order.payment.reference)
    expect(paid).toHaveLength(1)
    // Checked out again, the cart returns its order to its buyer.
    expect(orderOf(await shop.checkOut(cart.id, BUYER, cookie(browser))).id).toBe(order.id)
  })

  test('reported ten times at once places one order and pays it once', async () => {
    const { cart, id } = await open()
    const update = updateOf(id)
    const orders = await Promise.all(Array.from({ length: 10 }, () => orderAfter(update)))
    expect(new Set(orders.map((order) => order.id)).size).toBe(1)
    const [order] = await ordersOf(cart.id)
    expect(order).toMatchObject({ status: 'paid', attention: null })
    expect(await refundsOf(order?.id ?? '')).toEqual([])
    const { placed, paid } = await publishedAbout(order?.id ?? '')
    expect({ placed: placed.length, paid: paid.length }).toEqual({ placed: 1, paid: 1 })
  })

  test('at the demo page is not paid a second time by the demo mode', async () => {
    const cart = shop.addCart({ var_m: 2 }, { checkoutMode: 'redirect', checkoutProvider: 'demo' })
    const { id } = await page(cart.id)
    const order = await orderAfter(updateOf(id, { provider: 'demo' }))
    await publishedAbout(order.id)
    // Its own consumer has consumed everything up to a later order.
    const later = orderOf(await shop.checkOut(shop.addCart({ var_m: 1 }).id))
    await waitFor('a later payment', async () => {
      const [row] = await shop.suite.sql<{ status: string }>('select status from orders.orders where id = $1', [
        later.id,
      ])
      return row?.status === 'paid'
    })
    expect(await refundsOf(order.id)).toEqual([])
    expect((await ordersOf(cart.id))[0]?.attention).toBeNull()
  })

  test.each<[string, (id: string) => Partial<PaymentUpdate>]>([
    ["the provider's name for its session", (id) => ({ sessionId: undefined, providerSession: `stripe_of_${id}` })],
    ['our name for it', (id) => ({ sessionId: id })],
  ])('is identified by %s', async (_what, names) => {
    const { id } = await open()
    expect((await orderAfter(updateOf(undefined, names(id)))).status).toBe('paid')
  })

  test('is identified by the order that it will become', async () => {
    const { id } = await open()
    const orderId = shop.providers.stripe.opened.find((session) => session.id === id)?.orderId
    expect((await orderAfter(updateOf(undefined, { orderId }))).id).toBe(orderId)
  })

  test('of another shop is ignored', async () => {
    const { id } = await open()
    expect(await apply(updateOf('pay_unknown'))).toEqual({ kind: 'unknown' })
    expect(await apply(updateOf(id, { provider: 'razorpay' }))).toEqual({ kind: 'unknown' })
    expect(await statusOf(id)).toBe('open')
  })

  test('of another amount is kept, and flags the order', async () => {
    const { id } = await open()
    const order = await orderAfter(updateOf(id, { amount: usd(1) }))
    expect(order).toMatchObject({ status: 'placed', attention: 'amount_mismatch', capturedMinor: 1 })
  })

  test('of an order that was placed before pays it', async () => {
    const order = await placeUnpaid()
    const paid = await orderAfter(updateOf(undefined, { orderId: order.id, amount: order.total }))
    expect(paid).toMatchObject({ id: order.id, status: 'paid' })
  })

  test('without an amount pays the whole total of its session or order', async () => {
    const { id } = await open()
    expect(await orderAfter(updateOf(id, { amount: undefined }))).toMatchObject({ status: 'paid', capturedMinor: 8920 })
    const order = await placeUnpaid()
    const paid = await orderAfter(updateOf(undefined, { orderId: order.id, amount: undefined }))
    expect(paid).toMatchObject({ status: 'paid', capturedMinor: order.total.amount })
  })

  test('never pays for a second cart, whatever session a later update names', async () => {
    const [first, second] = [await open(), await open()]
    const update = updateOf(first.id)
    const order = await orderAfter(update)
    expect(await orderAfter({ ...update, sessionId: second.id })).toMatchObject({ id: order.id, capturedMinor: 8920 })
    expect(await ordersOf(second.cart.id)).toEqual([])
    expect(await refundsOf(order.id)).toEqual([])
  })

  test('that is expected for another order at the same moment pays that order', async () => {
    const [named, expected] = [await placeUnpaid(), await placeUnpaid()]
    const update = updateOf(undefined, { orderId: named.id, amount: expected.total })
    await shop.suite.sql('begin')
    await shop.suite.sql(
      `insert into orders.payments (provider, reference, order_id, status, amount_minor, currency, received_at)
       values ('stripe', $1, $2, 'authorized', 4920, 'USD', now())`,
      [update.reference, expected.id],
    )
    const result = apply(update)
    await waitForLock(shop.suite, 'insert into payments ')
    await shop.suite.sql('commit')
    expect(await result).toMatchObject({ kind: 'order', order: { id: expected.id, status: 'paid' } })
    const statuses = await shop.suite.sql('select payment_status from orders.orders where id = $1', [named.id])
    expect(statuses).toEqual([{ payment_status: 'pending' }])
  })

  test('without a reference is an error, because it could not be refunded', async () => {
    const { cart, id } = await open()
    await expect(apply(updateOf(id, { reference: undefined }))).rejects.toThrow('without a reference')
    expect(await ordersOf(cart.id)).toEqual([])
  })

  test('made a second time, with another card, is refunded', async () => {
    const { cart, id } = await open()
    const first = await orderAfter(updateOf(id))
    const update = updateOf(id)
    expect(await apply(update)).toMatchObject({
      kind: 'surplus',
      order: { id: first.id, status: 'paid', attention: 'refund_due', capturedMinor: 8920 },
    })
    expect(await refundsOf(first.id)).toEqual([{ payment_reference: update.reference, of_duplicate: true }])
    expect(await ordersOf(cart.id)).toHaveLength(1)
  })
})

describe('a payment that arrives after its session ended', () => {
  test('after it was replaced by another still places the order, and the other page is closed', async () => {
    const { cart, id } = await open()
    const second = await page(cart.id, { ...BUYER, email: 'eve@mail.example' })
    const order = await orderAfter(updateOf(id))
    expect(order).toMatchObject({ status: 'paid', email: BUYER.email })
    expect(await statusOf(second.id)).toBe('superseded')
    expect(shop.providers.stripe.closed).toContain(`stripe_of_${second.id}`)
    const late = await apply(updateOf(second.id))
    expect(late).toMatchObject({ kind: 'surplus', order: { id: order.id, attention: 'refund_due' } })
    expect(await ordersOf(cart.id)).toHaveLength(1)
    expect(shop.stock.available('var_m')).toBe(8)
  })

  test('takes the goods of the page that replaced it, when no others are left', async () => {
    const { cart, id } = await open()
    cart.lines = shop.addCart({ var_m: 1 }).lines
    const second = await page(cart.id)
    shop.stock.set('var_m', 2)
    const order = await orderAfter(updateOf(id))
    expect(order).toMatchObject({ status: 'paid', attention: null, claim: expect.stringMatching(/\.2$/) })
    expect(await statusOf(id)).toBe('completed')
    expect(await statusOf(second.id)).toBe('superseded')
    expect(shop.providers.stripe.closed).toContain(`stripe_of_${second.id}`)
    expect(shop.stock.held()).toEqual([order.claim])
  })

  test('for two pages of one cart at once places one order, and every further payment is refunded', async () => {
    const { cart, id } = await open()
    const second = await page(cart.id, { ...BUYER, email: 'eve@mail.example' })
    await Promise.all([apply(updateOf(id)), apply(updateOf(second.id)), apply(updateOf(second.id))])
    const [order, ...others] = await ordersOf(cart.id)
    expect(others).toEqual([])
    expect(order?.status).toBe('paid')
    expect(await refundsOf(order?.id ?? '')).toHaveLength(2)
  })

  test.each(['cancelled', 'expired'] as const)('after it was %s reserves the goods again', async (status) => {
    const { id } = await open({ discount: `use_${status}` })
    expect(await apply(updateOf(id, { status, reference: undefined }))).toMatchObject({ kind: 'session' })
    expect(await statusOf(id)).toBe(status)
    expect(shop.stock.available('var_m')).toBe(10)
    const order = await orderAfter(updateOf(id))
    expect(order).toMatchObject({ status: 'paid', attention: null, discountClaim: null })
    expect(order.claim).toMatch(/\.2$/)
    expect(shop.stock.available('var_m')).toBe(8)
    expect((await publishedAbout(order.id)).placed[0]?.reservation?.claim).toBe(order.claim)
  })

  test('after catalog has released the goods reserves them again', async () => {
    const { id } = await open()
    const [claim = ''] = shop.stock.held()
    await shop.suite.sql("update orders.payment_sessions set expires_at = now() - interval '1 second' where id = $1", [
      id,
    ])
    await sendRequest(shop.catalog, SettleClaims, { claims: [claim] })
    shop.stock.release(claim)
    expect((await orderAfter(updateOf(id))).claim).toBe(claim.replace(/1$/, '2'))
  })

  test('for goods that are sold out places a paid order with a flag for the merchant', async () => {
    const { id } = await open()
    await apply(updateOf(id, { status: 'expired', reference: undefined }))
    shop.stock.set('var_m', 1)
    const update = updateOf(id)
    const order = await orderAfter(update)
    expect(order).toMatchObject({ status: 'paid', attention: 'out_of_stock', claim: null, capturedMinor: 8920 })
    const { placed, paid } = await publishedAbout(order.id)
    expect(placed).toHaveLength(1)
    expect(placed[0]?.reservation).toBeUndefined()
    expect(paid).toHaveLength(1)
    expect(await orderAfter(update)).toMatchObject({ id: order.id, status: 'paid', attention: 'out_of_stock' })
  })

  test('fails while catalog does not reply, and places the order when it is repeated', async () => {
    const { cart, id } = await open()
    await apply(updateOf(id, { status: 'expired', reference: undefined }))
    const { promise, resolve } = Promise.withResolvers<void>()
    shop.hooks.beforeReserved = () => promise
    const update = updateOf(id)
    await expect(apply(update)).rejects.toThrow(DependencyUnavailable)
    expect(await ordersOf(cart.id)).toEqual([])
    resolve()
    shop.hooks.beforeReserved = undefined
    expect((await orderAfter(update)).status).toBe('paid')
  })
})

describe('updates in another sequence', () => {
  const about = (id: string, status: PaymentUpdate['status']) => updateOf(id, { status, reference: 'pi_same' })

  test('never undo a captured payment', async () => {
    for (const status of ['failed', 'authorized', 'cancelled', 'expired'] as const) {
      const { id } = await open()
      const reference = `pi_late_${status}`
      await orderAfter(updateOf(id, { reference }))
      const order = await orderAfter(updateOf(id, { status, reference }))
      expect(order).toMatchObject({ status: 'paid', payment: { status: 'captured' } })
      expect(await statusOf(id)).toBe('completed')
      expect(await shop.suite.sql('select status from orders.payments where reference = $1', [reference])).toEqual([
        { status: 'captured' },
      ])
    }
  })

  test('leave a session open after a failed payment, so that the buyer can try another card', async () => {
    const { id } = await open()
    expect(await apply(about(id, 'failed'))).toMatchObject({ kind: 'session' })
    expect(await statusOf(id)).toBe('open')
    expect(await paymentsOf('pi_same')).toEqual([
      { status: 'failed', amount: 8920, currency: 'USD', session_id: id, order_id: null },
    ])
    expect((await orderAfter(about(id, 'captured'))).status).toBe('paid')
  })

  test('keep the amount that the provider reports, or else the total of what is paid', async () => {
    const [{ id }, order] = [await open(), await placeUnpaid()]
    const names = { sessionId: undefined, orderId: order.id }
    await apply(updateOf(id, { status: 'authorized', reference: 'pi_reported', amount: usd(77) }))
    await apply(updateOf(id, { status: 'authorized', reference: 'pi_of_session', amount: undefined }))
    await apply(updateOf(undefined, { ...names, status: 'failed', reference: 'pi_of_order', amount: undefined }))
    expect(await paymentsOf('pi_reported')).toMatchObject([{ status: 'authorized', amount: 77, session_id: id }])
    expect(await paymentsOf('pi_of_session')).toMatchObject([{ amount: 8920, session_id: id, order_id: null }])
    expect(await paymentsOf('pi_of_order')).toMatchObject([
      { status: 'failed', amount: order.total.amount, session_id: null, order_id: order.id },
    ])
  })

  test('record in the timeline which payment it was, if it has a reference, and change the order once', async () => {
    const order = await placeUnpaid()
    const names = { orderId: order.id, amount: order.total }
    for (let time = 0; time < 2; time++) {
      await apply(updateOf(undefined, { ...names, status: 'failed', reference: undefined }))
      await apply(updateOf(undefined, { ...names, status: 'authorized', reference: 'pi_named' }))
    }
    const steps = await shop.suite.sql(
      'select kind, detail from orders.order_timeline where order_id = $1 order by id',
      [order.id],
    )
    expect(steps.slice(1)).toEqual([
      { kind: 'payment_failed', detail: { provider: 'stripe' } },
      { kind: 'payment_authorized', detail: { provider: 'stripe', reference: 'pi_named' } },
    ])
    expect(await shop.suite.sql('select reference from orders.payments where order_id = $1', [order.id])).toEqual([
      { reference: 'pi_named' },
    ])
  })

  test.each(['cancelled', 'expired'] as const)('do not change an order without a session: %s', async (status) => {
    const order = await placeUnpaid()
    const update = updateOf(undefined, { status, reference: undefined, orderId: order.id })
    expect(await orderAfter(update)).toMatchObject({ id: order.id, status: 'placed', payment: { status: 'pending' } })
  })

  test('change an order from failed to authorized to captured, and never back', async () => {
    const placed = await placeUnpaid()
    const paymentStatusAfter = async (status: PaymentUpdate['status']) => {
      const update = updateOf(undefined, { status, orderId: placed.id, amount: placed.total, reference: 'pi_step' })
      return (await orderAfter(update)).payment.status
    }
    expect(await paymentStatusAfter('failed')).toBe('failed')
    expect(await paymentStatusAfter('authorized')).toBe('authorized')
    expect(await paymentStatusAfter('failed')).toBe('authorized')
    expect(await paymentStatusAfter('captured')).toBe('captured')
    expect(await paymentStatusAfter('authorized')).toBe('captured')
    const steps = await shop.suite.sql<{ kind: string }>(
      'select kind from orders.order_timeline where order_id = $1 order by id',
      [placed.id],
    )
    expect(steps.map(({ kind }) => kind)).toEqual([
      'placed',
      'payment_failed',
      'payment_authorized',
      'payment_captured',
      'paid',
    ])
  })
})
