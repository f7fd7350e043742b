import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ErrorBody } from '@storefront/contracts'
import { systemClock } from '@storefront/service'
import { createSuite, type Suite } from '@storefront/tools/testing'
import { echo, portOf, runGateway, sendRaw, startService, type TestGateway, type TestService } from './setup.ts'

const ORIGIN = 'http://localhost:5173'
const OTHER = 'https://evil.example'
const ID = 'req-of-the-client'

let suite: Suite
let service: TestService
let gateway: TestGateway
/** With short timeouts, for requests that do not arrive. On a busy machine a long body would be too late for it. */
let hasty: TestGateway

beforeAll(async () => {
  suite = await createSuite()
  service = await startService((request, response) => {
    if (request.url === '/orders/slow') return
    if (request.url === '/orders/endless') {
      response.write('{')
      return
    }
    if (request.url === '/orders/nonsense') response.end('nonsense')
    else if (request.url === '/orders/broken') response.writeHead(500, { etag: '"x"' }).end('<b>stack</b>')
    else echo(request, response)
  })
  const limits = { RATE_LIMIT_GENERAL: '1000', RATE_LIMIT_NEWSLETTER: '1' }
  const urls = { catalog: service.url, orders: service.url, identity: service.url }
  gateway = await runGateway(suite, urls, limits)
  hasty = await runGateway(suite, urls, limits, systemClock, { bodyMs: 200, headMs: 200, checkMs: 50 })
  await sendRequest('POST /newsletter', 'content-length: 0')
})

afterAll(async () => {
  await gateway.stop()
  await hasty.stop()
  await service.stop()
  await suite.stop()
})

/** Sends a request with an origin and an id, and reads the response until the connection closes. */
async function sendRequest(
  start: string,
  more = '',
  { origin = ORIGIN, body = '', to = gateway } = {},
): Promise<string> {
  const head = `${start} HTTP/1.1\r\nhost: x\r\norigin: ${origin}\r\nx-request-id: ${ID}\r\nconnection: close\r\n`
  return sendRaw(`${head}${more === '' ? '' : `${more}\r\n`}\r\n${body}`, to)
}

function read(response: string) {
  const [head = '', ...rest] = response.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => /^([^:]+): (.*)$/.exec(line)?.slice(1) ?? [])
  return {
    status: Number(first.split(' ')[1]),
    body: rest.join('\r\n\r\n'),
    headers: Object.fromEntries(headers.map(([name = '', value = '']) => [name.toLowerCase(), value])),
    names: headers.map(([name = '']) => name.toLowerCase()),
  }
}

const PARSED: [what: string, status: number, code: string, ...request: Parameters<typeof sendRequest>][] = [
  [
    'a body whose chunk length is not a number',
    400,
    'bad_request',
    'POST /orders',
    'transfer-encoding: chunked',
    { body: 'x\r\n' },
  ],
  ['an admin route with a publishable key', 403, 'forbidden', 'GET /admin/products', 'authorization: Bearer pk_1'],
  ['an unknown route', 404, 'not_found', 'GET /nowhere'],
  ['an invalid path', 404, 'not_found', 'GET /orders/../x'],
  ['a page of the gateway that cannot be decoded', 404, 'not_found', 'GET /docs/%zz'],
  ['an unsupported method', 405, 'method_not_allowed', 'PURGE /orders'],
  ['a write to a read-only route', 405, 'method_not_allowed', 'POST /healthz', 'content-length: 0'],
  ['a body that does not arrive', 408, 'bad_request', 'POST /orders', 'content-length: 10'],
  ['an incomplete body', 408, 'bad_request', 'POST /orders', 'content-length: 10', { body: 'half' }],
  [
    'a large body of which only a part arrives',
    408,
    'bad_request',
    'POST /orders',
    'content-length: 900000',
    { body: 'half' },
  ],
  [
    'a body of two mebibytes',
    413,
    'payload_too_large',
    'POST /orders',
    'content-length: 2097152',
    { body: 'x'.repeat(2_097_152) },
  ],
  [
    'a body that turns out to be too large',
    413,
    'payload_too_large',
    'POST /orders',
    'transfer-encoding: chunked',
    { body: `200000\r\n${'x'.repeat(2_097_152)}\r\n0\r\n\r\n` },
  ],
  ['a long path', 414, 'uri_too_long', `GET /orders/${'x'.repeat(9000)}`],
  ['a long query', 414, 'uri_too_long', `GET /products?q=${'x'.repeat(135_000)}`],
  ['many parameters', 414, 'uri_too_long', `GET /products?${'x&'.repeat(1500)}`],
  ['a long header', 431, 'bad_request', 'GET /orders', `x-long: ${'x'.repeat(20_000)}`],
  ['too many attempts', 429, 'rate_limited', 'POST /newsletter', 'content-length: 0'],
  ['an upstream error that is not JSON', 502, 'bad_gateway', 'GET /orders/broken'],
  ['a service that is unavailable', 503, 'service_unavailable', 'GET /carts/cart_1'],
  [
    'a write to a service that is unavailable',
    503,
    'service_unavailable',
    'POST /carts',
    'content-length: 2',
    { body: '{}' },
  ],
  ['a service that does not respond', 504, 'gateway_timeout', 'GET /orders/slow'],
]

