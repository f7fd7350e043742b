import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { amount, temporaryFolder, waitFor } from '@storefront/tools/testing'
import {
  LAUNCH_ENVIRONMENT,
  openToOthers,
  testLaunchedShop,
  testStoppedShop,
} from '@storefront/tools/testing/launched-shop'
import { documentedMetrics } from './observability/documented-metrics.ts'
import { KNOWN_METRICS } from './observability/known-metrics.ts'
import { findPrometheus } from './observability/prometheus-programs.ts'
import { startPrometheus } from './observability/start-prometheus.ts'
import { holdLock } from './support/hold-lock.ts'
import { scrape, valueOf, type Scrape } from './support/metrics.ts'
import { openOtlpReceiver, type OtlpReceiver } from './support/otlp-receiver.ts'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'
import { testWithoutSampling, withoutSampling } from './tracing/without-sampling.ts'

/** Readings are some seconds old, that of the stock half a minute. */
const LONG_MS = 60_000
/** A scrape takes some ten milliseconds of CPU time. */
const SCRAPE_PAUSE_MS = 500
const LOOKUPS = 3
const EMAIL = 'grace@example.com'
/** More than a consumer fetches at once. */
const REPEATED_EVENTS = 600

const programs = await findPrometheus()
const Samples = z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) })
const Alerts = z.object({
  alerts: z.array(z.object({ state: z.string(), labels: z.record(z.string(), z.string()) })),
})

let collector: OtlpReceiver
let shop: TestShop
let dataDir: string
let variantId: string
let orderNumber: string

beforeAll(async () => {
  collector = await openOtlpReceiver()
  const { env, serviceEnvironment } = withoutSampling(collector)
  dataDir = await temporaryFolder('storefront-metrics')
  openToOthers(dataDir)
  shop = await openShopOfProcesses({
    ownServers: true,
    dataDir,
    env: { ...env, ...LAUNCH_ENVIRONMENT, RATE_LIMIT_LOOKUP: String(LOOKUPS) },
    serviceEnvironment,
  })
  const product = await shop.stockProduct('counted', 10)
  variantId = product.variants[0]?.id ?? ''
})

afterAll(async () => {
  await shop.stop()
  await rm(dataDir, { recursive: true, force: true })
  await collector.close()
})

const scrapeOf = (service: ServiceName) => scrape(shop.shop, service)

/** Waits until a metric has a value that fits, and returns it. */
const metric = (
  service: ServiceName,
  name: string,
  labels: Record<string, string>,
  fits: (value: number) => boolean,
): Promise<number> => {
  let nextScrapeAt = 0
  return waitFor(
    `${name} of ${service}`,
    async () => {
      if (performance.now() < nextScrapeAt) return undefined
      nextScrapeAt = performance.now() + SCRAPE_PAUSE_MS
      const value = valueOf(await scrapeOf(service), name, labels)
      return value !== undefined && fits(value) ? { value } : undefined
    },
    LONG_MS,
  ).then(({ value }) => value)
}

const isZero = (value: number) => value === 0
const isPositive = (value: number) => value > 0

test('every service counts its part of a purchase', async () => {
  const guest = shop.client()
  await guest.register(EMAIL)
  expect((await shop.client().post('/auth/login', { email: EMAIL, password: 'wrong horse' })).status).toBe(401)
  await guest.products()
  await guest.products()
  const order = await guest.buy(variantId, 2)
  orderNumber = order.number
  await waitFor('the list of products to be cached', async () => {
    await guest.products()
    return (valueOf(await scrapeOf('gateway'), 'storefront_edge_cache_bytes') ?? 0) > 0
  })
  const missing = await guest.checkOut((await guest.cartWith(variantId, 1)).id.replace(/.$/, 'x'))
  expect(missing.status).toBe(404)

  const route = { method: 'POST', route: '/carts/:id/checkout' }
  await metric('gateway', 'http_server_request_duration_seconds_count', { ...route, status: '200' }, (n) => n === 1)
  await metric('gateway', 'http_server_request_duration_seconds_count', { ...route, status: '404' }, (n) => n === 1)
  await metric('orders', 'http_server_request_duration_seconds_count', { ...route, status: '200' }, (n) => n === 1)
  await metric('gateway', 'storefront_edge_cache_requests_total', { outcome: 'hit' }, isPositive)
  await metric('gateway', 'storefront_edge_cache_requests_total', { outcome: 'miss' }, isPositive)
  await metric('gateway', 'storefront_upstream_in_flight', { upstream: 'orders' }, isZero)
  await metric('orders', 'storefront_orders_total', { event: 'placed' }, (n) => n === 1)
  await metric('orders', 'storefront_orders_total', { event: 'paid' }, (n) => n === 1)
  await metric('orders', 'storefront_orders_total', { event: 'cancelled' }, isZero)
  await metric('orders', 'storefront_checkouts_total', { outcome: 'answered' }, (n) => n === 1)
  await metric('orders', 'storefront_checkouts_total', { outcome: 'cart_not_found' }, (n) => n === 1)
  await metric('catalog', 'storefront_reservation_requests_total', { outcome: 'held' }, (n) => n === 1)
  await metric('catalog', 'storefront_reservation_batch_size_count', {}, (n) => n === 1)
  await metric('cart', 'storefront_price_projection_reads_total', { outcome: 'hit' }, isPositive)
  const requested = { request: 'inventory.reserve', outcome: 'replied' }
  const requestCount = 'storefront_service_requests_duration_seconds_count'
  await metric('orders', requestCount, { ...requested, side: 'sent' }, (n) => n === 1)
  await metric('catalog', requestCount, { ...requested, side: 'served' }, (n) => n === 1)
  await metric('identity', 'storefront_sign_ins_total', { kind: 'customer', outcome: 'rejected' }, (n) => n === 1)
  await metric('identity', 'storefront_sign_ins_total', { kind: 'admin', outcome: 'succeeded' }, (n) => n === 1)
  await metric('notifier', 'storefront_webhook_attempts_total', { outcome: 'delivered' }, isPositive)
  await metric('notifier', 'storefront_mails_total', { kind: 'orderPlaced', outcome: 'sent' }, (n) => n === 1)
  await metric('notifier', 'storefront_consumer_handled_total', { event: 'order.paid', outcome: 'handled' }, isPositive)
})

