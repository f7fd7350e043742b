import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsStream, SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { natsAddress } from '@storefront/messaging'
import { amount, waitFor } from '@storefront/tools/testing'
import { openBalancer } from './support/balancer.ts'
import { expectShopBalanced } from './support/shop-balance.ts'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'
import { Shopping } from './support/shopping.ts'
import { TestClient } from './support/test-client.ts'

const STOP_DELAY = { STOP_DELAY_MS: amount({ quick: '1000', long: '500' }) }
/**
 * As docker-compose.yml has it. Beside other tests it is longer than a check of the balancer, which is late when the
 * machine is busy.
 */
const STOP_DELAY_OF_GATEWAY = { STOP_DELAY_MS: amount({ quick: '5000', long: '3000' }) }
const UNITS = 100_000

/** Which of the two replicas of each service are restarted. */
const RESTARTED = amount({ quick: [0], long: [0, 1] })

/** One replica of each at a time. An update of the whole shop restarts several services at once. */
const RESTARTED_AT_ONCE = amount<(readonly ServiceName[])[]>({
  quick: [
    ['gateway', 'catalog', 'cart'],
    ['orders', 'identity', 'notifier'],
  ],
  long: SERVICE_NAMES.map((name) => [name]),
})

/**
 * One replica of each, the first or the second, and in the long run both of orders. A gateway that is killed drops its
 * connections: compose.long.ts tests that.
 */
const KILLED = [
  ['orders', 0],
  ['cart', 1],
  ['catalog', 0],
  ['identity', 1],
  ['notifier', 0],
  ...amount({ quick: [], long: [['orders', 1]] as const }),
] as const
const SHOPPERS_AMID_KILLS = amount({ quick: 2, long: 3 })
const PAUSE_MS = amount({ quick: 250, long: 0 })

let shop: TestShop

beforeAll(async () => {
  shop = await openShopOfProcesses({
    replicas: { gateway: 2, catalog: 2, cart: 2, orders: 2, identity: 2, notifier: 2 },
    dropsMails: true,
    serviceEnvironment: {
      ...Object.fromEntries(SERVICE_NAMES.map((name) => [name, STOP_DELAY])),
      gateway: STOP_DELAY_OF_GATEWAY,
    },
  })
})

afterAll(async () => {
  // An orderly stop, which takes seconds, was tested before.
  await Promise.all(Object.values(shop.shop.replicas).flatMap((all) => all.map((replica) => replica.stop('SIGKILL'))))
  await shop.stop()
})

/** The number of events that a consumer of the shop has not processed. */
async function unhandledEvents(): Promise<number> {
  const nats = await connect(natsAddress(shop.shop.infrastructure.nats.url))
  try {
    const manager = await jetstreamManager(nats)
    let left = 0
    for await (const { num_pending, num_ack_pending } of manager.consumers.list(eventsStream(shop.shop.namespace))) {
      left += num_pending + num_ack_pending
    }
    return left
  } finally {
    await nats.close()
  }
}

test('no request fails and no event is lost while replicas of every service are restarted under load', async ({
  onTestFinished,
}) => {
  const balancer = await openBalancer(shop.shop.replicas.gateway.map(({ url }) => url))
  onTestFinished(() => balancer.close())
  const product = await shop.stockProduct('rolling', UNITS)
  const variantId = product.variants[0]?.id ?? ''
  const admin = new TestClient(balancer.url)
  await admin.signInAsAdmin(shop.shop.adminEmail, shop.shop.adminPassword)
  const shopping = new Shopping({
    url: balancer.url,
    variantId,
    slug: 'rolling',
    shoppers: 2,
    pauseMs: PAUSE_MS,
    linesAbout: shop.linesAbout,
    admin,
  })

  const waitForResponses = async () => {
    const before = shopping.responded
    await waitFor('more responses', () => shopping.responded > before + 10)
  }
  expect(new Set(RESTARTED_AT_ONCE.flat())).toEqual(new Set(SERVICE_NAMES))
  for (const names of RESTARTED_AT_ONCE) {
    for (const index of RESTARTED) {
      await waitForResponses()
      const restarted = names.map((name) => shop.shop.replicas[name][index])
      await Promise.all(restarted.map(async (replica) => replica?.restart()))
      await Promise.all(restarted.map(async (replica) => replica?.waitReady()))
      // As an orchestrator does, which would otherwise restart the last gateway that gets requests.
      await waitFor('the balancer to use every gateway', () => balancer.hasAll())
    }
  }
  await waitForResponses()
  await shopping.stop()
  expect(shopping.failures).toEqual([])

  const paidFor = (id: string) =>
    shop.receiver.received.filter((event) => event.type === 'order.paid' && event['orderId'] === id).length
  await waitFor('order.paid of every order', () => shopping.orders.every(({ id }) => paidFor(id) > 0), 60_000)
  await waitFor('every consumer to catch up', async () => (await unhandledEvents()) === 0, 60_000)
  expect(shopping.orders.filter(({ id }) => paidFor(id) !== 1)).toEqual([])
  await expectShopBalanced(shop, new Map([[variantId, UNITS]]))
})

test('no request fails or is executed twice while replicas are killed in turn under load', async () => {
  const product = await shop.stockProduct('killed', UNITS)
  const variantId = product.variants[0]?.id ?? ''
  const { linesAbout } = shop
  const shopping = new Shopping({
    url: shop.shop.url,
    variantId,
    slug: 'killed',
    shoppers: SHOPPERS_AMID_KILLS,
    pauseMs: PAUSE_MS,
    linesAbout,
  })
  for (const [name, index] of KILLED) {
    // A registration during the crash of identity may fail, because it must not be retried: before it, all shoppers
    // have registered and bought something.
    const before = shopping.orders.length
    await waitFor('more orders', () => shopping.orders.length >= before + SHOPPERS_AMID_KILLS)
    const replica = shop.shop.replicas[name][index]
    await replica?.kill('SIGKILL')
    await replica?.waitReady()
  }
  await shopping.stop()
  expect(shopping.failures).toEqual([])
  await expectShopBalanced(shop, new Map([[variantId, UNITS]]))
})
