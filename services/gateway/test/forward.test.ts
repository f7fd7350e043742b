import { PUBLIC_CACHE_CONTROL } from '@storefront/http/testing'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { ErrorBody } from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import {
  Echo,
  echo,
  json,
  portOf,
  runGateway,
  sendRaw,
  startIdentity,
  startService,
  type Handler,
  type TestGateway,
  type TestService,
} from './setup.ts'

let suite: Suite
let cart: TestService
let orders: TestService
let catalog: TestService
let gateway: TestGateway

beforeAll(async () => {
  suite = await createSuite()
  cart = await startService(echo)
  orders = await startService(echo)
  catalog = await startService(echo)
  gateway = await runGateway(suite, { cart: cart.url, orders: orders.url, catalog: catalog.url })
})

afterAll(async () => {
  await gateway.stop()
  await Promise.all([cart.stop(), orders.stop(), catalog.stop()])
  await suite.stop()
})

beforeEach(() => {
  for (const service of [cart, orders, catalog]) {
    service.respond = echo
    service.requests.length = 0
  }
})

async function seen(path: string, init?: RequestInit): Promise<z.output<typeof Echo>> {
  const response = await fetch(gateway.url + path, init)
  expect(response.status).toBe(200)
  return Echo.parse(await response.json())
}

/** A body that is sent without a Content-Length. */
function inPieces(bytes: Buffer): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
}

