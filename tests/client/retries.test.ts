import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import {
  ContractViolation,
  createStorefrontClient,
  StorefrontError,
  type StorefrontClientOptions,
} from '@storefront/client'
import { listen } from '@storefront/tools/listen'
import { failureOf } from '../support/failure-of.ts'

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A server that responds with `respond`, and records its requests. */
async function openServer(respond: (response: ServerResponse, count: number) => void) {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      seen.push({ method: request.method, url: request.url, headers: request.headers, body })
      respond(response, seen.length)
    })
  })
  const { url: baseUrl, close } = await listen(server)
  closers.push(close)
  const clientWith = (options: Partial<StorefrontClientOptions> = {}) => createStorefrontClient({ baseUrl, ...options })
  return { seen, client: clientWith(), clientWith }
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

const errorBody = (code: string) => ({ message: 'Please try again.', code, requestId: 'req_1' })
const money = { amount: 0, currency: 'USD' }
const CART = {
  id: 'cart_1',
  currency: 'USD',
  lines: [],
  subtotal: money,
  discount: money,
  shipping: money,
  tax: money,
  total: money,
  freeShippingThreshold: money,
  freeShippingRemaining: money,
}
const cartPath = { params: { path: { id: 'cart_1' } } }
const checkout = {
  ...cartPath,
  body: { email: 'ada@example.com', shipping_method: 'standard', shipping_address: { name: 'Ada' } },
}

test('a read is retried until it succeeds', async () => {
  const { client, seen } = await openServer((response, count) => {
    if (count === 1) response.destroy()
    else if (count === 2) json(response, 503, errorBody('service_unavailable'))
    else json(response, 200, CART)
  })
  expect(await client.get('/carts/{id}', cartPath)).toEqual(CART)
  expect(seen).toHaveLength(3)
})

test('a read fails after the last attempt with the error of the shop', async () => {
  const { clientWith, seen } = await openServer((response) => json(response, 503, errorBody('service_unavailable')))
  const failure = await failureOf(clientWith({ maxTries: 2 }).get('/carts/{id}', cartPath))
  expect(failure).toBeInstanceOf(StorefrontError)
  expect(failure).toMatchObject({
    code: 'service_unavailable',
    status: 503,
    requestId: 'req_1',
    message: 'Please try again.',
  })
  expect(seen).toHaveLength(2)
})

