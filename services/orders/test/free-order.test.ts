import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { OrderCheckout, OrderPaid } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { createReconciler } from '../src/reconciliation/reconcile.ts'
import { BUYER, createShop, newBrowser, orderOf, errorOf, usd, type Shop } from './shop.ts'

let shop: Shop
/** As configured for a shop with an https address. */
const secureCookie = (browser: string | undefined) => ({ cookie: `__Host-store_browser=${browser}` })

beforeAll(async () => {
  shop = await createShop({ env: { PUBLIC_URL: 'https://shop.example/v1/', STOREFRONT_URL: 'https://shop.example' } })
})
afterAll(() => shop.stop())
beforeEach(() => shop.stock.set('var_m', 20))

describe('a checkout that costs nothing', () => {
  test.each([
    ['redirect', 'stripe'],
    ['redirect', 'demo'],
    ['razorpay', 'razorpay'],
    ['demo', 'demo'],
    ['api', 'demo'],
  ])('in the mode %s with %s is paid at once, and no provider is called', async (checkoutMode, checkoutProvider) => {
    const cart = shop.addCart(
      { var_m: 1 },
      { checkoutMode, checkoutProvider, isFree: true, discount: `use_${checkoutMode}_${checkoutProvider}` },
    )
    const response = await shop.checkOut(cart.id)
    const order = orderOf(response)
    expect(order).toMatchObject({ status: 'paid', total: usd(0), payment: { provider: 'none', status: 'captured' } })
    expect(Object.values(shop.providers).flatMap(({ opened }) => opened)).toEqual([])
    await waitFor('the event', async () =>
      (await shop.suite.eventsOf(OrderPaid)).some(({ orderId }) => orderId === order.id),
    )
    const read = orderOf(await shop.call('GET', `/orders/${order.id}`, undefined, secureCookie(response.browser)))
    expect(read.status).toBe('paid')
    expect(await shop.suite.sql('select from orders.refunds where order_id = $1', [order.id])).toEqual([])
  })

  test('names the success page, for a storefront that waits for a redirect', async () => {
    const free = () =>
      shop.addCart({ var_m: 1 }, { checkoutMode: 'redirect', checkoutProvider: 'stripe', isFree: true })
    const own = OrderCheckout.parse(
      (await shop.checkOut(free().id, { ...BUYER, success_url: 'https://shop.example/thanks/{ORDER_ID}' })).body,
    )
    expect(own.url).toBe(`https://shop.example/thanks/${own.id}`)
    const cart = free()
    const response = await shop.checkOut(cart.id)
    const none = OrderCheckout.parse(response.body)
    expect(none.url).toBe(`https://shop.example/v1/payments/done?order=${none.id}`)
    const done = await shop.orders.app.inject({ url: `/payments/done?order=${none.id}` })
    expect(done.body).toContain(none.number)
    expect(OrderCheckout.parse((await shop.checkOut(cart.id, BUYER, secureCookie(response.browser))).body).url).toBe(
      none.url,
    )
  })

  test('repeated ten times at once is one order that is paid once', async () => {
    const { id } = shop.addCart({ var_m: 1 }, { checkoutMode: 'redirect', isFree: true })
    const browser = newBrowser(shop)
    const orders = (
      await Promise.all(Array.from({ length: 10 }, () => shop.checkOut(id, BUYER, secureCookie(browser))))
    ).map(orderOf)
    expect(new Set(orders.map((order) => order.id)).size).toBe(1)
    expect(await shop.suite.sql('select from orders.payments where order_id = $1', [orders[0]?.id])).toHaveLength(1)
  })

  test('is rejected for sold-out goods, also for a merchant, and has nothing to refund, because no money was taken', async () => {
    const { id } = shop.addCart({ var_m: 30 }, { isFree: true })
    const admin = shop.suite.headers.admin(['orders:write'])
    expect(errorOf(await shop.checkOut(id)).code).toBe('out_of_stock')
    const body = { cart_id: id, email: 'ada@mail.example' }
    expect(errorOf(await shop.call('POST', '/admin/orders', body, admin)).code).toBe('out_of_stock')
    const few = shop.addCart({ var_m: 1 }, { isFree: true })
    const placed = orderOf(await shop.call('POST', '/admin/orders', { ...body, cart_id: few.id }, admin))
    expect(placed).toMatchObject({ status: 'paid', payment: { provider: 'none', status: 'captured' } })
    const refund = await shop.call('POST', `/admin/orders/${placed.id}/refunds`, { restock: false }, admin)
    expect(errorOf(refund)).toMatchObject({ status: 409, code: 'already_refunded' })
  })

  test('passes reconciliation', async () => {
    orderOf(await shop.checkOut(shop.addCart({ var_m: 1 }, { isFree: true }).id))
    await shop.suite.sql(`update orders.orders set placed_at = placed_at - interval '1 hour'`)
    await shop.suite.sql(`update orders.payments set received_at = received_at - interval '1 hour'`)
    const { items } = await createReconciler(shop.orders.context).reconcile()
    expect(items.filter(({ kind }) => kind.includes('payment') || kind.includes('paid'))).toEqual([])
  })
})