test('an idle shop has no waiting events, no open reservations and no oversold units', async () => {
  for (const service of ['catalog', 'orders', 'identity'] as const) {
    await metric(service, 'storefront_outbox_events', {}, isZero)
    await metric(service, 'storefront_outbox_oldest_age_seconds', {}, isZero)
  }
  for (const service of SERVICE_NAMES) {
    await metric(service, 'storefront_nats_connected', {}, (n) => n === 1)
    const scraped = await scrapeOf(service)
    expect(valueOf(scraped, 'nodejs_eventloop_lag_p99_seconds'), service).toBeGreaterThan(0)
    expect(scraped.samples.every(({ labels }) => labels['service'] === service)).toBe(true)
  }
  for (const service of SERVICE_NAMES.filter((name) => name !== 'gateway')) {
    await metric(service, 'storefront_database_connections', {}, isPositive)
  }
  await metric('notifier', 'storefront_consumer_pending', {}, isZero)
  await metric('notifier', 'storefront_consumer_unacknowledged', {}, isZero)
  await metric('notifier', 'storefront_webhook_deliveries_waiting', {}, isZero)
  await metric('notifier', 'storefront_webhook_oldest_due_age_seconds', {}, isZero)
  await metric('notifier', 'storefront_webhook_circuits_open', {}, isZero)
  await metric('notifier', 'storefront_mails_waiting', {}, isZero)
  await metric('catalog', 'storefront_reservations_open', {}, isZero)
  await metric('catalog', 'storefront_reservation_requests_undecided', {}, isZero)
  await metric('catalog', 'storefront_oversold_units', {}, isZero)
  await metric('cart', 'storefront_redis_connected', {}, (n) => n === 1)
})

test.skipIf(!programs)('Prometheus sees every service up, and no alert fires in an idle shop', async () => {
  const prometheus = await startPrometheus(
    programs?.prometheus ?? '',
    SERVICE_NAMES.map((service) => {
      const { host, pathname } = new URL(shop.shop.metricsUrls[service])
      return { service, address: host, path: pathname }
    }),
  )
  try {
    const samplesFor = async (query: string) => Samples.parse(await prometheus.request('query', { query })).result
    const up = 'up{service!=""} == 1'
    await waitFor('every service', async () => (await samplesFor(up)).length === SERVICE_NAMES.length)
    const noneOversold = 'max(storefront_oversold_units) == 0'
    await waitFor('the check of the stock', async () => (await samplesFor(noneOversold)).length > 0)
    const { alerts } = Alerts.parse(await prometheus.request('alerts'))
    expect(alerts.filter(({ state }) => state === 'firing')).toEqual([])
  } finally {
    await prometheus.stop()
  }
})

test('a rate limit counts the requests that it rejects', async () => {
  const lookUp = () => shop.client().post('/orders/lookup', { number: orderNumber, email: EMAIL })
  for (let requested = 0; requested < LOOKUPS; requested++) await lookUp()
  expect((await lookUp()).status).toBe(429)
  await metric('gateway', 'storefront_rate_limited_total', { limit: 'lookup' }, (n) => n === 1)
})

test('an event that cannot be parsed is counted as a dead letter of its consumer', async () => {
  await shop.sql(`insert into orders.outbox (event_id, name, payload) values ('evt_unreadable', 'order.paid', '{}')`)
  const event = 'order.paid'
  expect(await metric('notifier', 'storefront_dead_letters_total', { event }, isPositive)).toBe(1)
  const dead = { event, outcome: 'dead' }
  expect(await metric('notifier', 'storefront_consumer_handled_total', dead, isPositive)).toBe(1)
})