test('a checkout is retried with one Idempotency-Key and with the same body', async () => {
  const { client, seen } = await openServer((response, count) => {
    if (count === 1) response.destroy()
    else if (count === 2) json(response, 502, errorBody('bad_gateway'))
    else json(response, 200, { url: 'https://pay.example.com', id: 'cs_1', accessToken: 'secret' })
  })
  expect(await client.post('/carts/{id}/checkout', checkout)).toMatchObject({ id: 'cs_1' })
  expect(seen).toHaveLength(3)
  expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  expect(seen[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
  expect(seen.map(({ body }) => JSON.parse(body))).toEqual([checkout.body, checkout.body, checkout.body])

  await client.post('/carts/{id}/checkout', checkout)
  expect(seen[3]?.headers['idempotency-key']).not.toBe(seen[0]?.headers['idempotency-key'])
})

test('an idempotency key of the caller is kept, and makes any write retryable', async () => {
  const { client, seen } = await openServer((response, count) =>
    count === 1 ? json(response, 503, errorBody('service_unavailable')) : json(response, 200, { ok: true }),
  )
  await client.post('/newsletter', { body: { email: 'ada@example.com' }, headers: { 'idempotency-key': 'mine' } })
  expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine'])
})

test('a write without a key is never sent twice', async () => {
  const { client, seen } = await openServer((response, count) =>
    count === 1 ? response.destroy() : json(response, 503, errorBody('service_unavailable')),
  )
  expect(await failureOf(client.post('/newsletter', { body: { email: 'a@b.example' } }))).toMatchObject({
    code: 'network_error',
    status: undefined,
  })
  expect(await failureOf(client.patch('/me', { body: { firstName: 'Ada' } }))).toMatchObject({
    code: 'service_unavailable',
  })
  expect(seen).toHaveLength(2)
})

test('a permanent error is not retried', async () => {
  const { client, seen } = await openServer((response) => json(response, 404, errorBody('cart_not_found')))
  expect(await failureOf(client.get('/carts/{id}', cartPath))).toMatchObject({ code: 'cart_not_found', status: 404 })
  expect(seen).toHaveLength(1)
})

test('a call fails at once when Retry-After is longer than its deadline', async () => {
  const { clientWith, seen } = await openServer((response) =>
    json(response, 429, errorBody('rate_limited'), { 'retry-after': '3600' }),
  )
  const client = clientWith({ deadlineMs: 5000 })
  expect(await failureOf(client.get('/carts/{id}', cartPath))).toMatchObject({ code: 'rate_limited', status: 429 })
  expect(seen).toHaveLength(1)
})

test.each([
  ['before its response', () => {}],
  [
    'within its response',
    (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":'),
  ],
])('a server that hangs %s causes a timeout in every attempt', async (_where, respond) => {
  const { clientWith } = await openServer(respond)
  let tries = 0
  const send = (request: Request) => {
    tries += 1
    return fetch(request)
  }
  const hanging = clientWith({ maxTries: 2, fetch: send }).get('/carts/{id}', { ...cartPath, timeoutMs: 500 })
  expect(await failureOf(hanging)).toMatchObject({ name: 'StorefrontError', code: 'timeout', status: undefined })
  expect(tries).toBe(2)
})

test('a stream may take longer than an attempt, once it has begun', async () => {
  const { client } = await openServer((response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write('{"type":"settings"}\n')
    setTimeout(() => response.end('{"type":"end"}\n'), 1500)
  })
  const { data } = await client.http.GET('/admin/export', { parseAs: 'text', timeoutMs: 1000 })
  expect(data).toBe('{"type":"settings"}\n{"type":"end"}\n')
})

test('a file may take longer than an attempt, once it has begun, and is not requested again', async () => {
  const { client, seen } = await openServer((response) => {
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).write('number,total\n')
    setTimeout(() => response.end('SF-1001,40.00\n'), 1500)
  })
  const { data } = await client.http.GET('/admin/orders/export', { parseAs: 'text', timeoutMs: 1000 })
  expect(data).toBe('number,total\nSF-1001,40.00\n')
  expect(seen).toHaveLength(1)
})

test('the error of a proxy, which may be HTML, causes a timeout when it hangs', async () => {
  const { clientWith } = await openServer((response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).write('<h1>Oo'),
  )
  const hanging = clientWith({ maxTries: 1 }).get('/carts/{id}', { ...cartPath, timeoutMs: 500 })
  expect(await failureOf(hanging)).toMatchObject({ code: 'timeout' })
})

test('a call that is aborted fails with the given reason, and is not retried', async () => {
  const { client, seen } = await openServer(() => {})
  const controller = new AbortController()
  const call = failureOf(client.get('/carts/{id}', { ...cartPath, signal: controller.signal }))
  await expect.poll(() => seen.length).toBe(1)
  const reason = new Error('the page was left')
  controller.abort(reason)
  expect(await call).toBe(reason)
  expect(seen).toHaveLength(1)
})

test('a call that is aborted between two attempts fails at once', async () => {
  const { client, seen } = await openServer((response) =>
    json(response, 503, errorBody('service_unavailable'), { 'retry-after': '20' }),
  )
  const controller = new AbortController()
  const call = failureOf(client.get('/carts/{id}', { ...cartPath, signal: controller.signal }))
  await expect.poll(() => seen.length).toBe(1)
  controller.abort()
  expect(await call).toMatchObject({ name: 'AbortError' })
  expect(seen).toHaveLength(1)
})

test('a successful response of another shape is a contract violation that names the field', async () => {
  const broken = { ...CART, total: { amount: 12.5, currency: 'USD' } }
  const { client, clientWith } = await openServer((response) =>
    json(response, 200, broken, { 'x-request-id': 'req_2' }),
  )
  const failure = await failureOf(client.get('/carts/{id}', cartPath))
  expect(failure).toBeInstanceOf(ContractViolation)
  expect(failure).toMatchObject({
    code: 'contract_violation',
    operation: { method: 'GET', path: '/carts/{id}' },
    issues: [{ path: 'total.amount' }],
    requestId: 'req_2',
  })
  expect(String(failure)).toMatch(/GET \/carts\/\{id\} .*total\.amount: ./)
  expect(await clientWith({ validate: 'off' }).get('/carts/{id}', cartPath)).toEqual(broken)
})

test('one invalid product in a list is found', async () => {
  const list = {
    items: [{ id: 'prod_1', slug: 'shirt', title: 'Shirt', price: '12.00' }],
    total: 1,
    page: 1,
    perPage: 12,
  }
  const { client } = await openServer((response) => json(response, 200, list))
  const failure = await failureOf(client.get('/products'))
  expect(failure).toBeInstanceOf(ContractViolation)
  expect(String(failure)).toContain('items.0.price')
})

test('fields beyond the contract are accepted', async () => {
  const { client } = await openServer((response) => json(response, 200, { ...CART, giftWrap: true }))
  expect(await client.get('/carts/{id}', cartPath)).toHaveProperty('giftWrap', true)
})

test.each([
  ['a success', 200],
  ['an error', 502],
])('%s that is not JSON is a bad response', async (_what, status) => {
  const { clientWith } = await openServer((response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Oops</h1>'),
  )
  expect(await failureOf(clientWith({ maxTries: 1 }).get('/carts/{id}', cartPath))).toMatchObject({
    name: 'StorefrontError',
    code: 'bad_response',
    status,
  })
})

test('the customer’s token takes precedence over the publishable key, and its rejection is reported', async () => {
  const { clientWith, seen } = await openServer((response) => json(response, 401, errorBody('unauthenticated')))
  const reported: string[] = []
  const client = clientWith({ apiToken: 'pk_1', onUnauthenticated: ({ code }) => reported.push(code) })
  await failureOf(client.get('/me'))
  expect(reported).toEqual([])
  client.setToken('token')
  await failureOf(client.get('/me'))
  expect(reported).toEqual(['unauthenticated'])
  client.setToken(undefined)
  await failureOf(client.get('/me'))
  expect(reported).toHaveLength(1)
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer pk_1', 'Bearer token', 'Bearer pk_1'])
})

test('a rejection of the previous token is not reported after a new sign-in', async () => {
  const responses: (() => void)[] = []
  const { clientWith } = await openServer((response) =>
    responses.push(() => json(response, 401, errorBody('unauthenticated'))),
  )
  const reported: string[] = []
  const client = clientWith({ onUnauthenticated: ({ code }) => reported.push(code) })
  for (const token of ['first', 'second']) {
    const pending = failureOf(client.get('/me'))
    await vi.waitFor(() => expect(responses).toHaveLength(1), { timeout: 20_000 })
    client.setToken(token)
    responses.pop()?.()
    await pending
  }
  expect(reported).toEqual([])
})
