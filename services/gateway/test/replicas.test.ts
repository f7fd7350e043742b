import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ADDED_KEY_HEADER, REPEATED_HEADER } from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { echo, json, runGateway, startService, type TestGateway, type TestService } from './setup.ts'

let suite: Suite
let first: TestService
let second: TestService
let gateway: TestGateway

beforeAll(async () => {
  suite = await createSuite()
})

afterAll(() => suite.stop())

beforeEach(async () => {
  first = await startService(echo)
  second = await startService(echo)
  gateway = await runGateway(suite, { cart: `${first.url},${second.url}`, orders: `${first.url},${second.url}` })
})

afterEach(async () => {
  await gateway.stop()
  await Promise.all([first.stop(), second.stop()])
})

const post = (path: string) => fetch(gateway.url + path, { method: 'POST', body: '{}' })
const requests = () => [...first.requests, ...second.requests]
const breakOnce = () => {
  let broken = false
  for (const replica of [first, second]) {
    replica.respond = (request, response) => {
      if (broken) return echo(request, response)
      broken = true
      request.socket.destroy()
    }
  }
}

test('replicas get equal shares of the requests, on persistent connections', async () => {
  for (let count = 0; count < 20; count++) expect((await fetch(`${gateway.url}/carts/cart_1`)).status).toBe(200)
  expect([first.requests.length, second.requests.length]).toEqual([10, 10])
  for (const replica of [first, second]) {
    expect(new Set(replica.requests.map(({ socket }) => socket)).size).toBeLessThan(10)
  }
})

test('a write whose replica is unreachable goes to another one, even if it is not idempotent', async () => {
  await first.stop()
  for (let count = 0; count < 6; count++) expect((await post('/admin/discounts')).status).toBe(200)
  expect(second.requests).toHaveLength(6)
  await first.start()
})

test('a change of a cart whose replica disconnects is retried on another one, with the same key', async () => {
  breakOnce()
  expect((await post('/carts/cart_1/lines')).status).toBe(200)
  const keys = new Set(requests().map(({ headers }) => headers['idempotency-key']))
  expect(requests()).toHaveLength(2)
  expect([...keys]).toEqual([expect.stringMatching(/^[\w-]{36}$/)])
})

test('a checkout gets a key when nothing else identifies the client that retries', async () => {
  const keysOf = async (path: string, headers: Record<string, string> = {}) => {
    for (const { requests: before } of [first, second]) before.length = 0
    breakOnce()
    expect((await fetch(gateway.url + path, { method: 'POST', body: '{}', headers })).status).toBe(200)
    const sent = requests().map((request) => request.headers['idempotency-key'])
    expect(sent).toHaveLength(2)
    return [...new Set(sent)]
  }
  const ours = [expect.stringMatching(/^[\w-]{36}$/)]
  for (const path of ['/carts/cart_1/checkout', '/checkout/sessions']) {
    expect(await keysOf(path)).toEqual(ours)
    expect(await keysOf(path, { cookie: '_ga=1; store_browser=no-id' })).toEqual(ours)
    expect(await keysOf(path, { cookie: `store_browser=${'b'.repeat(27)}` })).toEqual(ours)
    for (const name of ['store_browser', '__Host-store_browser']) {
      for (const id of ['b'.repeat(27), `${'b'.repeat(27)}.${'c'.repeat(27)}`]) {
        expect(await keysOf(path, { cookie: `_ga=1; ${name}=${id}.${'s%2B'.repeat(11)}` })).toEqual([undefined])
      }
    }
    expect(await keysOf(path, { 'idempotency-key': 'mine' })).toEqual(['mine'])
  }
})

test('only a key that the gateway added is marked as such', async () => {
  const markOf = async (headers: Record<string, string>) => {
    for (const { requests: before } of [first, second]) before.length = 0
    await fetch(`${gateway.url}/carts/cart_1/checkout`, { method: 'POST', body: '{}', headers })
    return requests()[0]?.headers[ADDED_KEY_HEADER]
  }
  expect(await markOf({})).toBe('1')
  expect(await markOf({ 'idempotency-key': 'mine' })).toBeUndefined()
  expect(await markOf({ 'idempotency-key': 'mine', [ADDED_KEY_HEADER]: '1' })).toBeUndefined()
})

