import { beforeAll, expect, test } from 'vitest'
import { Order, type ServiceName } from '@storefront/contracts'
import { holdAtRow, waitFor, type HeldRow, type RowToHold } from '@storefront/tools/testing'
import { makeBuyers, retryUntilAvailable, type Buyer } from '../support/buyers.ts'
import { holdLock } from '../support/hold-lock.ts'
import { scrape, valueOf } from '../support/metrics.ts'
import { expectShopBalanced, unitsOrdered } from '../support/shop-balance.ts'
import { shopDatabase, type TestShop } from '../support/shop.ts'

interface Group extends Omit<RowToHold, 'row'> {
  name: string
  victim: ServiceName
  /**
   * The mails that are sent before its service is killed. A kill while one is handed over leaves it uncertain, and then
   * it may never arrive.
   */
  mailsBefore?: number
}

const BUYERS = 5
const RELAY = `select pg_advisory_xact_lock(hashtext('relay'), hashtext('orders'))`

// What one transaction writes for several purchases, after the event of each.
const SALES: Group = {
  name: 'sales',
  victim: 'catalog',
  table: 'catalog.reservations',
  on: 'update',
  when: `new.status = 'sold'`,
}
const PAYMENTS: Group = {
  name: 'payments',
  victim: 'orders',
  table: 'orders.orders',
  on: 'update',
  when: `new.status = 'paid'`,
}
const CLOSED_CARTS: Group = {
  name: 'closed carts',
  victim: 'cart',
  table: 'cart.carts',
  on: 'update',
  when: `new.status = 'converted'`,
}
const MAILS: Group = {
  name: 'queued mails',
  victim: 'notifier',
  table: 'notifier.mails',
  on: 'insert',
  when: `new.kind = 'orderPlaced'`,
  mailsBefore: 0,
}
const WEBHOOKS: Group = {
  name: 'queued webhooks',
  victim: 'notifier',
  table: 'notifier.deliveries',
  on: 'insert',
  mailsBefore: BUYERS,
}
/** All of them are written after the same events, by services that do not wait for each other. */
const TOGETHER: readonly Group[] = [SALES, PAYMENTS, CLOSED_CARTS, MAILS]
const ALONE: readonly Group[] = [...TOGETHER, WEBHOOKS]
/** No other lock of tests or services has this key, or one of those that follow it. */
const KEY = 4720
const LIST = new Intl.ListFormat('en-GB')
/** Two rows of the group are written when its service is killed. */
const ROW = 3

let shop: TestShop
let round = 0

/** A product with one unit more than its buyers want. */
async function stockFor(buyers: number): Promise<{ variantId: string; units: ReadonlyMap<string, number> }> {
  const units = buyers + 1
  const product = await shop.stockProduct(`group-${round++}`, units)
  const variantId = product.variants[0]?.id ?? ''
  return { variantId, units: new Map([[variantId, units]]) }
}

async function checkOut({ client, cartId }: Buyer): Promise<Order> {
  const { response } = await retryUntilAvailable(() => client.checkOut(cartId))
  return Order.parse(response.body)
}

/** Waits until this many of the first mails about these orders, or more, were queued, and each of them was sent. */
async function waitForSentMails(orders: readonly Order[], least: number): Promise<void> {
  await waitFor('the queued mails to be sent', async () => {
    const mails = await shop.sql<{ phase: string }>(
      `select phase from notifier.mails where kind = 'orderPlaced' and reference = any($1)`,
      [orders.map(({ number }) => number)],
    )
    return mails.length >= least && mails.every(({ phase }) => phase === 'sent')
  })
}

/** Kills each service when its transaction waits at its held row. */
async function killThere(
  held: readonly HeldRow[],
  victims: readonly ServiceName[],
  ready?: () => Promise<void>,
): Promise<void> {
  const services = victims.map((victim) => shop.shop.services[victim])
  try {
    await Promise.all(held.map((row) => row.reached()))
    await ready?.()
    await Promise.all(services.map((service) => service.kill('SIGKILL')))
  } finally {
    await Promise.all(held.map((row) => row.release()))
  }
  await Promise.all(services.map((service) => service.waitReady()))
}

