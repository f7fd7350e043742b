import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMessaging, prepareStreams } from '@storefront/messaging'
import { readConfig } from '@storefront/service'
import { natsUsers } from '@storefront/contracts'
import { freePort, startNats, type RunningNats } from '@storefront/tools/infrastructure'
import { createSuite, packageCache, waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OrdersConfig } from '../src/config.ts'
import { startOrders } from '../src/start.ts'
import { relayed } from './events.ts'
import { BUYER, cookie, createShop, holdRelay, orderOf, errorOf, type Shop } from './shop.ts'

let folder: string
let nats: RunningNats
let shop: Shop

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storefront-orders-'))
  const passwords = { gateway: 'g', catalog: 'c', cart: 'k', orders: 'o', identity: 'i', notifier: 'n' }
  nats = await startNats({
    dataDir: folder,
    cacheDir: packageCache(),
    env: { ...process.env, NATS_URL: undefined },
    print: () => {},
    users: natsUsers(passwords),
  })
  const suite = await createSuite('orders')
  const { namespace, log } = suite
  const administrator = openMessaging({ url: nats.url, service: 'orders', namespace, log })
  await prepareStreams(await administrator.opened, namespace, { maxBytes: 64 * 1024 * 1024 })
  await administrator.close()
  shop = await createShop({ suite, natsUrlFor: (service) => nats.urlFor(service) })
  shop.stock.set('var_m', 100)
})
afterAll(async () => {
  await shop.stop()
  await nats.stop()
  await rm(folder, { recursive: true, force: true })
})

const statusOf = async (orderId: string) => {
  const [row] = await shop.suite.sql<{ status: string }>('select status from orders.orders where id = $1', [orderId])
  return row?.status
}

describe('without NATS', () => {
  test('a checkout gets 503 with Retry-After, orders can be read, and committed events are published later', async () => {
    const releaseRelay = await holdRelay(shop.suite)
    const placed = await shop.checkOut(shop.addCart().id)
    const order = orderOf(placed)
    expect(await shop.suite.sql('select name from orders.outbox')).toEqual([{ name: 'order.placed' }])
    await nats.stop()
    await releaseRelay()

    const { id } = shop.addCart()
    const rejected = await shop.checkOut(id)
    expect(errorOf(rejected)).toMatchObject({
      status: 503,
      code: 'service_unavailable',
      message: 'This is not available right now. Please try again in a moment.',
    })
    expect(rejected.headers['retry-after']).toBe('2')
    expect(orderOf(await shop.call('GET', `/orders/${order.id}`, undefined, cookie(placed.browser))).id).toBe(order.id)
    expect((await shop.call('GET', '/readyz')).status).toBe(200)
    expect(await shop.suite.sql('select name from orders.outbox')).toEqual([{ name: 'order.placed' }])

    await nats.start()
    await waitFor('the order to be published and paid', async () => (await statusOf(order.id)) === 'paid')
    await relayed(shop.suite)
    await waitFor('a checkout', async () => (await shop.checkOut(id)).status === 200)
  })

  test('a service that never reached NATS starts, is ready and rejects only checkouts', async () => {
    const nowhere = `nats://127.0.0.1:${await freePort()}`
    const env = { ...shop.suite.env('orders'), NATS_URL: nowhere, PORT: '0' }
    const alone = await startOrders(readConfig(OrdersConfig, env), shop.suite.log)
    try {
      expect((await alone.app.inject({ url: '/readyz' })).statusCode).toBe(200)
      expect((await alone.app.inject({ url: '/orders/order_nothing' })).statusCode).toBe(404)
      const checkOut = { method: 'POST', url: '/carts/cart_1/checkout' } as const
      const incomplete = await alone.app.inject({ ...checkOut, payload: { ...BUYER, shipping_address: { name: 'A' } } })
      expect(incomplete.json()).toMatchObject({ code: 'missing_fields' })
      const rejected = await alone.app.inject({ ...checkOut, payload: BUYER })
      expect(errorOf({ status: rejected.statusCode, body: rejected.json() }).code).toBe('service_unavailable')
      expect(rejected.headers['retry-after']).toBe('2')
    } finally {
      await alone.stop()
    }
  })
})