test('a retried checkout has a header that reports the end of the first attempt, which no client can set', async () => {
  breakOnce()
  const response = await fetch(`${gateway.url}/carts/cart_1/checkout`, {
    method: 'POST',
    body: '{}',
    headers: { [REPEATED_HEADER]: '1' },
  })
  expect(response.status).toBe(200)
  expect(
    requests()
      .map(({ headers }) => String(headers[REPEATED_HEADER]))
      .toSorted((one, other) => one.localeCompare(other)),
  ).toEqual(['1', 'undefined'])
})

test('a request that may have been executed, and is not idempotent, is not retried', async () => {
  breakOnce()
  expect((await post('/admin/discounts')).status).toBe(503)
  expect(requests()).toHaveLength(1)
})

test('a request that one replica cannot serve is retried on another one, if it is idempotent', async () => {
  const reject = () => {
    for (const replica of [first, second]) replica.requests.length = 0
    first.respond = (_request, response) =>
      json(response, 503, { code: 'service_unavailable', message: 'no', requestId: 'r' })
  }
  reject()
  const responses = await Promise.all(Array.from({ length: 4 }, () => fetch(`${gateway.url}/carts/cart_1`)))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect([first.requests.length, second.requests.length]).toEqual([2, 4])
  reject()
  const writes = await Promise.all(Array.from({ length: 4 }, () => post('/admin/discounts')))
  expect(writes.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 200, 503, 503])
  expect(requests()).toHaveLength(4)
})

test('a request that no replica can serve gets the error of the service', async () => {
  for (const replica of [first, second]) {
    replica.respond = (_request, response) =>
      json(response, 503, { code: 'service_unavailable', message: 'no', requestId: 'r' })
  }
  const response = await fetch(`${gateway.url}/carts/cart_1`)
  expect([response.status, await response.json()]).toMatchObject([503, { message: 'no' }])
  expect([first.requests.length, second.requests.length]).toEqual([1, 1])
})

test('a request that one replica rejects and another leaves without a response gets 503', async () => {
  let isRejected = false
  for (const replica of [first, second]) {
    replica.respond = (_request, response) => {
      if (isRejected) return
      isRejected = true
      json(response, 503, { code: 'service_unavailable', message: 'no', requestId: 'r' })
    }
  }
  const response = await fetch(`${gateway.url}/carts/cart_1`)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect(requests()).toHaveLength(2)
})

test('a replica that is about to stop gets no requests, even before one fails', async () => {
  await fetch(`${gateway.url}/carts/cart_1`)
  await fetch(`${gateway.url}/carts/cart_1`)
  expect([first.requests.length, second.requests.length]).toEqual([1, 1])
  first.beginStop()
  await waitFor('the gateway to notice the stop', async () => {
    await fetch(`${gateway.url}/carts/cart_1`)
    await fetch(`${gateway.url}/carts/cart_1`)
    return requests()
      .slice(-2)
      .every((request) => second.requests.includes(request))
  })
  const before = first.requests.length
  for (let count = 0; count < 10; count++) expect((await post('/admin/discounts')).status).toBe(200)
  expect(first.requests).toHaveLength(before)
  await first.stop()
  await first.start()
  await waitFor('the replica to be used again', async () => {
    await fetch(`${gateway.url}/carts/cart_1`)
    return first.requests.length > before
  })
})

test('a request to a replica whose machine vanishes is broken off and sent to another one, and so are later ones', async () => {
  const vanishing = await startService((_request, _response) => vanishing.vanish(), { linesEveryMs: 50 })
  const other = await startService(echo)
  const own = await runGateway(suite, { cart: `${vanishing.url},${other.url}`, orders: other.url })
  try {
    for (let count = 0; count < 8; count++) expect((await fetch(`${own.url}/carts/cart_1`)).status).toBe(200)
    expect([vanishing.requests.length, other.requests.length]).toEqual([1, 8])
  } finally {
    await own.stop()
    await Promise.all([vanishing.stop(), other.stop()])
  }
})
