import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { Order, type Cart } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import type { OtlpReceiver, ReceivedSpan } from '../support/otlp-receiver.ts'
import type { TestShop } from '../support/shop.ts'
import type { TestClient } from '../support/test-client.ts'
import { FOREIGN, FOREIGN_TRACE } from './settings.ts'

const SERVER = 2
const CLIENT = 3
const CONSUMER = 5
const INTO_ORDERS = /insert into "?orders"?/

/** Declares tests that search the first spans of a shop which sends them to this collector. */
export function testTracing(opened: () => { shop: TestShop; collector: OtlpReceiver }): void {
  describe('with a collector', () => {
    let collector: OtlpReceiver
    let shop: TestShop
    let client: TestClient
    let cart: Cart
    let order: Order
    let checkout: ReceivedSpan

    beforeAll(async () => {
      ;({ shop, collector } = opened())
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
      const served = await traced('the span of orders', (span) => span.service === 'orders' && span.kind === SERVER)
      expect(served.attributes['storefront.request_id']).toBe('req_of_the_checkout')
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
        const isOf = (span: ReceivedSpan, cause: ReceivedSpan) =>
          span.links.some(({ spanId }) => spanId === cause.spanId)
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
}
