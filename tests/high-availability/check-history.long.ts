import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '@storefront/tools/testing'
import { setCheckout } from '../support/set-checkout.ts'
import { openShopOfProcesses, type TestShop } from '../support/shop.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { startBuyers } from './buyers.ts'
import { checkHistory } from './check-history.ts'
import { readShopState, type Observers } from './final-state.ts'
import { openHistory, readHistory } from './history.ts'
import { openMailCollector, type MailCollector } from './mail-collector.ts'
import { ofKind, type Operation } from './operation.ts'
import { openPaymentProvider, type PaymentProvider } from './payment-provider.ts'
import { registerReceiver } from './register-receiver.ts'
import type { ShopState } from './shop-state.ts'

const UNITS = 1000
const BUYERS_PER_SECOND = 5
const BUYERS_BEFORE_FAULT = 15
const BUYERS_AFTER_FAULT = 35
/** The machine may be busy. */
const READY_WITHIN_MS = 300_000
const AT_REST = { timeoutMs: 120_000 }

let shop: TestShop
let receiver: WebhookReceiver
let collector: MailCollector
let provider: PaymentProvider
let observers: Observers
let path: string
const variantIds: string[] = []

beforeAll(async () => {
  // Goods of a checkout that died are released during the test.
  const serviceEnvironment = { orders: { RESERVATION_TTL_SECONDS: '3' } }
  ;[collector, provider] = await Promise.all([openMailCollector(), openPaymentProvider()])
  shop = await openShopOfProcesses({ serviceEnvironment, env: { SMTP_URL: collector.url, ...provider.env } })
  receiver = await openWebhookReceiver()
  const endpointId = await registerReceiver(shop.admin, receiver)
  for (const slug of ['first', 'second', 'third']) {
    variantIds.push((await shop.stockProduct(slug, UNITS)).variants[0]?.id ?? '')
  }
  path = join(shop.dataDir, 'history.jsonl')
  const { mails } = collector
  observers = {
    admin: shop.admin,
    variantIds,
    endpointId,
    received: receiver.received,
    readMails: async () => [...mails],
    provider,
    query: shop.sql,
    since: new Date(),
  }
})

afterAll(async () => {
  await shop.stop()
  await Promise.all([receiver.close(), collector.close(), provider.close()])
})

/** Runs the load, and a fault in the middle of it. */
async function runLoad(fault: () => Promise<void>): Promise<{ operations: Operation[]; before: ShopState }> {
  const before = await readShopState(observers, AT_REST)
  const history = openHistory(path)
  const arrivals = new AbortController()
  const { url } = shop.shop
  const { signal } = arrivals
  const load = startBuyers({ url, ratePerSecond: BUYERS_PER_SECOND, history, variantIds, provider, signal })
  await waitFor('buyers before the fault', () => load.arrived() >= BUYERS_BEFORE_FAULT)
  await fault()
  const afterFault = load.arrived() + BUYERS_AFTER_FAULT
  await waitFor('buyers after the fault', () => load.arrived() >= afterFault)
  arrivals.abort()
  await load.done
  await history.close()
  return { operations: await readHistory(path), before }
}

async function crashOrders(): Promise<void> {
  const { orders } = shop.shop.services
  await orders.kill('SIGKILL')
  await orders.waitReady(READY_WITHIN_MS)
}

test('buyers who pay at Stripe have their orders after a crash', async () => {
  await setCheckout(shop, { mode: 'redirect', provider: 'stripe' })
  const { operations, before } = await runLoad(crashOrders)
  const { violations, counts } = checkHistory(operations, before, await readShopState(observers, AT_REST))
  expect(violations).toEqual([])
  const payments = ofKind(operations, 'pay').filter(({ outcome }) => outcome === 'ok')
  expect(payments.length).toBeGreaterThan(BUYERS_BEFORE_FAULT)
  expect(counts).toMatchObject({ payments: payments.length, orders: payments.length })
})

test('after a crash under load the checker finds nothing, and then exactly what is deleted', async () => {
  await setCheckout(shop, { mode: 'demo' })
  const { operations, before } = await runLoad(crashOrders)
  const after = await readShopState(observers, AT_REST)
  expect(after.unfinished).toEqual([])
  const { violations, counts } = checkHistory(operations, before, after)
  expect(violations).toEqual([])
  expect(counts.acknowledged).toBeGreaterThan(BUYERS_BEFORE_FAULT)
  expect(counts.orders).toBeGreaterThanOrEqual(counts.acknowledged)
  expect(counts.unitsSold).toBeGreaterThan(counts.orders)

  const [deleted] = ofKind(operations, 'checkout').flatMap(({ result }) => result?.order?.id ?? [])
  expect(deleted).toMatch(/^order_\w+$/)
  // Without the checks of foreign keys, as if the row had never reached this server.
  await shop.sql(`set session_replication_role = replica; delete from orders.orders where id = '${deleted}'; reset all`)
  const [receipt] = await shop.sql<{ id: string }>(
    `delete from catalog.inbox where event_id =
       (select event_id from orders.sent_events where name = 'order.placed' order by sent_at desc limit 1)
     returning event_id as id`,
  )
  // Soon, because the shop would publish the event again after three minutes.
  const { violations: found } = checkHistory(operations, before, await readShopState(observers, { timeoutMs: 5000 }))
  expect(found).toMatchObject([
    { kind: 'order lost', subject: deleted },
    { kind: 'event lost', subject: receipt?.id },
  ])
})