test('events that arrive faster than they are processed are shown as lag until they are processed', async () => {
  const release = await holdLock(shop, 'lock table notifier.inbox in access exclusive mode')
  try {
    // These events were processed before, so a consumer skips them and the ledger does not change.
    await shop.sql(
      `insert into orders.outbox (event_id, name, payload)
       select 'evt_again_' || n, name, payload from orders.sent_events, generate_series(1, $1) as n
       where name = 'order.paid' and event_id <> 'evt_unreadable'`,
      [REPEATED_EVENTS],
    )
    const lag = await metric('notifier', 'storefront_consumer_pending', { event: 'order.paid' }, isPositive)
    expect(lag).toBeLessThan(REPEATED_EVENTS)
    await metric('notifier', 'storefront_consumer_unacknowledged', { event: 'order.paid' }, isPositive)
  } finally {
    await release()
  }
  await metric('notifier', 'storefront_consumer_pending', { event: 'order.paid' }, isZero)
  await metric('notifier', 'storefront_consumer_unacknowledged', { event: 'order.paid' }, isZero)
})

test('hostile requests create no series, and no label holds personal data or secrets', async () => {
  const client = shop.client()
  const attack = async () => {
    for (const method of ['GET', 'DELETE', 'REPORT']) {
      const path = `/${Math.random().toString(36)}/${Math.random().toString(36)}`
      await client.exchange(method, path)
      await client.exchange(method, `/orders${path}`)
      await client.exchange(method, `/products${path}`)
    }
  }
  const series = async () => {
    const scrapes = await Promise.all(SERVICE_NAMES.map(scrapeOf))
    return scrapes.flatMap(({ samples }) =>
      samples
        .filter(({ name }) => /_total$|_count$/.test(name))
        .map(({ name, labels }) => JSON.stringify([name, labels])),
    )
  }
  await attack()
  const before = await series()
  for (let again = 0; again < 5; again++) await attack()
  const after = await series()
  // New series may appear with time, but none from the hostile requests.
  expect(after.filter((each) => !before.includes(each) && each.includes('http_server'))).toEqual([])
  expect(before.some((each) => each.includes('"route":"unmatched"'))).toBe(true)
  expect(before.some((each) => each.includes('"method":"other"'))).toBe(true)
  const secrets = [
    EMAIL,
    orderNumber,
    variantId,
    shop.shop.adminPassword,
    shop.shop.adminEmail,
    shop.shop.webhookSecret,
  ]
  for (const secret of secrets) expect(after.join('\n')).not.toContain(secret)
  expect(after.join('\n')).not.toMatch(/(?:cart|order|cus|sess|pay|evt)_[0-9a-f]{6}/)
})

test('the documented metrics are those that the shop serves', async () => {
  const scrapes = await Promise.all(SERVICE_NAMES.map(scrapeOf))
  const types = new Map(scrapes.flatMap((each) => [...each.types]))
  const ours = [...types].filter(([name]) => /^(?:storefront|http_server)_/.test(name))
  const documented = documentedMetrics()
  expect(ours.map(([name, type]) => `${name}: ${type}`).toSorted()).toEqual(
    documented.map(({ name, type }) => `${name}: ${type}`).toSorted(),
  )
  // The tests of dashboards and alerts rely on these metrics.
  const known = Object.entries(KNOWN_METRICS)
  expect(known.filter(([name, { kind }]) => types.get(name) !== kind)).toEqual([])
  for (const { name, labels } of documented) {
    for (const sample of scrapes.flatMap((each) => samplesOf(each, name))) {
      const own = Object.keys(sample.labels).filter((label) => label !== 'service' && label !== 'le')
      expect(own.toSorted(), name).toEqual(labels.toSorted())
    }
  }
})

function samplesOf({ samples }: Scrape, metricName: string) {
  return samples.filter(({ name }) => name.replace(/_(?:bucket|sum|count)$/, '') === metricName || name === metricName)
}

describe('the metrics show', () => {
  test('oversold units, and reservations without a movement', async () => {
    await shop.sql('alter table catalog.stock drop constraint never_oversold')
    await shop.sql('update catalog.stock set reserved = on_hand + 3 where variant_id = $1', [variantId])
    // Three units do not exist, and eleven were reserved without a movement.
    expect(await metric('catalog', 'storefront_oversold_units', {}, isPositive)).toBe(3 + 11)
  })

  test('events that wait while NATS is down, and readings that fail', async () => {
    await shop.shop.infrastructure.nats.stop()
    await metric('catalog', 'storefront_nats_connected', {}, isZero)
    await shop.stockProduct('in-the-dark', 5)
    await metric('catalog', 'storefront_outbox_events', {}, isPositive)
    await metric('catalog', 'storefront_outbox_oldest_age_seconds', {}, isPositive)
    await metric('notifier', 'storefront_scrape_errors_total', { source: 'consumer' }, isPositive)
    expect(valueOf(await scrapeOf('notifier'), 'storefront_consumer_pending')).toBeUndefined()
    await shop.shop.infrastructure.nats.start()
    await metric('catalog', 'storefront_outbox_events', {}, isZero)
    await metric('notifier', 'storefront_consumer_pending', {}, isZero)
  })
})

testLaunchedShop(() => shop)

describe('a shop', () => {
  testWithoutSampling(() => ({ shop, collector }))
  testStoppedShop(() => shop, { alsoCanceled: amount({ quick: false, long: true }) })
})
