import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SERVICE_NAMES } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { openOtlpReceiver, type OtlpReceiver } from '../support/otlp-receiver.ts'
import type { TestShop } from '../support/shop.ts'
import { tracingTo } from './settings.ts'

/**
 * @returns a collector that hangs, and settings of a shop that sends its spans there, those of orders to one that is
 * down
 */
export async function openFailingCollectors() {
  const hanging = await openOtlpReceiver('hang')
  const gone = await openOtlpReceiver()
  await gone.close()
  return {
    hanging,
    settings: {
      env: { ...tracingTo(hanging), OTEL_EXPORTER_OTLP_TIMEOUT: '500', OTEL_BSP_MAX_QUEUE_SIZE: '20' },
      serviceEnvironment: { orders: { OTEL_EXPORTER_OTLP_ENDPOINT: gone.url } },
    },
  }
}

/** Declares a test that stops the services, so only tests of the stop may follow. */
export function testFailingCollectors(opened: () => { shop: TestShop; hanging: OtlpReceiver }): void {
  test('a collector that hangs or is down costs no order, only one log line, and does not delay the stop', async () => {
    const { shop, hanging } = opened()
    const product = await shop.stockProduct('untraceable', 20)
    for (let sold = 0; sold < 5; sold++) await shop.client().buy(product.variants[0]?.id ?? '')
    const logged = (service: string) => readFile(join(shop.dataDir, 'logs', `${service}.log`), 'utf8')
    const warnings = async (service: string) =>
      (await logged(service)).split('the collector cannot be reached').length - 1
    for (const service of ['gateway', 'orders'])
      await waitFor(`the warning of ${service}`, async () => (await warnings(service)) > 0)
    const before = hanging.requests()
    await waitFor('further batches', () => hanging.requests() >= before + 3)
    expect([await warnings('gateway'), await warnings('orders')]).toEqual([1, 1])
    await waitFor('the inventory', async () => (await shop.client().inventory('untraceable')) === 15)
    await Promise.all(SERVICE_NAMES.map((name) => shop.shop.services[name].stop()))
    for (const service of SERVICE_NAMES) expect(await logged(service)).not.toContain('did not stop in time')
  })
}
