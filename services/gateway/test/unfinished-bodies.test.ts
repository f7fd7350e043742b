import { PUBLIC_CACHE_CONTROL } from '@storefront/http/testing'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ErrorBody } from '@storefront/contracts'
import { systemClock } from '@storefront/service'
import { amount, createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { TIMEOUTS, type Timeouts } from '../src/front/timeouts.ts'
import { Echo, echo, json, portOf, runGateway, startService, type TestGateway, type TestService } from './setup.ts'

let suite: Suite
let service: TestService
let gateway: TestGateway
const sockets: Socket[] = []

beforeAll(async () => {
  suite = await createSuite()
  service = await startService(echo)
})

afterAll(async () => {
  await service.stop()
  await suite.stop()
})

beforeEach(() => {
  service.respond = echo
  service.requests.length = 0
})

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await gateway.stop()
})

/** Starts a gateway that trusts a proxy, so that a test can send requests from any address. */
async function start(timeouts: Partial<Timeouts>): Promise<void> {
  const urls = { catalog: service.url, cart: service.url }
  const settings = { TRUST_PROXY: '1', UPSTREAM_TIMEOUT_MS: '20000' }
  gateway = await runGateway(suite, urls, settings, systemClock, timeouts)
}

const send = (path: string, address: string, init: RequestInit = {}) =>
  fetch(gateway.url + path, { ...init, headers: { 'x-forwarded-for': address } })

interface Sender {
  socket: Socket
  received: string
}

/** Begins a request, sends a part of its body, and leaves it unfinished. */
function beginBody(address: string, framing: string, start: string): Sender {
  const socket = connect(portOf(gateway.app.server.address()), '127.0.0.1').setEncoding('latin1')
  const sender: Sender = { socket, received: '' }
  socket.on('data', (chunk: string) => (sender.received += chunk)).on('error', () => {})
  socket.write(`POST /carts HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\n${framing}\r\n\r\n${start}`)
  sockets.push(socket)
  return sender
}

/** In a quick run the gateway has a quarter of its limits, which a quarter of the connections reaches. */
const SHARE = amount({ quick: 1 / 4, long: 1 })
const LIMITS = {
  requestsUnderWay: TIMEOUTS.requestsUnderWay * SHARE,
  uploadsUnderWay: TIMEOUTS.uploadsUnderWay * SHARE,
  uploadsPerAddress: TIMEOUTS.uploadsPerAddress * SHARE,
  requestsPerAddress: TIMEOUTS.requestsPerAddress * SHARE,
}

const connections = () =>
  new Promise<number>((resolve) => gateway.app.server.getConnections((_error, count) => resolve(count)))

describe('unfinished bodies', () => {
  test.each([
    ['small ones', 'content-length: 1000', ''],
    ['small bodies that have begun', 'content-length: 1000', 'x'],
    ['large ones', 'content-length: 900000', 'x'],
    ['bodies of unknown length', 'transfer-encoding: chunked', '1\r\nx\r\n'],
  ])('from several addresses do not block other clients: %s', async (_what, framing, firstBytes) => {
    await start(LIMITS)
    const held: Sender[] = []
    // The number that the gateway accepts at once, in portions that fit into its backlog.
    for (let client = 0; client < 8; client++) {
      for (let index = 0; index < LIMITS.requestsUnderWay / 8; index++)
        held.push(beginBody(`192.0.2.${client}`, framing, firstBytes))
      await waitFor('the connections', async () => (await connections()) >= held.length)
    }
    const buy = () => send('/carts', '203.0.113.1', { method: 'POST', body: '{"mine":1}' })
    for (let round = 0; round < amount({ quick: 3, long: 10 }); round++) {
      const bought = await buy()
      expect(bought.status).toBe(200)
      expect(Echo.parse(await bought.json()).body).toBe('{"mine":1}')
      expect((await send('/carts/cart_1', '203.0.113.1')).status).toBe(200)
    }
  })

  test('from one address leave capacity for the uploads of others', async () => {
    await start({})
    const held = Array.from({ length: 300 }, () => beginBody('192.0.2.1', 'transfer-encoding: chunked', '1\r\nx\r\n'))
    const rejected = () => held.filter(({ received }) => received.startsWith('HTTP/1.1 503 ')).length
    await waitFor('the rejected uploads', () => rejected() === 300 - TIMEOUTS.uploadsPerAddress)
    const upload = await send('/carts', '203.0.113.1', { method: 'POST', body: 'y'.repeat(20_000) })
    expect(upload.status).toBe(200)
    expect(Echo.parse(await upload.json()).body).toHaveLength(20_000)
    expect(rejected()).toBe(300 - TIMEOUTS.uploadsPerAddress)
  })

  test('that are small reach their service once they are complete, byte for byte', async () => {
    await start({})
    const sender = beginBody('192.0.2.1', 'connection: close\r\ncontent-length: 12000', 'a')
    await waitFor('the connection', async () => (await connections()) > 0)
    expect((await send('/carts/cart_1', '192.0.2.1')).status).toBe(200)
    expect(service.requests).toHaveLength(1)
    sender.socket.write('b'.repeat(11_998))
    sender.socket.write('c')
    await waitFor('the response', () => sender.received.includes('"body"'))
    expect(sender.received).toMatch(/^HTTP\/1.1 200 /)
    expect(sender.received).toContain(`a${'b'.repeat(11_998)}c`)
    expect(service.requests[1]?.headers['content-length']).toBe('12000')
  })
})

