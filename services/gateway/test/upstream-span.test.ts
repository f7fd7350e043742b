import { startTracing } from '@storefront/service/testing'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createSuite, type Suite } from '@storefront/tools/testing'
import { echo, json, runGateway, startService, type TestGateway, type TestService } from './setup.ts'

const CLIENT = 3

const Value = z.object({ stringValue: z.string().optional(), intValue: z.number().optional() })
const Attributes = z.array(z.object({ key: z.string(), value: Value }))
const Span = z.object({
  kind: z.number(),
  attributes: Attributes,
  events: z.array(z.object({ name: z.string(), attributes: Attributes })),
})
const Batch = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })),
})

let suite: Suite
let collector: TestService
let replicas: TestService[]
let gateway: TestGateway
const spans: z.infer<typeof Span>[] = []

beforeAll(async () => {
  suite = await createSuite()
  collector = await startService((request, response) => {
    void text(request).then((body) => {
      const { resourceSpans } = Batch.parse(JSON.parse(body))
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
      json(response, 200, {})
    })
  })
  replicas = [await startService(echo), await startService(echo)]
  const urls = replicas.map(({ url }) => url).join(',')
  gateway = await runGateway(suite, { cart: urls, catalog: urls })
  // The exporter reads its address from the environment of the process.
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await gateway.stop()
  await Promise.all([collector, ...replicas].map((service) => service.stop()))
  await suite.stop()
})

test('one span covers all attempts of a request, and records those that broke off', async () => {
  const tracing = await startTracing('gateway', { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, suite.log)
  const paths = ['/carts/cart_1', '/products/again']
  for (const path of paths) {
    let broken = false
    for (const replica of replicas) {
      replica.respond = (request, response) => {
        if (broken) return echo(request, response)
        broken = true
        request.socket.destroy()
      }
    }
    expect((await fetch(gateway.url + path)).status).toBe(200)
  }
  await tracing.stop()

  const upstreamSpans = spans.filter(({ kind, attributes }) => kind === CLIENT && valueIn(attributes, 'url.template'))
  const resent = upstreamSpans.filter(({ attributes }) => valueIn(attributes, 'http.request.resend_count') === 1)
  expect(resent.map(({ attributes }) => valueIn(attributes, 'service.peer.name'))).toEqual(['cart', 'catalog'])
  for (const { attributes, events } of resent) {
    expect(valueIn(attributes, 'http.response.status_code')).toBe(200)
    expect(events.map(({ name, attributes: given }) => [name, valueIn(given, 'error.type')])).toEqual([
      ['retry', 'UND_ERR_SOCKET'],
    ])
  }
})

function valueIn(attributes: z.infer<typeof Attributes>, key: string): string | number | undefined {
  const value = attributes.find((attribute) => attribute.key === key)?.value
  return value?.stringValue ?? value?.intValue
}
