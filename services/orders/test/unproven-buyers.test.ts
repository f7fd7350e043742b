import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientKeysOf } from '@storefront/http'
import { OrderPlaced } from '@storefront/contracts'
import { applyPaymentUpdate } from '../src/payments/apply-payment-update.ts'
import { pageOf, paymentUpdate } from './payment-pages.ts'
import { BUYER, createShop, orderOf, usd, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 100)
})
afterAll(() => shop.stop())

/** Headers as the gateway forwards them. */
const guest = (address: string) => ({ ...shop.suite.headers.anonymous(), 'x-forwarded-for': address })
const customer = (id: string) => ({ ...shop.suite.headers.customer(id), 'x-forwarded-for': '10.2.0.9' })

async function unprovenOf(orderId: string) {
  const placed = (await shop.suite.eventsOf(OrderPlaced)).filter(({ order }) => order.id === orderId)
  expect(placed).toHaveLength(1)
  return placed[0]?.unproven
}

test('the event of a guest order names the browser and the network, for the limits of mails', async () => {
  const cart = shop.addCart({ var_m: 1 })
  const { id } = orderOf(await shop.checkOut(cart.id, BUYER, guest('10.2.0.1')))
  const unproven = await unprovenOf(id)
  expect(unproven?.senders).toHaveLength(2)
  expect(unproven?.senders).toEqual(expect.arrayContaining(clientKeysOf({ network: '10.2.0.1' })))
  expect(JSON.stringify(unproven)).not.toContain('10.2.0.1')
})

test('a customer is limited until the address of the order is verified by them', async () => {
  const order = async () => {
    const cart = shop.addCart({ var_m: 1 }, { customerId: 'cus_new' })
    return unprovenOf(orderOf(await shop.checkOut(cart.id, BUYER, customer('cus_new'))).id)
  }
  const verify = (email: string, at: string) =>
    shop.suite.sql('insert into orders.customer_emails (email, verified_at, customer_id) values ($1, $2, $3)', [
      email,
      at,
      'cus_new',
    ])
  const senders = expect.arrayContaining(clientKeysOf({ customerId: 'cus_new', network: '10.2.0.9' }))
  expect((await order())?.senders).toEqual(senders)
  await verify('another@mail.example', '2026-01-01T00:00:00Z')
  expect((await order())?.senders).toEqual(senders)
  await verify(BUYER.email, '2026-01-02T00:00:00Z')
  expect(await order()).toBeUndefined()
  await verify('another@mail.example', '2026-01-03T00:00:00Z')
  expect((await order())?.senders).toEqual(senders)
})

test('an order that a merchant places is not limited', async () => {
  const cart = shop.addCart({ var_m: 1 })
  const body = { cart_id: cart.id, email: BUYER.email, shipping_address: BUYER.shipping_address, payment: {} }
  const placed = orderOf(await shop.call('POST', '/admin/orders', body, shop.suite.headers.admin(['orders:write'])))
  expect(await unprovenOf(placed.id)).toBeUndefined()
})

test.each(['demo', 'stripe'] as const)(
  'an order that was paid at the page of %s is limited only if no money was paid',
  async (provider) => {
    const cart = shop.addCart({ var_m: 1 }, { checkoutMode: 'redirect', checkoutProvider: provider })
    const page = pageOf(await shop.checkOut(cart.id, BUYER, guest('10.2.0.2')))
    const [session] = await shop.suite.sql<{ order_id: string; total: number }>(
      "select order_id, (document->'total'->>'amount')::int as total from orders.payment_sessions where id = $1",
      [page.id],
    )
    const amount = usd(session?.total ?? 0)
    const update = paymentUpdate({ provider, reference: `paid-${provider}`, sessionId: page.id, amount })
    await applyPaymentUpdate(shop.orders.context, update)
    const unproven = await unprovenOf(session?.order_id ?? '')
    const network = clientKeysOf({ network: '10.2.0.2' })
    expect(unproven?.senders.filter((key) => network.includes(key))).toEqual(
      provider === 'stripe' ? undefined : network,
    )
  },
)
