import { afterAll, beforeAll, expect, test } from 'vitest'
import { SERVICE_NAMES } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { openOtlpReceiver, type OtlpReceiver } from './support/otlp-receiver.ts'
import { expectShopBalanced } from './support/shop-balance.ts'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'

let collector: OtlpReceiver
let shop: TestShop

beforeAll(async () => {
  collector = await openOtlpReceiver()
  shop = await openShopOfProcesses({
    ownServers: true,
    env: { ONE_PROCESS: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '200' },
  })
})

afterAll(async () => {
  await shop.stop()
  await collector.close()
})

test('a shop in one process sells, restarts completely after a kill, and sells again', async () => {
  const pids = () => new Set(SERVICE_NAMES.map((name) => shop.shop.services[name].pid()))
  expect(pids().size).toBe(1)
  const [before] = pids()
  const product = await shop.stockProduct('one-process', 5)
  const client = shop.client()
  const first = await client.buy(product.variants[0]?.id ?? '')
  await shop.shop.services.catalog.kill('SIGKILL')
  await shop.shop.services.gateway.waitReady()
  expect(pids().size).toBe(1)
  expect([...pids()]).not.toEqual([before])
  const second = await client.buy(product.variants[0]?.id ?? '')
  expect(second.id).not.toBe(first.id)
  await waitFor('order.paid of both', () =>
    [first, second].every(({ id }) => shop.receiver.received.some((event) => event['orderId'] === id)),
  )
  await expectShopBalanced(shop)
})

test('the metrics of a shop in one process are served by the gateway, with the name of the process', async () => {
  const text = await (await fetch(shop.shop.metricsUrls.gateway)).text()
  for (const metric of ['storefront_orders_total', 'storefront_edge_cache_bytes', 'storefront_mails_waiting']) {
    expect(text).toMatch(new RegExp(`^${metric}\\{[^}]*service="shop"`, 'm'))
  }
})

test('the traces of a shop in one process reach the collector', async () => {
  await waitFor('a span', () => collector.spans.length > 0)
  expect(new Set(collector.spans.map(({ service }) => service))).toEqual(new Set(['shop']))
})
