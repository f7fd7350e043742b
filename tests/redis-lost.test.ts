import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { amount, waitFor } from '@storefront/tools/testing'
import { expectShopBalanced } from './support/shop-balance.ts'
import { buyForSure, inTurns, makeBuyers } from './support/buyers.ts'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'

const BUYERS = amount({ quick: 45, long: 120 })

let shop: TestShop
const units = new Map<string, number>()
let round = 0

beforeAll(async () => {
  shop = await openShopOfProcesses({ ownServers: true })
})

afterAll(() => shop.stop())

async function run<Result>(command: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(shop.shop.infrastructure.redis.url, { disconnectTimeout: 50 })
  try {
    return await command(redis)
  } finally {
    redis.disconnect()
  }
}

const LOSSES = {
  async 'is emptied'() {
    await run((redis) => redis.flushall())
  },
  async 'is killed and comes back with an empty disk'() {
    const { redis } = shop.shop.infrastructure
    await redis.kill()
    await rm(join(shop.dataDir, 'redis', 'appendonlydir'), { recursive: true })
    await redis.start()
  },
}

test.for(['is emptied', 'is killed and comes back with an empty disk'] as const)(
  'every buyer gets an order when Redis %s, ended sessions stay ended, and the price projection returns',
  async (loss) => {
    const product = await shop.stockProduct(`redis-${round++}`, BUYERS + 1)
    const variantId = product.variants[0]?.id ?? ''
    units.set(variantId, BUYERS + 1)
    const withdrawn = shop.client()
    await withdrawn.register(`out-${round}@example.com`)
    expect((await withdrawn.post('/auth/logout')).status).toBeLessThan(300)
    expect((await withdrawn.get('/me')).status).toBe(401)
    const customer = shop.client()
    await customer.register(`in-${round}@example.com`)

    const buyers = await makeBuyers(shop, variantId, BUYERS)
    let lost: Promise<void> | undefined
    const outcomes = await inTurns(buyers, 16, (buyer, index) => {
      if (index === BUYERS / 3) lost = LOSSES[loss]()
      return buyForSure(buyer)
    })
    await lost
    expect(outcomes.filter(({ kind }) => kind === 'order')).toHaveLength(BUYERS)

    expect((await withdrawn.get('/me')).status).toBe(401)
    expect((await customer.get('/me')).status).toBe(200)
    await waitFor(
      'the price projection',
      async () => (await run((redis) => redis.keys('shop:board:v:*'))).length > 0,
      60_000,
    )
    const cart = await shop.client().cartWith(variantId)
    expect(cart.subtotal.amount).toBe(4000)
    await expectShopBalanced(shop, units)
  },
)