describe('one client', () => {
  const expectLimited = async (response: Response) => {
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1'])
    expect(ErrorBody.parse(await response.json()).code).toBe('rate_limited')
  }

  test.each(['content-length: 1000', 'content-length: 100000', 'transfer-encoding: chunked'])(
    'has a limit of unfinished bodies, and others have their own: %s',
    async (framing) => {
      service.respond = (request, response) => {
        if (request.method === 'GET') json(response, 200, {}, { 'cache-control': PUBLIC_CACHE_CONTROL })
        else echo(request, response)
      }
      await start({ requestsPerAddress: 10 })
      expect((await send('/products', '192.0.2.1')).status).toBe(200)
      const held = Array.from({ length: 10 }, () => beginBody('192.0.2.1', framing, ''))
      const rejected = await waitFor('a rejected request', async () => {
        const response = await send('/carts/cart_1', '192.0.2.1')
        return response.status === 429 && response
      })
      await expectLimited(rejected)
      await expectLimited(await send('/carts', '192.0.2.1', { method: 'POST', body: '{}' }))
      expect((await send('/products', '192.0.2.1')).headers.get('x-cache')).toBe('HIT')
      expect((await send('/healthz', '192.0.2.1')).status).toBe(200)
      expect((await send('/carts', '192.0.2.2', { method: 'POST', body: '{}' })).status).toBe(200)
      held[0]?.socket.destroy()
      await waitFor('a free slot', async () => (await send('/carts/cart_1', '192.0.2.1')).status === 200)
    },
  )

  test('has a limit of requests in progress, and a /64 network of IPv6 counts as one client', async () => {
    const waiting: (() => void)[] = []
    service.respond = (request, response) => waiting.push(() => echo(request, response))
    await start({ requestsPerAddress: 10 })
    const addresses = Array.from({ length: 10 }, (_, index) => `2001:db8::${index}`)
    const requests = addresses.map((address, index) =>
      index % 2 === 0
        ? send('/carts/cart_1', address)
        : send('/carts', address, { method: 'POST', body: 'x'.repeat(index * 4000) }),
    )
    await waitFor('all requests to be in progress', () => waiting.length === 10)
    await expectLimited(await send('/carts/cart_1', '2001:db8::ff'))
    const other = send('/carts/cart_1', '2001:db8:1::1')
    await waitFor('the request of the other client', () => waiting.length === 11)
    for (const finish of waiting) finish()
    expect((await other).status).toBe(200)
    expect(new Set((await Promise.all(requests)).map(({ status }) => status))).toEqual(new Set([200]))
    service.respond = echo
    await waitFor('a free slot', async () => (await send('/carts/cart_1', '2001:db8::ff')).status === 200)
  })

  test('is not blocked by pipelined requests that it abandoned', async () => {
    await start({ requestsPerAddress: 10 })
    service.respond = (request, response) => void setTimeout(() => echo(request, response), 20)
    for (let round = 0; round < 20; round++) {
      const sender = beginBody('192.0.2.1', 'content-length: 2', '{}POST /carts HTTP/1.1\r\nhost: x\r\n')
      sender.socket.write('x-forwarded-for: 192.0.2.1\r\ncontent-length: 2\r\n\r\n{}')
      const before = service.requests.length
      await waitFor('the service to receive a request', () => service.requests.length > before)
      sender.socket.destroy()
    }
    const statuses = await waitFor('all slots to be free', async () => {
      const responses = await Promise.all(Array.from({ length: 10 }, () => send('/carts/cart_1', '192.0.2.1')))
      return responses.every(({ status }) => status === 200) && responses.map(({ status }) => status)
    })
    expect(statuses).toHaveLength(10)
  })
})

test.each(['br', 'gzip', 'identity'])(
  'a malformed body that is pipelined behind a slow request gets its error, and an %s response ends nothing else',
  async (encoding) => {
    await start({})
    const text = 'a'.repeat(10_000)
    service.respond = (request, response) =>
      request.url === '/carts/cart_1'
        ? void setTimeout(() => echo(request, response), 300)
        : json(response, 200, { text }, { 'cache-control': PUBLIC_CACHE_CONTROL })
    const socket = connect(portOf(gateway.app.server.address()), '127.0.0.1').setEncoding('latin1')
    sockets.push(socket)
    let received = ''
    socket.on('data', (chunk: string) => (received += chunk)).on('error', () => {})
    const malformed = `accept-encoding: ${encoding}\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n`
    socket.write(
      `GET /carts/cart_1 HTTP/1.1\r\nhost: x\r\n\r\nGET /products?x=${encoding} HTTP/1.1\r\nhost: x\r\n${malformed}`,
    )
    await waitFor('both responses', () => /HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 400 /.test(received))
    expect((await send('/products', '192.0.2.1')).status).toBe(200)
  },
)
