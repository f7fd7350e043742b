import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Order } from '@storefront/contracts'
import { expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import { expectBooksBalanced } from './support/books.ts'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'

let shop: TestShop
let variantId: string

beforeAll(async () => {
  shop = await openShopOfProcesses()
  const product = await shop.stockProduct('outage', 20)
  variantId = product.variants[0]?.id ?? ''
})

afterAll(async () => {
  try {
    await expectBooksBalanced(shop)
  } finally {
    await shop.stop()
  }
})

/** Waits until the services use Redis again: the next outage must not find them without both. */
async function everybodyIsBackAt(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl)
  await waitFor('the services at Redis', async () => {
    const clients = String(await redis.client('LIST'))
    return ['gateway', 'catalog', 'cart', 'identity'].every((name) => clients.includes(`name=${name} `))
  })
  redis.disconnect()
}

test('with Redis gone, browsing, carts and checkout go on', async () => {
  await shop.shop.infrastructure.redis.stop()
  try {
    const visitor = shop.visitor()
    expect((await visitor.get('/products?sort=newest')).status).toBe(200)
    const order = await visitor.buy(variantId)
    await waitFor(
      'the payment',
      async () => Order.parse((await visitor.get(`/orders/${order.id}`)).body).status === 'paid',
    )
    const customer = shop.visitor()
    await customer.register('without-redis@example.com')
    expect((await customer.get('/me')).status).toBe(200)
  } finally {
    await shop.shop.infrastructure.redis.start()
    await everybodyIsBackAt(shop.shop.infrastructure.redis.url)
  }
  const visitor = shop.visitor()
  const again = await visitor.buy(variantId)
  expect(again.status).toBe('placed')
})

test('with NATS gone, browsing and carts go on, checkout answers 503, and what was committed is told afterwards', async () => {
  await shop.shop.infrastructure.nats.stop()
  const visitor = shop.visitor()
  let cartId = ''
  try {
    expect((await visitor.get('/products?sort=price-asc')).status).toBe(200)
    const cart = await visitor.cartWith(variantId, 2)
    cartId = cart.id
    const refused = await visitor.checkOut(cart.id)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(refused.body).toMatchObject({ code: 'service_unavailable', requestId: expect.any(String) })
    // A merchant saves: committed now, told later.
    await shop.stockProduct('outage-new', 1)
  } finally {
    await shop.shop.infrastructure.nats.start()
  }
  await waitFor(
    'product.updated',
    () => shop.receiver.received.find((event) => event.type === 'product.updated' && event['slug'] === 'outage-new'),
    20_000,
  )
  const order = await waitFor('the checkout', async () => {
    const answer = await visitor.checkOut(cartId)
    return answer.status === 200 ? Order.parse(answer.body) : undefined
  })
  await waitFor('order.paid', () => shop.receiver.received.find((event) => event['orderId'] === order.id))
  await expectLedgerBalanced(shop)
})

test('with one service gone only its routes fail, with JSON', async () => {
  await shop.shop.services.orders.stop()
  try {
    const visitor = shop.visitor()
    const cart = await visitor.cartWith(variantId)
    expect((await visitor.get('/products')).status).toBe(200)
    const refused = await visitor.checkOut(cart.id)
    expect(refused.status).toBe(503)
    expect(refused.body).toMatchObject({ code: 'service_unavailable', requestId: expect.any(String) })
    expect((await visitor.get('/readyz')).status).toBe(503)
  } finally {
    await shop.shop.services.orders.start()
    await shop.shop.services.orders.waitReady()
  }
})
