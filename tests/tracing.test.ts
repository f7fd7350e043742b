import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Order, type Cart } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { openOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from './support/otlp-receiver.ts'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'
import type { TestClient } from './support/test-client.ts'

const SOON = { OTEL_BSP_SCHEDULE_DELAY: '100' }
const SERVER = 2
const CLIENT = 3
const CONSUMER = 5
const INTO_ORDERS = /insert into "?orders"?/

/** The trace context that a client sends. */
const FOREIGN_TRACE = 'deadbeefdeadbeefdeadbeefdeadbeef'
const FOREIGN = `00-${FOREIGN_TRACE}-feedfacefeedface-01`

describe('with a collector', () => {
  let collector: OtlpReceiver
  let shop: TestShop
  let client: TestClient
  let cart: Cart
  let order: Order
  let checkout: ReceivedSpan

  beforeAll(async () => {
    collector = await openOtlpReceiver()
    shop = await openShopOfProcesses({ env: { ...SOON, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
    const product = await shop.stockProduct('traced', 5)
    client = shop.client()
    await client.register('planted.mail@example.com')
    await client.get('/products?q=planted-search')
    cart = await client.cartWith(product.variants[0]?.id ?? '')
    const response = await client.call(
      'POST',
      `/carts/${cart.id}/checkout`,
      {
        email: 'planted.mail@example.com',
        shipping_address: {
          name: 'Planted Name',
          line1: '12 Planted Street',
          line2: '',
          city: 'London',
          region: '',
          postalCode: 'SW1Y 4JH',
          country: 'GB',
          phone: '',
        },
        shipping_method: 'standard',
      },
      {
        traceparent: FOREIGN,
        tracestate: 'planted=state',
        baggage: 'planted=baggage',
        'x-request-id': 'req_of_the_checkout',
      },
    )
    order = Order.parse(response.body)
    checkout = await waitFor('the checkout at the collector', () =>
      collector.spans.find(
        (span) => span.service === 'gateway' && span.attributes['storefront.request_id'] === 'req_of_the_checkout',
      ),
    )
  })

  afterAll(async () => {
    await shop.stop()
    await collector.close()
  })

  /** Waits for a span of the trace of the checkout. */
  function traced(what: string, fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
    return waitFor(what, () => collector.spans.find((span) => span.traceId === checkout.traceId && fits(span)))
  }

  /**
   * The ancestors of a span up to the root. Services export spans at different times, a parent often after its child.
   */
  async function ancestors(span: ReceivedSpan): Promise<string[]> {
    const { parentSpanId } = span
    if (parentSpanId === undefined) return []
    const parent = await waitFor(`the parent of ${span.name}`, () =>
      collector.spans.find(({ spanId }) => spanId === parentSpanId),
    )
    return [`${parent.service}: ${parent.name}`, ...(await ancestors(parent))]
  }

  test('one trace leads from the gateway over HTTP and NATS to the tables of every service involved', async () => {
    const isStatement = (span: ReceivedSpan) =>
      span.attributes['db.system.name'] === 'postgresql' && span.kind === CLIENT
    const held = await traced('the reservation', (span) => span.service === 'catalog' && isStatement(span))
    const quoted = await traced('the quote', (span) => span.service === 'cart' && isStatement(span))
    const placed = await traced(
      'the order',
      (span) => span.service === 'orders' && INTO_ORDERS.test(String(span.attributes['db.query.text'])),
    )
    const gateway = ['gateway: POST /carts/:id/checkout', 'gateway: POST /carts/:id/checkout']
    const orders = ['orders: POST /carts/:id/checkout', ...gateway]
    expect(checkout.parentSpanId).toBeUndefined()
    expect(checkout.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'http.route': '/carts/:id/checkout',
    })
    expect(await ancestors(placed)).toEqual(orders)
    expect(await ancestors(quoted)).toEqual(['cart: process cart.quote', 'orders: send cart.quote', ...orders])
    expect(await ancestors(held)).toEqual([
      'catalog: settle reservations',
      'catalog: process inventory.reserve',
      'orders: send inventory.reserve',
      ...orders,
    ])
    expect(placed.attributes['db.query.text']).toContain('$1')
    const service = await waitFor('the span of orders', () =>
      collector.spans.find((span) => span.service === 'orders' && span.kind === SERVER),
    )
    expect(service.attributes['storefront.request_id']).toBeDefined()
  })

  test('a consumer has a trace of its own that links to the publication of its event', async () => {
    const sent = await traced('the event', (span) => span.name === 'send order.placed')
    for (const service of ['catalog', 'cart']) {
      const consumed = await waitFor(`order.placed at ${service}`, () =>
        collector.spans.find(
          (span) =>
            span.service === service &&
            span.kind === CONSUMER &&
            span.links.some(({ spanId }) => spanId === sent.spanId),
        ),
      )
      expect(consumed.name).toBe('process order.placed')
      expect(consumed.traceId).not.toBe(checkout.traceId)
      await waitFor('the span of its write', () =>
        collector.spans.find((span) => span.parentSpanId === consumed.spanId && span.name === 'INSERT inbox'),
      )
    }
  })

  test.each([
    ['send webhook', 'order.paid', { 'http.response.status_code': 200 }],
    ['send mail', 'order.placed', { 'storefront.mail.outcome': 'sent' }],
  ])(
    'an attempt to %s has a span that links to the processing of %s, which links to the event',
    async (name, event, outcome) => {
      const isOf = (span: ReceivedSpan, cause: ReceivedSpan) => span.links.some(({ spanId }) => spanId === cause.spanId)
      const sent = await waitFor('the event', () => collector.spans.find((span) => span.name === `send ${event}`))
      const handled = await waitFor('its processing', () =>
        collector.spans.find((span) => span.service === 'notifier' && span.kind === CONSUMER && isOf(span, sent)),
      )
      const attempt = await waitFor('the attempt', () =>
        collector.spans.find((span) => span.name === name && isOf(span, handled)),
      )
      expect(attempt.service).toBe('notifier')
      expect(attempt.attributes).toMatchObject(outcome)
    },
  )

  test('the trace context of a client becomes a link and nothing more', async () => {
    expect(checkout.links).toEqual([{ traceId: FOREIGN_TRACE, spanId: 'feedfacefeedface' }])
    expect(collector.spans.filter((span) => span.traceId === FOREIGN_TRACE)).toEqual([])
  })

  test('no span contains a secret, personal data, or the id of a cart or an order', async () => {
    await traced('the end of the checkout', (span) => span.service === 'orders' && span.kind === SERVER)
    const planted = ['planted', 'Planted', cart.id, order.id, client.token ?? 'no token', shop.shop.webhookSecret]
    expect(collector.spans.length).toBeGreaterThan(50)
    expect(planted.filter((secret) => collector.text().includes(secret))).toEqual([])
    expect(collector.text()).not.toMatch(/\b(cart|order|pay|sess|sk)_[0-9a-f]{16,}/)
  })

  test('a log line names its trace', async () => {
    const logs = join(shop.dataDir, 'logs')
    const lines = await waitFor('the lines of the checkout', async () => {
      const texts = await Promise.all((await readdir(logs)).map((name) => readFile(join(logs, name), 'utf8')))
      const about = texts
        .join('\n')
        .split('\n')
        .filter((line) => line.includes('req_of_the_checkout'))
      return about.filter((line) => line.includes(checkout.traceId)).length >= 2 && about
    })
    expect(lines.filter((line) => !line.includes(checkout.traceId))).toEqual([])
  })
})

test('no span is sent without sampling, whatever the client sends, or with tracing switched off', async () => {
  const collector = await openOtlpReceiver()
  const shop = await openShopOfProcesses({
    env: { ...SOON, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: 'parentbased_always_off' },
    // This service consumes events without a trace, and would begin one for each of them.
    serviceEnvironment: { notifier: { OTEL_TRACES_SAMPLER: 'always_on', OTEL_SDK_DISABLED: 'true' } },
  })
  try {
    const product = await shop.stockProduct('untraced', 5)
    await shop.client().call('GET', `/products/${product.slug}`, undefined, { traceparent: FOREIGN })
    const order = await shop.client().buy(product.variants[0]?.id ?? '')
    await waitFor('the webhook', () => shop.receiver.received.find((event) => event['orderId'] === order.id))
  } finally {
    // Spans in the queue are sent at the stop.
    await shop.stop()
    await collector.close()
  }
  expect(collector.requests()).toBe(0)
})

test('a collector that hangs or is down costs no order, only one log line, and does not delay the stop', async () => {
  const hanging = await openOtlpReceiver('hang')
  const gone = await openOtlpReceiver()
  await gone.close()
  const shop = await openShopOfProcesses({
    env: {
      ...SOON,
      OTEL_EXPORTER_OTLP_ENDPOINT: hanging.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      OTEL_BSP_MAX_QUEUE_SIZE: '20',
    },
    serviceEnvironment: { orders: { OTEL_EXPORTER_OTLP_ENDPOINT: gone.url } },
  })
  try {
    const product = await shop.stockProduct('unheard', 20)
    for (let sold = 0; sold < 5; sold++) await shop.client().buy(product.variants[0]?.id ?? '')
    const warnings = async (service: string) => {
      const text = await readFile(join(shop.dataDir, 'logs', `${service}.log`), 'utf8')
      return text.split('the collector cannot be reached').length - 1
    }
    for (const service of ['gateway', 'orders'])
      await waitFor(`the warning of ${service}`, async () => (await warnings(service)) > 0)
    const before = hanging.requests()
    await waitFor('further batches', () => hanging.requests() >= before + 3)
    expect([await warnings('gateway'), await warnings('orders')]).toEqual([1, 1])
    await waitFor('the inventory', async () => (await shop.client().inventory('unheard')) === 15)
  } finally {
    await shop.stop()
    await hanging.close()
  }
})
