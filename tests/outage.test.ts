import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Order } from '@storefront/contracts'
import { expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import { expectShopBalanced } from './support/shop-balance.ts'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'

let shop: TestShop
let variantId: string

beforeAll(async () => {
  shop = await openShopOfProcesses({ ownServers: true })
  const product = await shop.stockProduct('outage', 20)
  variantId = product.variants[0]?.id ?? ''
})

afterAll(async () => {
  try {
    await expectShopBalanced(shop)
  } finally {
    await shop.stop()
  }
})

/** Waits until the services use Redis again, so that the next outage is the only one. */
async function waitForServicesAt(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl)
  await waitFor('the services at Redis', async () => {
    const clients = String(await redis.client('LIST'))
    return ['gateway', 'catalog', 'cart', 'identity'].every((name) => clients.includes(`name=${name} `))
  })
  redis.disconnect()
}

test('browsing, carts and checkout still work while Redis is down', async () => {
  await shop.shop.infrastructure.redis.stop()
  try {
    const client = shop.client()
    expect((await client.get('/products?sort=newest')).status).toBe(200)
    const order = await client.buy(variantId)
    await waitFor(
      'the payment',
      async () => Order.parse((await client.get(`/orders/${order.id}`)).body).status === 'paid',
    )
    const customer = shop.client()
    await customer.register('without-redis@example.com')
    expect((await customer.get('/me')).status).toBe(200)
  } finally {
    await shop.shop.infrastructure.redis.start()
    await waitForServicesAt(shop.shop.infrastructure.redis.url)
  }
  const client = shop.client()
  const again = await client.buy(variantId)
  expect(again.status).toBe('placed')
})

test('while NATS is down checkout fails with 503, and events are published afterwards', async () => {
  await shop.shop.infrastructure.nats.stop()
  const client = shop.client()
  let cartId = ''
  try {
    expect((await client.get('/products?sort=price-asc')).status).toBe(200)
    const cart = await client.cartWith(variantId, 2)
    cartId = cart.id
    const rejected = await client.checkOut(cart.id)
    expect(rejected.status).toBe(503)
    expect(rejected.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(rejected.body).toMatchObject({ code: 'service_unavailable', requestId: expect.any(String) })
    // A merchant saves a product: it is committed now and published later.
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
    const response = await client.checkOut(cartId)
    return response.status === 200 ? Order.parse(response.body) : undefined
  })
  await waitFor('order.paid', () => shop.receiver.received.find((event) => event['orderId'] === order.id))
  await expectLedgerBalanced(shop)
})

test('while one service is down only its routes fail, with an error in JSON', async () => {
  await shop.shop.services.orders.stop()
  try {
    const client = shop.client()
    const cart = await client.cartWith(variantId)
    expect((await client.get('/products')).status).toBe(200)
    const rejected = await client.checkOut(cart.id)
    expect(rejected.status).toBe(503)
    expect(rejected.body).toMatchObject({ code: 'service_unavailable', requestId: expect.any(String) })
    expect((await client.get('/readyz')).status).toBe(503)
  } finally {
    await shop.shop.services.orders.start()
    await shop.shop.services.orders.waitReady()
  }
})
