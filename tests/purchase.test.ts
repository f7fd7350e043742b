import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Order, type Product } from '@storefront/contracts'
import { expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import { readSentEvents } from './high-availability/sent-events.ts'
import { testOrderDocuments } from './purchases/order-documents.ts'
import { testCartsAtSignIn } from './purchases/sign-in-cart.ts'
import { holdLock } from './support/hold-lock.ts'
import { waitForPayment } from './support/paid-order.ts'
import { expectShopBalanced } from './support/shop-balance.ts'
import { openShop, stopAfter, type TestShop } from './support/shop.ts'
import type { TestClient } from './support/test-client.ts'

/** All tests of this file use one shop, because to open one takes longer than most of them. */
let shop: TestShop
let shirt: Product

beforeAll(async () => {
  shop = await openShop()
  shirt = await shop.stockProduct('purchase-shirt', 10)
})

afterAll(() => stopAfter(expectShopBalanced(shop), shop))

const variantId = () => shirt.variants[0]?.id ?? ''

async function orderOf(client: TestClient, id: string): Promise<Order> {
  return Order.parse((await client.get(`/orders/${id}`)).body)
}

describe('a guest', () => {
  test('browses, fills a cart and buys, with stock, webhooks and mail', async () => {
    const guest = shop.client()
    expect((await guest.products()).map((product) => product.slug)).toContain('purchase-shirt')

    const cart = await guest.cartWith(variantId(), 2)
    expect(cart).toMatchObject({ subtotal: { amount: 8000 }, shipping: { amount: 695 }, tax: { amount: 640 } })
    expect(cart.total.amount).toBe(8000 + 695 + 640)

    const response = await guest.checkOut(cart.id)
    expect(response.status).toBe(200)
    const order = Order.parse(response.body)
    expect(order).toMatchObject({ status: 'placed', payment: { provider: 'demo', status: 'pending' } })
    expect(order.number).toMatch(/^SF-\d{5,}$/)

    // The demo provider pays after a moment, and the browser that placed the order sees it.
    const paid = await waitForPayment(guest, `/orders/${order.id}`)
    expect(paid.payment.status).toBe('captured')
    expect(paid.total).toEqual(cart.total)

    // The stock changes on the product page and in the ledger.
    await waitFor('the stock', async () => (await guest.inventory('purchase-shirt')) === 8)
    await expectLedgerBalanced(shop)

    // The storefront receives signed webhooks about the payment and the stock.
    await waitFor('order.paid', () =>
      shop.receiver.received.find((event) => event.type === 'order.paid' && event['orderId'] === order.id),
    )
    const inventory = await waitFor('inventory.updated', () =>
      shop.receiver.received.find((event) => event.type === 'inventory.updated' && event['slug'] === 'purchase-shirt'),
    )
    expect(inventory).toMatchObject({ variantId: variantId(), available: true })
    expect(shop.receiver.forged()).toBe(0)

    // The buyer gets a mail.
    const [mail, ...more] = await waitFor('the mail', async () => {
      const mails = await shop.mailsFor(order.number)
      return mails.length > 0 ? mails : undefined
    })
    expect(more).toEqual([])
    expect(mail).toContain('To: ada@example.com')
    expect(mail).toContain(order.number)

    // The cart is closed, and the client begins a new one.
    await waitFor('the cart to close', async () => (await guest.get(`/carts/${cart.id}`)).status === 404)
  })

  test('causes events that every consumer has a receipt of, and one without is found', async () => {
    const since = new Date()
    const { id: orderId } = await shop.client().buy(variantId())
    const events = () => readSentEvents(shop.sql, since)
    await waitFor('every receipt', async () => {
      const { published, unconsumed } = await events()
      return published > 0 && unconsumed.length === 0
    })
    const receipt = await waitFor('the event in the list of those sent', async () => {
      const deleted = await shop.sql<{ id: string; consumer: string }>(
        `delete from catalog.inbox where event_id =
           (select event_id from orders.sent_events where name = 'order.placed' and payload like $1)
         returning event_id as id, consumer`,
        [`%${orderId}%`],
      )
      return deleted[0]
    })
    expect(receipt.consumer).toBe('catalog-order-placed')
    expect((await events()).unconsumed).toContainEqual({ ...receipt, name: 'order.placed' })
    await shop.sql('insert into catalog.inbox (consumer, event_id) values ($1, $2)', [receipt.consumer, receipt.id])
  })

  test('can open the order again with its access token, and no other visitor can', async () => {
    const guest = shop.client()
    const order = await guest.buy(variantId())
    const outsider = shop.client()
    expect((await outsider.get(`/orders/${order.id}`)).status).toBe(404)
    expect((await outsider.get(`/orders/${order.id}?token=${order.accessToken}`)).status).toBe(200)
    const withHeader = await outsider.call('GET', `/orders/${order.id}`, undefined, {
      'x-order-token': order.accessToken ?? '',
    })
    expect(withHeader.status).toBe(200)
    expect((await outsider.get(`/orders/${order.id}?token=${'x'.repeat(27)}`)).status).toBe(404)
  })
})

describe('a customer', () => {
  test('registers, buys, and finds the order in the account; another customer does not', async () => {
    const customer = shop.client()
    await customer.register('customer@example.com')
    const order = await customer.buy(variantId())
    const list = await customer.get('/orders')
    expect(list.body).toMatchObject({ total: 1, items: [{ id: order.id, number: order.number }] })
    expect((await orderOf(customer, order.id)).number).toBe(order.number)

    const other = shop.client()
    await other.register('other@example.com')
    expect((await other.get(`/orders/${order.id}`)).status).toBe(404)
    expect((await other.get('/orders')).body).toMatchObject({ items: [], total: 0 })
    expect((await shop.client().get('/orders')).status).toBe(401)
  })

  test('is signed out at once', async () => {
    const customer = shop.client()
    await customer.register('leaver@example.com')
    expect((await customer.get('/me')).status).toBe(200)
    expect((await customer.post('/auth/logout')).body).toEqual({ ok: true })
    expect((await customer.get('/me')).status).toBe(401)
  })
})

test('a customer buys twice in a row, the second time with a new cart', async () => {
  const customer = shop.client()
  await customer.register('twice@example.com')
  const socks = (await shop.stockProduct('twice-socks', 5)).variants[0]?.id ?? ''
  // No event of the first order is published before the second is placed.
  const release = await holdLock(shop, `select pg_advisory_xact_lock(hashtext('relay'), hashtext('orders'))`)
  try {
    const [first, second] = [await customer.buy(socks), await customer.buy(socks, 2)]
    expect(second.id).not.toBe(first.id)
    expect([first, second].map(({ lines }) => lines.map(({ quantity }) => quantity))).toEqual([[1], [2]])

    // A rejected checkout leaves the cart open.
    const cart = await customer.cartWith(socks, 2)
    await shop.client().buy(socks)
    expect((await customer.checkOut(cart.id)).status).toBe(409)
    expect((await customer.post('/carts', {})).body).toMatchObject({ id: cart.id, lines: [{ quantity: 2 }] })
  } finally {
    await release()
  }
})

testOrderDocuments(() => shop)
testCartsAtSignIn(() => shop)
