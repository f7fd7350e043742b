import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { amount, openTcpProxy, type TcpProxy } from '@storefront/tools/testing'
import { expectShopBalanced, unitsOrdered } from './support/shop-balance.ts'
import { makeBuyers, mapConcurrently, RETRY_PAUSES_MS, type Buyer } from './support/buyers.ts'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'
import type { OtlpReceiver } from './support/otlp-receiver.ts'
import { openFailingCollectors, testFailingCollectors } from './tracing/failing-collectors.ts'

const BUYERS = amount({ quick: 5, long: 200 })
/** The fault begins with the checkout of this buyer. */
const BUYER_AT_FAULT = BUYERS / 5
/** Requests hang for as long as the gateway waits. Those of a cut connection fail at once. */
const FAULT_SECONDS = { hang: 10, cut: amount({ quick: 3, long: 10 }) }
/** The gateway times out after ten seconds, and a busy machine adds some time. */
const BOUND_MS = 15_000

let shop: TestShop
let hanging: OtlpReceiver
const proxies = new Map<string, TcpProxy>()
let round = 0

/** Routes a service through a proxy whose connections can be broken. */
function throughProxy(name: string, variable: string) {
  return (given: Record<string, string>): Record<string, string> => ({
    [variable]: proxies.get(name)?.through(given[variable] ?? '') ?? '',
  })
}

beforeAll(async () => {
  for (const name of ['orders and NATS', 'orders and PostgreSQL', 'cart and Redis'])
    proxies.set(name, await openTcpProxy())
  const collectors = await openFailingCollectors()
  hanging = collectors.hanging
  shop = await openShopOfProcesses({
    env: collectors.settings.env,
    dropsMails: true,
    serviceEnvironment: {
      orders: (given) => ({
        ...collectors.settings.serviceEnvironment.orders,
        // Goods of a failed checkout are awaited after each fault.
        RESERVATION_TTL_SECONDS: amount({ quick: '3', long: '5' }),
        ...throughProxy('orders and NATS', 'NATS_URL')(given),
        ...throughProxy('orders and PostgreSQL', 'DATABASE_URL')(given),
      }),
      cart: throughProxy('cart and Redis', 'REDIS_URL'),
    },
  })
})

afterAll(async () => {
  for (const proxy of proxies.values()) proxy.repair()
  await shop.stop()
  await hanging.close()
  for (const proxy of proxies.values()) await proxy.close()
})

interface Try {
  status: number
  code: string
  tookMs: number
}

/** Retries until there is an order or a client error, and records every response; no response counts as status 0. */
async function buy({ client, cartId }: Buyer): Promise<Try[]> {
  const tries: Try[] = []
  const end = performance.now() + 60_000
  for (;;) {
    const started = performance.now()
    const response = await client.checkOut(cartId).catch(() => undefined)
    const status = response?.status ?? 0
    tries.push({ status, code: String(Object(response?.body).code), tookMs: performance.now() - started })
    if ((status >= 200 && status < 500) || performance.now() > end) return tries
    await setTimeout(RETRY_PAUSES_MS[tries.length - 1] ?? RETRY_PAUSES_MS.at(-1))
  }
}

const CASES = ['orders and NATS', 'orders and PostgreSQL', 'cart and Redis'].flatMap((connection) =>
  (['hang', 'cut'] as const).map((fault) => ({ connection, fault, seconds: FAULT_SECONDS[fault] })),
)

test.for(CASES)(
  'every checkout gets a response in time with the fault $fault between $connection for $seconds seconds',
  async ({ connection, fault, seconds }) => {
    const product = await shop.stockProduct(`network-${round++}`, BUYERS)
    const variantId = product.variants[0]?.id ?? ''
    const buyers = await makeBuyers(shop, variantId, BUYERS)
    let broken: Promise<void> | undefined
    const breakConnection = async (): Promise<void> => {
      proxies.get(connection)?.[fault]()
      await setTimeout(seconds * 1000)
      proxies.get(connection)?.repair()
    }
    const all = await mapConcurrently(buyers, 16, (buyer, index) => {
      if (index === BUYER_AT_FAULT) broken = breakConnection()
      return buy(buyer)
    })
    expect(broken, 'the fault').toBeDefined()
    await broken

    const tries = all.flat()
    expect(tries.filter(({ status }) => status === 0)).toEqual([])
    expect(Math.max(...tries.map(({ tookMs }) => tookMs))).toBeLessThan(BOUND_MS)
    const ends = all.map((each) => each.at(-1))
    expect(new Set(ends.map((end) => end?.status))).toEqual(new Set([200]))
    await expectShopBalanced(shop)
    expect(await unitsOrdered(shop, variantId)).toBe(BUYERS)
  },
)

// Last, because it stops the services.
testFailingCollectors(() => ({ shop, hanging }))