describe('a request through the gateway', () => {
  test('reaches the service that owns its path, with method, query and body as they were sent', async () => {
    const posted = await seen('/carts/cart_1/lines?x=%20a+b', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k1' },
      body: '{"variant_id" : "var_1"}',
    })
    expect(posted).toMatchObject({
      method: 'POST',
      url: '/carts/cart_1/lines?x=%20a+b',
      body: '{"variant_id" : "var_1"}',
    })
    expect(posted.headers).toMatchObject({ 'content-type': 'application/json', 'idempotency-key': 'k1' })
    await seen('/carts/cart_1/checkout', { method: 'POST', body: '{}' })
    expect(orders.requests.map((request) => request.url)).toEqual(['/carts/cart_1/checkout'])
  })

  test('keeps the exact bytes of a signed webhook, with any framing and any content type', async () => {
    const body = Buffer.from('\u00e9 {"a" :1}\r\n\0\xff', 'latin1')
    const types = [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain; charset=utf-16' }]
    for (const type of types) {
      const headers = { ...type, 'content-encoding': 'gzip', 'x-signature': 'v1,abc=' }
      for (const sent of [{ body }, { body: inPieces(body), duplex: 'half' as const }]) {
        const received = await seen('/webhooks/stripe', { method: 'POST', headers, ...sent })
        expect(Buffer.from(received.body, 'latin1').equals(body)).toBe(true)
        expect(received.headers).toMatchObject({ 'content-encoding': 'gzip', 'x-signature': 'v1,abc=' })
        expect(received.headers['content-type']).toBe(type['content-type'])
      }
    }
  })

  test('keeps the encoding of ids and slugs', async () => {
    for (const path of ['/carts/a%2Fb%2f..', '/carts/caf%C3%A9%20%26', "/orders/a'b(c)!*", '/carts/a%252Fb']) {
      expect((await seen(path)).url).toBe(path)
    }
  })

  test.each([
    '/carts/%2e%2e/internal/openapi.json',
    '/carts//internal',
    '//internal/openapi.json',
    '/internal/openapi.json',
    '/carts/x/',
    '/carts/%zz',
    '/carts/%ff',
  ])('for %s reaches no service', async (path) => {
    const response = await sendRaw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`, gateway)
    expect(response).toMatch(/^HTTP\/1.1 404 /)
    expect(response).toContain('"code":"not_found"')
    expect(cart.requests.length + orders.requests.length + catalog.requests.length).toBe(0)
  })

  test('carries the signed caller and the real address of the client, never what the client claims', async () => {
    const { headers } = await seen('/carts/cart_1', {
      headers: {
        'x-actor': 'forged',
        'x-forwarded-for': '6.6.6.6',
        'x-forwarded-host': 'evil',
        forwarded: 'for=6.6.6.6',
        te: 'trailers',
        'x-order-token': 'tok',
        cookie: 'browser=1',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        'x-request-id': 'req-from-client',
      },
    })
    expect(gateway.verifyActor(headers['x-actor'])).toEqual({ kind: 'anonymous' })
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-order-token': 'tok',
      cookie: 'browser=1',
      'x-request-id': 'req-from-client',
      host: new URL(cart.url).host,
    })
    for (const name of ['x-forwarded-host', 'forwarded', 'te', 'accept-encoding', 'traceparent']) {
      expect(headers[name], name).toBeUndefined()
    }
  })

  test('is forwarded without the headers that its Connection header names', async () => {
    const response = await sendRaw(
      'GET /carts/cart_1 HTTP/1.1\r\nhost: x\r\nx-secret: 1\r\nconnection: close, x-secret\r\n\r\n',
      gateway,
    )
    expect(response).toMatch(/^HTTP\/1\.1 200 /)
    expect(response).not.toContain('x-secret')
    expect(cart.requests.at(-1)?.headers).not.toHaveProperty('x-secret')
  })

  test('gets a new request id, at the service and in the response, when its own is malformed', async () => {
    const response = await fetch(`${gateway.url}/carts/cart_1`, { headers: { 'x-request-id': 'a b' } })
    const id = response.headers.get('x-request-id') ?? ''
    expect(id).toMatch(/^req_[0-9a-f]{32}$/)
    expect(cart.requests[0]?.headers['x-request-id']).toBe(id)
  })

  test('without a body works with and without a content type', async () => {
    for (const headers of [{}, { 'content-type': 'application/json' }]) {
      expect(await seen('/carts/cart_1/lines/line_1', { method: 'DELETE', headers })).toMatchObject({
        method: 'DELETE',
        body: '',
      })
      expect(await seen('/carts', { method: 'POST', headers })).toMatchObject({ method: 'POST', body: '' })
    }
    const read = await seen('/carts/cart_1', { method: 'GET', headers: { 'content-type': 'application/json' } })
    expect(read).toMatchObject({ method: 'GET', body: '' })
  })

  test('may be HEAD, and may carry bodies of any type', async () => {
    const head = await fetch(`${gateway.url}/carts/cart_1`, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    expect(cart.requests[0]?.method).toBe('HEAD')
    const bytes = Buffer.from([0, 255, 13, 10])
    const posted = await seen('/webhooks/stripe', {
      method: 'POST',
      body: bytes,
      headers: { 'content-type': 'text/plain' },
    })
    expect(Buffer.from(posted.body, 'latin1')).toEqual(bytes)
  })
})

describe('the response', () => {
  test("has the service's status and headers, without those that are not for clients", async () => {
    cart.respond = (_request, response) =>
      json(
        response,
        201,
        { id: 'cart_1' },
        {
          'set-cookie': 'browser=1; HttpOnly',
          'surrogate-key': 'a',
          'surrogate-purge': 'b',
          'access-control-allow-origin': '*',
          'x-powered-by': 'x',
          location: '/carts/cart_1',
          etag: '"v1"',
        },
      )
    const response = await fetch(`${gateway.url}/carts`, { method: 'POST' })
    expect(response.status).toBe(201)
    const headers = Object.fromEntries(response.headers)
    expect(headers).toMatchObject({
      'set-cookie': 'browser=1; HttpOnly',
      'surrogate-key': 'a',
      location: '/carts/cart_1',
      etag: '"v1"',
    })
    for (const name of ['surrogate-purge', 'access-control-allow-origin', 'x-powered-by'])
      expect(headers).not.toHaveProperty(name)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', vary: 'Origin' })
  })

  test.each([204, 304, 401, 404, 405, 409, 422, 503])('has the status %i of the service', async (status) => {
    cart.respond = (_request, response) => {
      if (status === 204 || status === 304) response.writeHead(status).end()
      else json(response, status, { message: 'm', code: 'c', requestId: 'r' }, status === 405 ? { allow: 'GET' } : {})
    }
    const response = await fetch(`${gateway.url}/carts/cart_1`, { method: 'PATCH' })
    expect(response.status).toBe(status)
    expect(response.headers.get('allow')).toBe(status === 405 ? 'GET' : null)
  })

  test('is compressed when it is long text and the client accepts the encoding', async () => {
    const long = { text: 'abc '.repeat(1000) }
    cart.respond = (_request, response) => json(response, 200, long, { etag: '"v1"' })
    for (const encoding of ['br', 'gzip']) {
      const response = await fetch(`${gateway.url}/carts/cart_1`, { headers: { 'accept-encoding': encoding } })
      expect(response.headers.get('content-encoding')).toBe(encoding)
      expect(response.headers.get('vary')?.toLowerCase()).toBe('origin, accept-encoding')
      expect(response.headers.get('etag')).toBe('"v1"')
      expect(await response.json()).toEqual(long)
    }
    for (const type of ['text/html; charset=utf-8', 'text/css', 'text/javascript', 'text/csv', 'image/png']) {
      cart.respond = (_request, response) => json(response, 200, long, { 'content-type': type })
      const response = await fetch(`${gateway.url}/carts/cart_1`)
      expect(response.headers.get('content-encoding')).toBe(type === 'image/png' ? null : 'gzip')
      expect(await response.json()).toEqual(long)
    }
    cart.respond = (_request, response) => json(response, 200, long)
    const plain = await fetch(`${gateway.url}/carts/cart_1`, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    cart.respond = (_request, response) => json(response, 200, { short: true })
    const short = await fetch(`${gateway.url}/carts/cart_1`)
    expect(short.headers.get('content-encoding')).toBeNull()
  })
})

describe('a request to a failing upstream', () => {
  async function failure(path = '/carts/cart_1', init?: RequestInit) {
    const response = await fetch(gateway.url + path, init)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const body = ErrorBody.parse(await response.json())
    expect(body.requestId).toBe(response.headers.get('x-request-id'))
    return { status: response.status, code: body.code, retryAfter: response.headers.get('retry-after') }
  }

  test('gets 503 with Retry-After when the service is down, and works again when it is back', async () => {
    await cart.stop()
    expect(await failure()).toEqual({ status: 503, code: 'service_unavailable', retryAfter: '2' })
    expect(await failure('/carts', { method: 'POST', body: '{}' })).toMatchObject({ status: 503 })
    await cart.start()
    await seen('/carts/cart_1')
  })

  test('gets 503 when the service dies in the middle of a write', async () => {
    cart.respond = (request) => request.socket.destroy()
    expect(await failure('/admin/discounts', { method: 'POST', body: '{}' })).toMatchObject({ status: 503 })
    expect(cart.requests).toHaveLength(1)
  })

  test('is retried once when the connection of a read breaks', async () => {
    cart.respond = (request, response) =>
      cart.requests.length === 1 ? request.socket.destroy() : echo(request, response)
    await seen('/carts/cart_1')
    expect(cart.requests).toHaveLength(2)
  })

  test('gets 504 when the service takes too long', async () => {
    cart.respond = () => {}
    expect(await failure()).toMatchObject({ status: 504, code: 'gateway_timeout' })
  })

  test('gets 502 when the service responds with an error that is not JSON, or with bytes that are not HTTP', async () => {
    cart.respond = (_request, response) =>
      response.writeHead(500, { 'content-type': 'text/html', etag: '"x"' }).end('<b>stack</b>')
    expect(await failure()).toMatchObject({ status: 502, code: 'bad_gateway' })
    for (const nonsense of ['nonsense\r\n\r\n', 'HTTP/1.1 200 OK\r\nx-a: a\u0001b\r\ncontent-length: 0\r\n\r\n']) {
      cart.respond = (request) => request.socket.end(nonsense)
      expect(await failure()).toMatchObject({ status: 502, code: 'bad_gateway' })
    }
    cart.respond = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"half":')
      setImmediate(() => response.destroy())
    }
    expect(await failure('/carts', { method: 'POST' })).toMatchObject({ status: 503 })
  })

  test('gets an HTML error from a payment page, with the content security policy of that page', async () => {
    orders.respond = (_request, response) =>
      response
        .writeHead(404, {
          'content-type': 'text/html',
          'content-security-policy': "default-src 'none'; form-action 'self'",
        })
        .end('<p>We could not find this payment.')
    const response = await fetch(`${gateway.url}/payments/demo/demo_cs_1`)
    expect([response.status, await response.text()]).toEqual([404, '<p>We could not find this payment.'])
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; form-action 'self'")
    expect((await fetch(`${gateway.url}/payments/other`)).status).toBe(502)
  })

  test('gets 503 at once when too many requests to the same service are running, and only there', async () => {
    const waiting: (() => void)[] = []
    cart.respond = (request, response) => waiting.push(() => echo(request, response))
    const slow = await runGateway(suite, { cart: cart.url, orders: orders.url }, { UPSTREAM_TIMEOUT_MS: '20000' })
    // One connection for all of them: 512 clients would need more time than the gateway.
    const client = connect(portOf(slow.app.server.address()), '127.0.0.1').setEncoding('latin1')
    let received = ''
    client.on('data', (chunk: string) => (received += chunk)).on('error', () => {})
    client.write('GET /carts/cart_1 HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(512))
    const statuses = () => received.match(/HTTP\/1\.1 \d+/g) ?? []
    await waitFor('512 requests', () => waiting.length === 512)
    expect((await fetch(`${slow.url}/carts/cart_1`)).status).toBe(503)
    expect((await fetch(`${slow.url}/orders/order_1`)).status).toBe(200)
    for (const respond of waiting) respond()
    await waitFor('512 responses', () => statuses().length === 512)
    expect(new Set(statuses())).toEqual(new Set(['HTTP/1.1 200']))
    client.destroy()
    await waitFor('a free slot', async () => {
      const response = fetch(`${slow.url}/carts/cart_1`)
      await waitFor('the request to arrive', () => waiting.length > 512)
      waiting.splice(512).forEach((finish) => finish())
      return (await response).status === 200
    })
    await slow.stop()
  })

  test('is canceled at the service too when the client of a read disconnects', async () => {
    let closed = false
    cart.respond = (request) => request.socket.on('close', () => (closed = true))
    const abort = new AbortController()
    const pending = fetch(`${gateway.url}/carts/cart_1`, { signal: abort.signal }).catch(() => {})
    await waitFor('the request to arrive', () => cart.requests.length === 1)
    abort.abort()
    await pending
    await waitFor('the service to see the cancellation', () => closed)
    expect(cart.requests).toHaveLength(1)
  })
})

describe('a body that is too large', () => {
  async function post(path: string, init: RequestInit): Promise<number> {
    const response = await fetch(gateway.url + path, { method: 'POST', ...init })
    const body = ErrorBody.safeParse(await response.json())
    expect(body.data?.code).toBe(response.status === 413 ? 'payload_too_large' : undefined)
    return response.status
  }
  const megabytes = (count: number) => Buffer.alloc(count * 1024 * 1024, 'x')

  test('is rejected by its Content-Length', async () => {
    expect(await post('/carts', { body: megabytes(1) })).toBe(200)
    expect(await post('/carts', { body: Buffer.concat([megabytes(1), Buffer.from('x')]) })).toBe(413)
    expect(await post('/admin/import', { body: megabytes(3) })).toBe(200)
  })

  test('is rejected when it has no Content-Length', async () => {
    let parts = 3
    const body = new ReadableStream({
      pull(controller) {
        if (parts-- > 0) controller.enqueue(megabytes(1))
        else controller.close()
      },
    })
    const response = await fetch(`${gateway.url}/carts`, { method: 'POST', body, duplex: 'half' })
    expect(response.status).toBe(413)
  })

  test('is accepted as an NDJSON import, which may have any length', async () => {
    const body = new Blob([megabytes(2)]).stream()
    const headers = { 'content-type': 'application/x-ndjson' }
    const response = await fetch(`${gateway.url}/admin/import`, { method: 'POST', body, headers, duplex: 'half' })
    expect(response.status).toBe(200)
  })
})

describe('a request that the gateway rejects', () => {
  test.each([
    ['nonsense\r\n\r\n', 400, 'bad_request'],
    ['FOO /carts HTTP/1.1\r\nhost: x\r\n\r\n', 405, 'method_not_allowed'],
    ['TRACE /carts HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 405, 'method_not_allowed'],
    ['CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n', 405, 'method_not_allowed'],
    [`GET /carts/${'x'.repeat(9000)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`, 414, 'uri_too_long'],
    [`GET /products?q=${'x'.repeat(135_000)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`, 414, 'uri_too_long'],
    // From this length on, the HTTP parser rejects the request.
    [`GET /products?q=${'x'.repeat(150_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 414, 'uri_too_long'],
    [`GET /products?q=${'x'.repeat(2_000_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 414, 'uri_too_long'],
    [
      `GET /carts HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\nconnection: close\r\n\r\n`,
      431,
      'bad_request',
    ],
    [`GET /carts HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(150_000)}\r\n\r\n`, 431, 'bad_request'],
    [`GET /carts HTTP/1.1\r\nhost: x\r\n${'x-many: 1\r\n'.repeat(40_000)}\r\n`, 431, 'bad_request'],
    ['GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'bad_request'],
    ['GET /healthz HTTP/1.1\r\nhost: x\r\nHost: x\r\nconnection: close\r\n\r\n', 400, 'bad_request'],
    ['OPTIONS /carts HTTP/1.1\r\nhost: x\r\nhost: y\r\nconnection: close\r\n\r\n', 400, 'bad_request'],
    ['GET /healthz HTTP/1.0\r\nhost: x\r\nhost: y\r\n\r\n', 400, 'bad_request'],
    ['GET /nowhere HTTP/1.0\r\n\r\n', 404, 'not_found'],
    ['POST /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 405, 'method_not_allowed'],
    ['POST /carts HTTP/1.1\r\nhost: x\r\ncontent-length: abc\r\n\r\n', 400, 'bad_request'],
    ['GET /nowhere HTTP/1.1\r\nhost: x\r\nexpect: wonders\r\nconnection: close\r\n\r\n', 404, 'not_found'],
  ])('gets an error in JSON: case %#', async (text, status, code) => {
    const response = await sendRaw(text, gateway)
    expect(response).toContain(`HTTP/1.1 ${status} `)
    expect(response).toContain(`"code":"${code}"`)
  })
})

test('a client that is rejected while still sending can read the error', async () => {
  const socket = connect(portOf(gateway.app.server.address()), '127.0.0.1').setEncoding('latin1').pause()
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    // More than the buffers of both sockets hold, and no more than a busy machine reads in the second that the client has.
    socket.write(`GET /products?q=${'x'.repeat(8_000_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, () => resolve())
  })
  let response = ''
  socket.on('data', (chunk: string) => (response += chunk)).resume()
  await new Promise((resolve) => socket.on('close', resolve))
  expect(response).toMatch(/^HTTP\/1.1 414 /)
})

describe('many long addresses at once', () => {
  const long = `/products?q=${encodeURIComponent('😀').repeat(9000)}`

  test('are rejected with 503 and Retry-After as soon as they use too much memory together', async () => {
    const waiting: (() => void)[] = []
    const nothing: Handler = (_request, response) => json(response, 200, {}, { 'cache-control': PUBLIC_CACHE_CONTROL })
    catalog.respond = (request, response) => waiting.push(() => nothing(request, response))
    const slow = await runGateway(suite, { catalog: catalog.url }, { UPSTREAM_TIMEOUT_MS: '20000' })
    const responses: Response[] = []
    const send = async (address: string) => {
      const response = await fetch(slow.url + address)
      responses.push(response)
      return ErrorBody.partial().parse(await response.json())
    }
    const requests = Array.from({ length: 120 }, () => send(long))
    // Requests with eight megabytes of addresses are in progress, and the others have their response.
    await waitFor('the rejected requests', () => waiting.length === 77 && responses.length === 43)
    for (const response of responses) expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    const ordinary = send(`/products?q=${'a'.repeat(9000)}`)
    await waitFor('a request with an address of ordinary length', () => waiting.length === 78)
    for (const respond of waiting) respond()
    await ordinary
    const bodies = await Promise.all(requests)
    expect(bodies.filter(({ code }) => code === 'service_unavailable')).toHaveLength(43)
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(78)
    catalog.respond = nothing
    expect((await fetch(slow.url + long)).status).toBe(200)
    await slow.stop()
  })

  test('that do not end are cut off, the longest first, and shorter ones are not', async () => {
    const port = portOf(gateway.app.server.address())
    const open = (text: string) => {
      const socket = connect(port, '127.0.0.1').setEncoding('latin1')
      const state = { socket, received: '' }
      socket.on('data', (chunk: string) => (state.received += chunk))
      socket.on('error', () => {})
      socket.write(text)
      return state
    }
    const short = open(`GET /carts/cart_1?q=${'x'.repeat(10_000)}`)
    const slow = Array.from({ length: 400 }, () => open(`GET /products?q=${'x'.repeat(120_000)}`))
    await waitFor('the rejected requests', () => slow.filter(({ received }) => received !== '').length >= 120)
    await new Promise((resolve) => setImmediate(resolve))
    const rejected = slow.filter(({ received }) => received !== '')
    // Addresses of 32 MiB in total may stay open.
    expect(rejected.length).toBeLessThan(125)
    expect(rejected[0]?.received).toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after: 2[\s\S]*"code":"service_unavailable"/)
    short.socket.write(' HTTP/1.1\r\nhost: x\r\n\r\n')
    await waitFor('a response', () => short.received.startsWith('HTTP/1.1 200 '))
    for (const { socket } of [short, ...slow]) socket.destroy()
  })
})

test('a request whose client disconnects during the session check is not counted as running', async () => {
  const identity = await startIdentity()
  const { respond } = identity.service
  const authorization = `Bearer ${await identity.sign({})}`
  const urls = { cart: cart.url, identity: identity.service.url }

  let attempts = 0

  /** @returns undefined when the check ended too soon: a gateway waits for the keys of identity for two seconds */
  async function disconnectDuringCheck() {
    // A path of its own: requests of the attempt before may still arrive at the service.
    const path = `/carts/attempt_${++attempts}`
    const waiting: (() => void)[] = []
    identity.service.respond = (request, response) => waiting.push(() => respond(request, response))
    const fresh = await runGateway(suite, urls, { UPSTREAM_TIMEOUT_MS: '20000' })
    let arrived = 0
    let ended = false
    fresh.app.server.on('request', ({ headers, socket: accepted }) => {
      // A client of an earlier server may connect to a port that is used again.
      if (headers.authorization !== authorization) return
      arrived++
      if (arrived === 1) accepted.once('close', () => (ended = true))
    })
    const request = `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`
    const socket = connect(portOf(fresh.app.server.address()), '127.0.0.1')
    socket.on('error', () => {}).write(request.repeat(512))
    await waitFor('the maximum of running requests', () => arrived === 512)
    const slow = fetch(fresh.url + path, { headers: { authorization } })
    await waitFor('one more request', () => arrived === 513)
    socket.destroy()
    await waitFor('the connection to close', () => ended)
    for (const finish of waiting) finish()
    const { status } = await slow
    if (status === 200 && waiting.length === 1) return { fresh, path }
    await fresh.stop()
    return undefined
  }

  const { fresh, path } = await waitFor('a check that lasts until the client has disconnected', disconnectDuringCheck)
  expect(cart.requests.filter(({ url }) => url === path)).toHaveLength(1)
  expect((await fetch(fresh.url + path)).status).toBe(200)
  await fresh.stop()
  await identity.service.stop()
})

test('a gateway that stops lets running requests finish', async () => {
  const stopping = await runGateway(suite, { cart: cart.url })
  let respondNow = () => {}
  cart.respond = (request, response) => (respondNow = () => echo(request, response))
  const pending = fetch(`${stopping.url}/carts/cart_1`)
  await waitFor('the request to arrive', () => cart.requests.length === 1)
  const stopped = stopping.stop()
  await waitFor('the gateway to stop listening', () => !stopping.app.server.listening)
  respondNow()
  expect((await pending).status).toBe(200)
  await stopped
})
