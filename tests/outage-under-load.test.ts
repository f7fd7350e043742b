import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { amount } from '@storefront/tools/testing'
import { expectShopBalanced, unitsOrdered } from './support/shop-balance.ts'
import { buyForSure, inTurns, makeBuyers, type Outcome } from './support/buyers.ts'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'

const BUYERS = amount({ quick: 60, long: 500 })
/** Fewer units than buyers, so that the test covers sold-out goods. */
const UNITS = BUYERS - 20
const OUTAGE_MS = 10_000

let shop: TestShop
const units = new Map<string, number>()
let round = 0

beforeAll(async () => {
  shop = await openShopOfProcesses({
    ownServers: true,
    serviceEnvironment: { orders: { RESERVATION_TTL_SECONDS: '5' } },
  })
})

afterAll(async () => {
  await shop.stop()
})

/** Lets buyers check out, sixteen at a time; the server is down for ten seconds after a fifth of them. */
async function buyThroughOutage(
  server: 'redis' | 'nats' | 'postgres',
): Promise<{ variantId: string; outcomes: Outcome[] }> {
  const product = await shop.stockProduct(`outage-${round++}`, UNITS)
  const variantId = product.variants[0]?.id ?? ''
  units.set(variantId, UNITS)
  const buyers = await makeBuyers(shop, variantId, BUYERS)
  let outage: Promise<void> | undefined
  const outcomes = await inTurns(buyers, 16, (buyer, index) => {
    if (index === BUYERS / 5) outage = causeOutage(server)
    return buyForSure(buyer)
  })
  await outage
  return { variantId, outcomes }
}

async function causeOutage(server: 'redis' | 'nats' | 'postgres'): Promise<void> {
  await shop.shop.infrastructure[server].kill()
  await setTimeout(OUTAGE_MS)
  await shop.shop.infrastructure[server].start()
}

test.for(['redis', 'nats', 'postgres'] as const)(
  'every buyer gets an order or the reason for none while %s is killed for ten seconds under load',
  async (server) => {
    const { variantId, outcomes } = await buyThroughOutage(server)
    const orders = outcomes.filter((outcome) => outcome.kind === 'order')
    const rejected = outcomes.filter((outcome) => outcome.kind === 'refused')
    expect(outcomes).toHaveLength(BUYERS)
    expect(new Set(rejected.map(({ code }) => code))).toEqual(new Set(['out_of_stock']))
    // Rejections are correct: only goods that were sold, or held by a failed checkout at that moment, were missing.
    await expectShopBalanced(shop, units)
    expect(new Set(orders.map(({ order }) => order.id)).size).toBe(orders.length)
    expect(await unitsOrdered(shop, variantId)).toBe(orders.length)
  },
)
