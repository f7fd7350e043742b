import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Order } from '@storefront/contracts'
import { amount, expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import { testLostDisk } from './outages/nats-disk-lost.ts'
import { testWebhooksAndMails } from './outages/webhooks-and-mails.ts'
import { expectShopBalanced, unitsOrdered } from './support/shop-balance.ts'
import { buyWithRetries, makeBuyers, mapConcurrently, type Outcome } from './support/buyers.ts'
import { waitForPayment } from './support/paid-order.ts'
import { openShopOfProcesses, stopAfter, type TestShop } from './support/shop.ts'

const OUTAGE_BUYERS = amount({ quick: 15, long: 500 })
/** Fewer units than buyers, so that the test covers sold-out goods. */
const OUTAGE_UNITS = OUTAGE_BUYERS - amount({ quick: 5, long: 12 })
/** Each of them sends its checkout again and again during an outage. */
const BUYERS_AT_ONCE = amount({ quick: 8, long: 16 })
/** An outage lasts longer than the goods of a checkout are held. */
const RESERVATION_TTL_SECONDS = amount({ quick: 3, long: 5 })
const OUTAGE_MS = amount({ quick: 6000, long: 10_000 })
const REDIS_BUYERS = amount({ quick: 9, long: 120 })

/** All tests of this file use one shop, because to open it takes longer than most of them. */
let shop: TestShop
let variantId: string
let round = 0

beforeAll(async () => {
  shop = await openShopOfProcesses({
    ownServers: true,
    // A kill loses all that it may lose: the writes since the last commit that waits.
    infrastructureSettings: { postgres: { wal_writer_delay: '10s', wal_writer_flush_after: '1GB' } },
    serviceEnvironment: {
      orders: { RESERVATION_TTL_SECONDS: String(RESERVATION_TTL_SECONDS) },
      notifier: { CLAIM_LEASE_MS: '3000' },
    },
  })
})

afterAll(() => stopAfter(expectShopBalanced(shop), shop))

/** Waits until the services use Redis again, so that the next outage is the only one. */
async function waitForServicesAtRedis(): Promise<void> {
  await withRedis((redis) =>
    waitFor('the services at Redis', async () => {
      const clients = String(await redis.client('LIST'))
      return ['gateway', 'catalog', 'cart', 'identity'].every((name) => clients.includes(`name=${name} `))
    }),
  )
}

/** Lets buyers check out, several at a time; the server is down for some seconds after a fifth of them. */
async function buyThroughOutage(
  server: 'redis' | 'nats' | 'postgres',
): Promise<{ variantId: string; outcomes: Outcome[] }> {
  const product = await shop.stockProduct(`outage-${round++}`, OUTAGE_UNITS)
  const variantId = product.variants[0]?.id ?? ''
  const buyers = await makeBuyers(shop, variantId, OUTAGE_BUYERS)
  let outage: Promise<void> | undefined
  const outcomes = await mapConcurrently(buyers, BUYERS_AT_ONCE, (buyer, index) => {
    if (index === OUTAGE_BUYERS / 5) outage = causeOutage(server)
    return buyWithRetries(buyer)
  })
  expect(outage, 'the outage').toBeDefined()
  await outage
  return { variantId, outcomes }
}

async function causeOutage(server: 'redis' | 'nats' | 'postgres'): Promise<void> {
  await shop.shop.infrastructure[server].kill()
  await setTimeout(OUTAGE_MS)
  await shop.shop.infrastructure[server].start()
}

async function withRedis<Result>(command: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(shop.shop.infrastructure.redis.url, { disconnectTimeout: 50 })
  try {
    return await command(redis)
  } finally {
    redis.disconnect()
  }
}

const LOSSES = {
  async 'is emptied'() {
    await withRedis((redis) => redis.flushall())
  },
  async 'is killed and comes back with an empty disk'() {
    const { redis } = shop.shop.infrastructure
    await redis.kill()
    await rm(join(shop.dataDir, 'redis', 'appendonlydir'), { recursive: true })
    await redis.start()
  },
}

// First, because it looks at all webhooks and mails of the shop.
describe('webhooks and mails', () => {
  testWebhooksAndMails(() => shop)
})

describe('an outage', () => {
  beforeAll(async () => {
    const product = await shop.stockProduct('outage', 20)
    variantId = product.variants[0]?.id ?? ''
  })

  test('browsing, carts and checkout still work while Redis is down', async () => {
    await shop.shop.infrastructure.redis.stop()
    try {
      const client = shop.client()
      expect((await client.get('/products?sort=newest')).status).toBe(200)
      const order = await client.buy(variantId)
      await waitForPayment(client, `/orders/${order.id}`)
      const customer = shop.client()
      await customer.register('without-redis@example.com')
      expect((await customer.get('/me')).status).toBe(200)
    } finally {
      await shop.shop.infrastructure.redis.start()
      await waitForServicesAtRedis()
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

  test.for(['redis', 'nats', 'postgres'] as const)(
    `every buyer gets an order or the reason for none while %s is killed for ${OUTAGE_MS / 1000} seconds under load`,
    async (server) => {
      const { variantId, outcomes } = await buyThroughOutage(server)
      const orders = outcomes.filter((outcome) => outcome.kind === 'order')
      const rejected = outcomes.filter((outcome) => outcome.kind === 'rejected')
      expect(outcomes).toHaveLength(OUTAGE_BUYERS)
      expect(new Set(rejected.map(({ code }) => code))).toEqual(new Set(['out_of_stock']))
      // Rejections are correct: only goods that were sold, or held by a failed checkout at that moment, were missing.
      await expectShopBalanced(shop)
      expect(new Set(orders.map(({ order }) => order.id)).size).toBe(orders.length)
      expect(await unitsOrdered(shop, variantId)).toBe(orders.length)
    },
  )

  test.for(['is emptied', 'is killed and comes back with an empty disk'] as const)(
    'every buyer gets an order when Redis %s, ended sessions stay ended, and the price projection returns',
    async (loss) => {
      const product = await shop.stockProduct(`redis-${round++}`, REDIS_BUYERS + 1)
      const variantId = product.variants[0]?.id ?? ''
      const withdrawn = shop.client()
      await withdrawn.register(`out-${round}@example.com`)
      expect((await withdrawn.post('/auth/logout')).status).toBeLessThan(300)
      expect((await withdrawn.get('/me')).status).toBe(401)
      const customer = shop.client()
      await customer.register(`in-${round}@example.com`)

      const buyers = await makeBuyers(shop, variantId, REDIS_BUYERS)
      let lost: Promise<void> | undefined
      const outcomes = await mapConcurrently(buyers, BUYERS_AT_ONCE, (buyer, index) => {
        if (index === REDIS_BUYERS / 3) lost = LOSSES[loss]()
        return buyWithRetries(buyer)
      })
      expect(lost, 'the loss').toBeDefined()
      await lost
      expect(outcomes.filter(({ kind }) => kind === 'order')).toHaveLength(REDIS_BUYERS)

      expect((await withdrawn.get('/me')).status).toBe(401)
      expect((await customer.get('/me')).status).toBe(200)
      await waitFor(
        'the price projection',
        async () => (await withRedis((redis) => redis.keys('shop:board:v:*'))).length > 0,
        60_000,
      )
      const cart = await shop.client().cartWith(variantId)
      expect(cart.subtotal.amount).toBe(4000)
      await expectShopBalanced(shop)
    },
  )
})

describe('the disk of NATS', () => {
  testLostDisk(() => shop)
})