describe.each(PARSED)('%s', (_what, status, code, start, more = '', options = {}) => {
  test(`is rejected with ${status}, as JSON that only the shop may read and no cache may store`, async () => {
    const to = status === 408 ? hasty : gateway
    const response = read(await sendRequest(start, more, { ...options, to }))
    expect(response.status).toBe(status)
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-request-id': ID,
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-credentials': 'true',
    })
    expect(response.headers['access-control-expose-headers']).toContain('retry-after')
    expect(response.headers['vary']).toMatch(/^Origin/)
    expect(response.headers).not.toHaveProperty('etag')
    expect(new Set(response.names).size).toBe(response.names.length)
    const body = ErrorBody.parse(JSON.parse(response.body))
    expect([body.code, body.requestId]).toEqual([code, ID])
    expect(Number(response.headers['retry-after'] ?? 0) > 0).toBe([429, 503, 504].includes(status))
    expect(response.headers['allow']?.includes('GET') ?? false).toBe(status === 405)

    const other = read(await sendRequest(start, more, { ...options, origin: OTHER, to }))
    expect(other.status).toBe(status)
    expect(other.names.filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(other.headers).toMatchObject({ vary: expect.stringMatching(/^Origin/) })
  })
})

describe('input that is not a valid request', () => {
  test.each([
    ['nonsense', 400, 'bad_request', 'nonsense\r\n\r\n'],
    ['an invalid length', 400, 'bad_request', 'POST /orders HTTP/1.1\r\nhost: x\r\ncontent-length: abc\r\n\r\n'],
    [
      'two lengths',
      400,
      'bad_request',
      'POST /orders HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx',
    ],
    [
      'a length and chunks',
      400,
      'bad_request',
      'POST /orders HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['an unknown method', 405, 'method_not_allowed', 'FOO /orders HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a CONNECT request', 405, 'method_not_allowed', 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['an incomplete head', 408, 'bad_request', 'GET /orders HTTP/1.1\r\nhost: x\r\n'],
    ['an address that is too long', 414, 'uri_too_long', `GET /${'x'.repeat(150_000)} HTTP/1.1\r\nhost: x\r\n\r\n`],
    ['a header that is too long', 431, 'bad_request', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(150_000)}\r\n\r\n`],
  ])(
    '%s is rejected with %i in JSON that no cache may store, and the connection closes',
    async (_what, status, code, text) => {
      const response = read(await sendRaw(text, status === 408 ? hasty : gateway))
      expect(response.status).toBe(status)
      expect(response.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        connection: 'close',
        vary: 'Origin',
      })
      const body = ErrorBody.parse(JSON.parse(response.body))
      expect([body.code, body.requestId]).toEqual([code, response.headers['x-request-id']])
    },
  )
})

describe('invalid input after a request', () => {
  test('is rejected with 400 while the request has no response', async () => {
    const response = read(await sendRaw('GET /orders/slow HTTP/1.1\r\nhost: x\r\n\r\nGET nonsense\r\n\r\n', gateway))
    expect([response.status, response.headers['connection']]).toEqual([400, 'close'])
    ErrorBody.parse(JSON.parse(response.body))
  })

  test('never adds an error to a response that has begun', async () => {
    const socket = connect(portOf(gateway.app.server.address()), '127.0.0.1').setEncoding('latin1')
    let response = ''
    socket.on('error', () => {})
    socket.on('data', (chunk: string) => {
      if (response === '') socket.write('nonsense\r\n\r\n')
      response += chunk
    })
    socket.write('GET /orders/endless HTTP/1.1\r\nhost: x\r\n\r\n')
    await new Promise((resolve) => socket.on('close', resolve))
    expect(response).toMatch(/^HTTP\/1.1 200 /)
    expect(response).not.toContain('bad_request')
  })
})

test('a request that the gateway cannot read, because of its own fault, ends its connection and not the process', async () => {
  gateway.app.server.prependOnceListener('request', (request) => {
    const { headers } = request
    let reads = 0
    Object.defineProperty(request, 'headers', {
      get() {
        reads++
        if (reads === 1) throw new Error('a fault of ours')
        return headers
      },
    })
  })
  expect(await sendRaw('GET /orders HTTP/1.1\r\nhost: x\r\n\r\n', gateway)).toBe('')
  expect(read(await sendRequest('GET /nowhere')).status).toBe(404)
})
