import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { beforeAll, expect, test } from 'vitest'
import { durableName, eventsStream, Order, OrderPlaced } from '@storefront/contracts'
import { runCommand } from '@storefront/tools/events'
import { waitFor } from '@storefront/tools/testing'
import { waitForPayment } from '../support/paid-order.ts'
import { expectShopBalanced, stockOf } from '../support/shop-balance.ts'
import type { TestShop } from '../support/shop.ts'
import type { TestClient } from '../support/test-client.ts'

const UNITS = 50

let shop: TestShop
let variantId: string

/** Runs the command in this process. @returns what it prints */
async function recover(): Promise<string> {
  const printed: string[] = []
  const print = (text: string) => void printed.push(text)
  const terminal = { out: print, note: print, confirm: async () => false }
  const { signal } = new AbortController()
  const code = await runCommand(['recover', '--yes'], { env: { DATA_DIR: shop.dataDir }, terminal, signal })
  expect({ code, printed }).toMatchObject({ code: 0 })
  return printed.join('')
}

async function loseDisk(): Promise<void> {
  const { nats } = shop.shop.infrastructure
  await nats.kill()
  await rm(join(shop.dataDir, 'nats', 'jetstream'), { recursive: true })
  await nats.start()
}

const serviceOf = (service: 'catalog' | 'notifier') => shop.shop.services[service]

/** A checkout whose events exist only on the disk: catalog cannot turn holds into sales, and notifier is stopped. */
async function buyWithoutConsumers(client: TestClient): Promise<Order> {
  const cart = await client.cartWith(variantId, 2)
  await serviceOf('notifier').stop()
  const order = Order.parse((await client.checkOut(cart.id)).body)
  await waitFor('the events of the order to leave orders', async () => {
    const left = await shop.sql(`select 1 from orders.outbox`)
    const sent = await shop.sql(`select 1 from orders.sent_events where payload like $1`, [`%${order.id}%`])
    return left.length === 0 && sent.length === 2
  })
  return order
}

/** A buyer still gets an order while the streams are missing: its events wait in the outbox. */
async function buyWithoutStreams(client: TestClient): Promise<Order> {
  const order = await waitFor('a checkout without streams', async () => {
    const response = await client.checkOut((await client.cartWith(variantId, 3)).id)
    return response.status === 200 ? Order.parse(response.body) : undefined
  })
  expect(await shop.sql(`select 1 from orders.outbox where name = 'order.placed'`)).not.toEqual([])
  return order
}

async function waitUntilReported(client: TestClient, { id, number }: Order): Promise<void> {
  await waitForPayment(client, `/orders/${id}`)
  await waitFor('the webhook', () => shop.receiver.received.some((event) => event['orderId'] === id))
  await waitFor('the mail', async () => (await shop.mailsFor(number)).length > 0)
}

async function expectReportedOnce({ id, number }: Order): Promise<void> {
  const reported = shop.receiver.received.filter((event) => event.type === 'order.paid' && event['orderId'] === id)
  expect(reported, `webhooks of ${number}`).toHaveLength(1)
  expect(await shop.mailsFor(number), `mails of ${number}`).toHaveLength(1)
}

/** A deleted consumer is created again and gets all events of the stream, of which it has receipts. */
async function recoverDeletedConsumer(): Promise<void> {
  const { host, username, password } = new URL(shop.shop.infrastructure.nats.url)
  const connection = await connect({ servers: host, user: username, pass: decodeURIComponent(password) })
  const manager = await jetstreamManager(connection)
  const durable = durableName('catalog', OrderPlaced)
  await manager.consumers.delete(eventsStream('shop'), durable)
  expect(await recover()).toContain(`${durable} was created again.`)
  await waitFor('the consumer to catch up', async () => {
    const { num_pending, num_ack_pending } = await manager.consumers.info(eventsStream('shop'), durable)
    return num_pending + num_ack_pending === 0
  })
  await connection.close()
}

/** The test of this file, with the shop that is open when it starts. */
export function testLostDisk(openShop: () => TestShop): void {
  beforeAll(async () => {
    shop = openShop()
    const product = await shop.stockProduct('disk', UNITS)
    variantId = product.variants[0]?.id ?? ''
  })

  test('events that NATS loses with its disk are published again, and later orders work', async () => {
    const client = shop.client()
    const before = await client.buy(variantId)
    await waitFor('the first order', async () => (await stockOf(shop, variantId)).onHand === UNITS - 1)
    const lost = await buyWithoutConsumers(client)
    await loseDisk()
    await serviceOf('notifier').start()
    await serviceOf('notifier').waitReady()
    const between = await buyWithoutStreams(client)

    expect(await recover()).toMatch(
      /shop_EVENTS is missing\.[^]*shop_DEAD is missing\.[^]*created again\.[^]*published again\./,
    )
    const orders = [before, lost, between]
    for (const order of orders) await waitUntilReported(client, order)
    await expectShopBalanced(shop)
    expect((await stockOf(shop, variantId)).onHand).toBe(UNITS - 6)
    for (const order of orders) await expectReportedOnce(order)
    expect(await recover()).toContain('Every consumer has a receipt of every event.')

    await recoverDeletedConsumer()
    expect((await stockOf(shop, variantId)).onHand).toBe(UNITS - 6)
  })
}
