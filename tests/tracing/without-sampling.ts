import { expect, test } from 'vitest'
import { waitFor } from '@storefront/tools/testing'
import type { OtlpReceiver } from '../support/otlp-receiver.ts'
import type { TestShop } from '../support/shop.ts'
import { FOREIGN, tracingTo } from './settings.ts'

/** Settings of a shop that may send no span to this collector. */
export const withoutSampling = (collector: OtlpReceiver) => ({
  env: { ...tracingTo(collector), OTEL_TRACES_SAMPLER: 'parentbased_always_off' },
  // This service consumes events without a trace, and would begin one for each of them.
  serviceEnvironment: { notifier: { OTEL_TRACES_SAMPLER: 'always_on', OTEL_SDK_DISABLED: 'true' } },
})

/** Declares a test that stops the shop, so it is the last one. */
export function testWithoutSampling(opened: () => { shop: TestShop; collector: OtlpReceiver }): void {
  test('no span is sent without sampling, whatever the client sends, or with tracing switched off', async () => {
    const { shop, collector } = opened()
    const product = await shop.stockProduct('untraced', 5)
    await shop.client().call('GET', `/products/${product.slug}`, undefined, { traceparent: FOREIGN })
    const order = await shop.client().buy(product.variants[0]?.id ?? '')
    await waitFor('the webhook', () => shop.receiver.received.find((event) => event['orderId'] === order.id))
    // Spans in the queue are sent at the stop.
    await shop.shop.stop()
    expect(collector.requests()).toBe(0)
  })
}