/** Checks that each order was paid, sold, mailed and published, and its cart closed, once. */
async function expectEachComplete(buyers: readonly Buyer[], orders: readonly Order[]): Promise<void> {
  expect(new Set(orders.map(({ number }) => number)).size).toBe(buyers.length)
  for (const [index, { id, number }] of orders.entries()) {
    const { client, cartId } = buyers[index] ?? { client: shop.client(), cartId: '' }
    const bodyOf = async (path: string) => (await retryUntilAvailable(() => client.get(path))).response
    await waitFor(
      `the payment of ${number}`,
      async () => Object((await bodyOf(`/orders/${id}`)).body).status === 'paid',
    )
    await waitFor(`the cart of ${number} to be closed`, async () => (await bodyOf(`/carts/${cartId}`)).status === 404)
    await waitFor(`the mail of ${number}`, async () => (await shop.mailsFor(number)).length > 0)
    expect(await shop.mailsFor(number)).toHaveLength(1)
    const published = () => shop.receiver.received.filter((event) => event['orderId'] === id)
    await waitFor(`order.paid of ${number}`, () => published().length > 0)
    expect(new Set(published().map((event) => event.id)).size, `events of ${number}`).toBe(1)
  }
}

/** The tests of this file, with the shop that is open when they start. @param alone whether each has its own crash */
export function testGroupSteps(openShop: () => TestShop, alone: boolean): void {
  beforeAll(() => {
    shop = openShop()
  })

  for (const groups of alone ? ALONE.map((group) => [group]) : [TOGETHER]) {
    const victims = groups.map(({ victim }) => victim)
    const names = LIST.format(groups.map(({ name }) => name))
    test(`five purchases are completed once each although ${LIST.format(victims)} ${victims.length > 1 ? 'are' : 'is'} killed in the middle of their ${names}`, async () => {
      const { variantId, units } = await stockFor(BUYERS)
      const buyers = await makeBuyers(shop, variantId, BUYERS)
      // Their events are published together, and so they are handled in one transaction.
      const releaseRelay = await holdLock(shop, RELAY)
      const orders = await Promise.all(buyers.map(checkOut))
      const held: HeldRow[] = []
      for (const [index, { table, on, when }] of groups.entries())
        held.push(
          await holdAtRow(shopDatabase(shop.shop), { table, on, ...(when && { when }), row: ROW, key: KEY + index }),
        )
      await releaseRelay()
      await killThere(held, victims, async () => {
        for (const { mailsBefore } of groups) if (mailsBefore !== undefined) await waitForSentMails(orders, mailsBefore)
      })

      await expectEachComplete(buyers, orders)
      await expectShopBalanced(shop, units)
      expect(await unitsOrdered(shop, variantId)).toBe(BUYERS)
    })
  }

  test('eight buyers get their goods once each although catalog is killed in the middle of their reservations and notifier in the middle of their queued webhooks', async () => {
    const { variantId, units } = await stockFor(8)
    const buyers = await makeBuyers(shop, variantId, 8)
    // Their events are published together.
    const releaseRelay = await holdLock(shop, RELAY)
    const reservations = await holdAtRow(shopDatabase(shop.shop), {
      table: 'catalog.reservations',
      on: 'insert',
      row: ROW,
    })
    // One batch waits for this lock and the others are collected meanwhile: of two batches one has four requests or
    // more.
    const releaseLock = await holdLock(shop, 'lock table catalog.stock in exclusive mode')
    const ordered = Promise.all(buyers.map(checkOut))
    await waitFor('every request to be undecided', async () => {
      const metrics = await scrape(shop.shop, 'catalog')
      return valueOf(metrics, 'storefront_reservation_requests_undecided') === buyers.length
    })
    await releaseLock()
    await killThere([reservations], ['catalog'])
    const orders = await ordered
    const webhooks = await holdAtRow(shopDatabase(shop.shop), { table: WEBHOOKS.table, on: WEBHOOKS.on, row: ROW })
    await releaseRelay()
    await killThere([webhooks], ['notifier'], () => waitForSentMails(orders, buyers.length))

    await expectEachComplete(buyers, orders)
    await expectShopBalanced(shop, units)
    expect(await unitsOrdered(shop, variantId)).toBe(buyers.length)
  })
}
