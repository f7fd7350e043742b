import { PUBLIC_CACHE_CONTROL } from '@storefront/http/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ErrorBody } from '@storefront/contracts'
import { systemClock } from '@storefront/service'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { json, runGateway, startService, type Handler, type TestGateway, type TestService } from './setup.ts'

let suite: Suite
let service: TestService
let gateway: TestGateway

beforeAll(async () => {
  suite = await createSuite()
  service = await startService((_request, response) =>
    json(response, 200, {}, { 'cache-control': PUBLIC_CACHE_CONTROL }),
  )
  gateway = await runGateway(suite, { catalog: service.url, cart: service.url }, {}, systemClock, { lateMs: 500 })
})

afterAll(async () => {
  await gateway.stop()
  await service.stop()
  await suite.stop()
})

/** Blocks the event loop as long work does, but leaves the processor to the other tests. */
function blockEventLoop(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('an overloaded gateway rejects requests that need a service, and recovers', async () => {
  const status = async (path: string, method = 'GET') => (await fetch(gateway.url + path, { method })).status
  expect(await status('/products')).toBe(200)
  let round = 0
  const rejected = await waitFor('a rejected request', async () => {
    blockEventLoop(650)
    round++
    const responses = await Promise.all(
      ['/carts/x', '/products', '/healthz', `/products/${round}`].map((path) => status(path)),
    )
    return responses[0] === 503 && responses
  })
  expect(rejected).toEqual([503, 200, 200, 503])
  await waitFor('the gateway to recover', async () => (await status('/carts/x')) === 200)
})

test('a gateway at its limit of running requests rejects more at once, and responds to those it accepted', async () => {
  const waiting: (() => void)[] = []
  const respond: Handler = (_request, response) => json(response, 200, {}, { 'cache-control': PUBLIC_CACHE_CONTROL })
  const busy = await startService((request, response) => waiting.push(() => respond(request, response)))
  const urls = { catalog: service.url, cart: busy.url, orders: busy.url }
  const full = await runGateway(suite, urls, { UPSTREAM_TIMEOUT_MS: '20000' }, systemClock, { requestsUnderWay: 60 })
  const send = (path: string, init: RequestInit = {}) => fetch(full.url + path, init)
  expect((await send('/products')).status).toBe(200)
  const taken = Array.from({ length: 60 }, (_, index) => send(index % 2 === 0 ? '/carts/x' : '/orders/x'))
  await waitFor('all requests to be in progress', () => waiting.length === 60)
  let responded = 0
  for (const each of taken) void each.then(() => responded++)
  const rejected = await Promise.all([
    send('/carts/x'),
    send('/carts', { method: 'POST', body: '{}' }),
    send('/categories'),
    send('/openapi.json'),
  ])
  expect(responded).toBe(0)
  for (const response of rejected) {
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    expect(ErrorBody.parse(await response.json()).code).toBe('service_unavailable')
  }
  expect([(await send('/products')).status, (await send('/healthz')).status]).toEqual([200, 200])
  for (const finish of waiting) finish()
  for (const response of await Promise.all(taken)) {
    expect(response.status).toBe(200)
    await response.text()
  }
  busy.respond = respond
  await waitFor('a free slot', async () => (await send('/carts/x')).status === 200)
  // A client that disconnects frees its slot too.
  const abort = new AbortController()
  waiting.length = 0
  busy.respond = (request, response) => waiting.push(() => respond(request, response))
  const left = Array.from({ length: 60 }, () => send('/carts/x', { signal: abort.signal }).catch(() => undefined))
  await waitFor('all requests to be in progress again', () => waiting.length === 60)
  expect((await send('/orders/x')).status).toBe(503)
  abort.abort()
  await Promise.all(left)
  busy.respond = respond
  await waitFor('a free slot again', async () => (await send('/orders/x')).status === 200)
  await full.stop()
  await busy.stop()
})

test('a gateway without memory for more large requests still responds to them from its cache', async () => {
  const waiting: (() => void)[] = []
  const busy = await startService((_request, response) => waiting.push(() => json(response, 200, {})))
  const full = await runGateway(suite, { catalog: service.url, cart: busy.url }, { UPSTREAM_TIMEOUT_MS: '20000' })
  const send = (path: string, headers: Record<string, string> = {}) => fetch(full.url + path, { headers })
  const query = `?q=${'a'.repeat(400)}`
  expect((await send(`/products${query}`)).status).toBe(200)
  // Together all but a few of the 8 MiB.
  const held = Array.from({ length: 64 }, () => send(`/carts/x?q=${'a'.repeat(130_800)}`))
  await waitFor('all requests to be in progress', () => waiting.length === 64)
  const large = { cookie: `c=${'a'.repeat(16_100)}` }
  expect((await send(`/carts/x${query}`, large)).status).toBe(503)
  const cached = await send(`/products${query}`, large)
  expect([cached.status, cached.headers.get('x-cache')]).toEqual([200, 'HIT'])
  for (const respond of waiting) respond()
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual(Array.from(held, () => 200))
  await full.stop()
  await busy.stop()
})
