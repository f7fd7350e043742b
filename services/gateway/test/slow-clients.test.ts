import { PUBLIC_CACHE_CONTROL } from '@storefront/http/testing'
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ErrorBody } from '@storefront/contracts'
import { systemClock } from '@storefront/service'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { echo, json, portOf, runGateway, startService, type TestGateway, type TestService } from './setup.ts'

const ORIGIN = 'http://localhost:5173'
const MIB = 1024 * 1024
/**
 * The timeouts of front/timeouts.ts, divided by a hundred. That of heads is shortened only where a test is about it,
 * because Node also counts the time in which a busy process does not read them.
 */
const TIMEOUTS = {
  headMs: 20_000,
  bodyMs: 600,
  bodyStallMs: 600,
  unreadMs: 600,
  checkMs: 50,
  connectionsPerAddress: 20,
}

let suite: Suite
let service: TestService
let gateway: TestGateway
let clients: Client[] = []

beforeAll(async () => {
  suite = await createSuite()
  service = await startService(echo)
  const urls = { catalog: service.url, cart: service.url }
  gateway = await runGateway(suite, urls, { UPSTREAM_TIMEOUT_MS: '20000' }, systemClock, TIMEOUTS)
})

afterAll(async () => {
  await gateway.stop()
  await service.stop()
  await suite.stop()
})

beforeEach(() => {
  service.respond = echo
  service.requests.length = 0
})

afterEach(() => {
  for (const client of clients) client.close()
  clients = []
})

interface Client {
  socket: Socket
  received: string
  closed: boolean
  send: (text: string) => void
  trickle: (text: string, everyMs: number) => void
  stopTrickling: () => void
  close: () => void
}

/** Opens a raw connection that can send any text at any time. */
function openClient(to: TestGateway = gateway): Client {
  const socket = connect(portOf(to.app.server.address()), '127.0.0.1').setEncoding('latin1')
  const trickles: NodeJS.Timeout[] = []
  const client: Client = {
    socket,
    received: '',
    closed: false,
    send: (text) => socket.write(text),
    trickle: (text, everyMs) => trickles.push(setInterval(() => socket.write(text), everyMs)),
    stopTrickling: () => trickles.forEach(clearInterval),
    close() {
      client.stopTrickling()
      socket.destroy()
    },
  }
  socket.on('data', (chunk: string) => (client.received += chunk))
  socket.on('error', () => {})
  socket.on('close', () => {
    client.closed = true
    client.close()
  })
  clients.push(client)
  return client
}

/** @param options.known whether the gateway has read the head, and with it the origin of the client */
function expectError(received: string, status: number, { code, known = true }: { code: string; known?: boolean }) {
  const [head = '', body = ''] = received.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  const lines = head.toLowerCase().split('\r\n')
  const parsed = ErrorBody.parse(JSON.parse(body))
  expect(parsed.code).toBe(code)
  expect(lines).toEqual(
    expect.arrayContaining([
      'content-type: application/json; charset=utf-8',
      'cache-control: private, no-store',
      'connection: close',
      `x-request-id: ${parsed.requestId}`,
      ...(known ? [`access-control-allow-origin: ${ORIGIN}`, 'access-control-allow-credentials: true'] : []),
    ]),
  )
}

const post = (path: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\norigin: ${ORIGIN}\r\ncontent-type: application/json\r\n${more}\r\n\r\n`

describe('a head that does not end', () => {
  test.each(['', 'GET /carts/x HTTP/1.1\r\nhost: x\r\n'])('is cut off with 408: %j', async (start) => {
    const strict = await runGateway(suite, { cart: service.url }, {}, systemClock, { ...TIMEOUTS, headMs: 200 })
    const client = openClient(strict)
    client.send(start)
    if (start !== '') client.trickle('x', 20)
    await waitFor('the connection to close', () => client.closed)
    expectError(client.received, 408, { code: 'bad_request', known: false })
    expect(service.requests).toHaveLength(0)
    await strict.stop()
  })
})

describe('an ordinary body that does not end', () => {
  test.each([
    ['announced', 'content-length: 900000', 'x'],
    ['not announced', 'transfer-encoding: chunked', '1\r\nx\r\n'],
  ])('is cut off with 408, and its request to the service ends: %s', async (_name, framing, piece) => {
    let gone = false
    service.respond = (request) => request.on('error', () => {}).socket.on('close', () => (gone = true))
    const client = openClient()
    client.send(post('/carts', framing))
    client.trickle(piece, 20)
    await waitFor('the connection to close', () => client.closed)
    expectError(client.received, 408, { code: 'bad_request' })
    await waitFor('the request to the service to end', () => gone)
    expect(service.requests).toHaveLength(1)
    service.respond = echo
    // The time limits of this gateway are so short that a busy machine may miss them once.
    const next = async (): Promise<number> =>
      (await fetch(`${gateway.url}/carts`, { method: 'POST', body: '{}' })).status
    await waitFor('the next request to be served', async () => (await next()) === 200)
  })

  test('is cut off with 408 before its service receives the request when it is small', async () => {
    const client = openClient()
    client.send(post('/carts', 'content-length: 1000'))
    client.trickle('x', 20)
    await waitFor('the connection to close', () => client.closed)
    expectError(client.received, 408, { code: 'bad_request' })
    expect(service.requests).toHaveLength(0)
  })

  test('is cut off without a second response when it already has one', async () => {
    for (const [method, path, length, status] of [
      ['POST', '/nowhere', 1000, 404],
      ['POST', '/nowhere', 100_000, 404],
      ['GET', '/carts/cart_1', 1000, 422],
      ['POST', '/carts', 100_000, 422],
      ['POST', '/carts', 10 * MIB, 413],
    ] as const) {
      service.respond = (_request, response) => json(response, 422, { message: 'no' })
      // On a busy machine the response of the service may come after the time for the body: then there is only a 408.
      const received = await waitFor('a response before the time for the body is over', async () => {
        const client = openClient()
        client.send(post(path, `content-length: ${length}`).replace('POST', method))
        client.trickle('x', 20)
        await waitFor('the connection to close', () => client.closed)
        expect(client.received.split('HTTP/1.1 ')).toHaveLength(2)
        return client.received.startsWith('HTTP/1.1 408 ') ? undefined : client.received
      })
      expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    }
  })

  test('is cut off after a preflight too, and after a cached response', async () => {
    service.respond = (_request, response) => json(response, 200, {}, { 'cache-control': PUBLIC_CACHE_CONTROL })
    await fetch(`${gateway.url}/categories`)
    for (const method of ['OPTIONS', 'GET']) {
      const client = openClient()
      client.send(post('/categories', 'content-length: 1000').replace('POST', method))
      client.trickle('x', 20)
      await waitFor('the response', () => client.received.startsWith('HTTP/1.1 20'))
      await waitFor('the connection to close', () => client.closed)
      expect(client.received.match(/^HTTP\/1\.1 20/gm)).toHaveLength(1)
    }
  })

  test('gets 400, with the CORS headers that its head allows, when it ends too early or is malformed', async () => {
    // This gateway has its normal timeouts, because only the machine may be slow in this test.
    const slow = await runGateway(suite, { cart: service.url })
    const [halved, senseless] = [openClient(slow), openClient(slow)]
    halved.send(`${post('/carts', 'content-length: 100000')}x`)
    senseless.send(`${post('/carts', 'transfer-encoding: chunked')}1\r\nx\r\n`)
    await waitFor('both requests', () => service.requests.length === 2)
    halved.socket.end('half')
    senseless.send('no number\r\n')
    await waitFor('both connections to close', () => halved.closed && senseless.closed)
    for (const { received } of [halved, senseless]) expectError(received, 400, { code: 'bad_request' })
    const small = openClient(slow)
    small.send(`${post('/carts', 'content-length: 1000')}x`)
    small.socket.end('half')
    await waitFor('the connection to close', () => small.closed)
    expectError(small.received, 400, { code: 'bad_request' })
    expect(service.requests).toHaveLength(2)
    await slow.stop()
  })
})

describe('a large body', () => {
  test('may arrive slowly as long as data arrives', async () => {
    const client = openClient()
    client.send(post('/admin/import', 'content-length: 15'))
    client.trickle('x', 100)
    await waitFor('the response', () => client.received.includes('"body":"xxxxxxxxxxxxxxx"'))
    expect(client.received).toMatch(/^HTTP\/1.1 200 /)
  })

  test('is cut off with 408 when no more data arrives', async () => {
    const client = openClient()
    client.send(post('/admin/import', 'content-length: 100000'))
    client.send('x'.repeat(50_000))
    await waitFor('the connection to close', () => client.closed)
    expectError(client.received, 408, { code: 'bad_request' })
  })

  test('is not cut off while its service does not read it', async () => {
    const size = 24 * MIB
    let received = 0
    let pausedMs = 0
    service.respond = (request, response) => {
      const startedMs = performance.now()
      // Three times as long as a client may stall.
      setTimeout(() => {
        pausedMs = performance.now() - startedMs
        request.on('data', (chunk: Buffer) => (received += chunk.length))
        request.on('end', () => json(response, 200, { received }))
      }, 1800)
    }
    const body = Buffer.alloc(size, 'x')
    const client = openClient()
    // Before the body: `fetch` writes both after it has copied the body, which may take longer than a head may.
    client.send(post('/admin/import', `content-length: ${size}`))
    client.socket.write(body)
    await waitFor('the response', () => client.received.endsWith(`{"received":${size}}`))
    expect(client.received).toMatch(/^HTTP\/1.1 200 /)
    expect(pausedMs).toBeGreaterThan(1500)
  })
})

describe('a body that streams for longer than the timeouts', () => {
  let hasty: TestGateway
  const chunk = '4\r\nabc\n\r\n'

  beforeAll(async () => {
    const timeouts = { ...TIMEOUTS, bodyMs: 3000, largeBodyMs: 500, slowRouteMs: 500 }
    hasty = await runGateway(
      suite,
      { catalog: service.url, cart: service.url },
      { UPSTREAM_TIMEOUT_MS: '500' },
      systemClock,
      timeouts,
    )
  })

  afterAll(() => hasty.stop())

  const upload = (path: string, type: string) =>
    post(path, `transfer-encoding: chunked`).replace('application/json', type)

  test('is accepted completely as NDJSON, which has no limit', async () => {
    const client = openClient(hasty)
    const head = upload('/admin/import', 'application/x-ndjson')
    client.send(head)
    const startedMs = performance.now()
    client.trickle(chunk, 20)
    // On a busy machine fifty pieces may take longer than two seconds.
    const isLong = () => performance.now() - startedMs > 2000
    const hasManyPieces = () => client.socket.bytesWritten > head.length + 50 * chunk.length
    await waitFor('a long upload', () => (isLong() && hasManyPieces()) || client.closed)
    client.stopTrickling()
    client.send('0\r\n\r\n')
    await waitFor('the response', () => client.received.includes('"body"') || client.closed)
    expect(client.received).toMatch(/^HTTP\/1.1 200 /)
    expect(client.received.split('abc').length).toBeGreaterThan(50)
  })

  test('is cut off with 408 as NDJSON when no more data arrives', async () => {
    const client = openClient(hasty)
    client.send(upload('/admin/import', 'application/x-ndjson') + chunk)
    await waitFor('the connection to close', () => client.closed)
    expectError(client.received, 408, { code: 'bad_request' })
  })

  test('is cut off as NDJSON too when its service has responded', async () => {
    service.respond = (_request, response) => json(response, 401, { message: 'no' })
    const client = openClient(hasty)
    client.send(upload('/admin/import', 'application/x-ndjson'))
    client.trickle(chunk, 20)
    await waitFor('the connection to close', () => client.closed)
    expect(client.received).toMatch(/^HTTP\/1.1 401 /)
  })

  test('is cut off with 408 as JSON', async () => {
    const client = openClient(hasty)
    client.send(upload('/admin/import', 'application/json'))
    client.trickle(chunk, 20)
    await waitFor('the connection to close', () => client.closed)
    expectError(client.received, 408, { code: 'bad_request' })
  })

  test('leaves its service the full time for the response on an ordinary route', async () => {
    service.respond = (request, response) => {
      request.once('end', () => setTimeout(() => json(response, 200, { late: true }), 300)).resume()
    }
    const client = openClient(hasty)
    client.send(upload('/carts', 'application/json'))
    const startedMs = performance.now()
    client.trickle(chunk, 20)
    await waitFor('a long upload', () => performance.now() - startedMs > 1000 || client.closed)
    client.stopTrickling()
    client.send('0\r\n\r\n')
    await waitFor('the response', () => client.received.includes('"late"') || client.closed)
    expect(client.received).toMatch(/^HTTP\/1.1 200 /)
  })

  test.each([
    ['reads all of it and does not respond', true],
    ['does not read it', false],
  ])('gets 504 when its service %s', async (_what, reads) => {
    service.respond = (request) => void (reads && request.resume())
    // More than all sockets hold, when it is not read.
    const body = Buffer.alloc((reads ? 1 : 24) * MIB, '{}\n')
    for (const path of ['/admin/import', '/admin/import?a=1']) {
      const headers = { 'content-type': 'application/x-ndjson' }
      const send = () => fetch(hasty.url + path, { method: 'POST', headers, body, signal: AbortSignal.timeout(9000) })
      // A client that is still sending when its connection ends may fail to read the error, so it tries again.
      const response = await waitFor('a response', send)
      expect([response.status, ErrorBody.parse(await response.json()).code]).toEqual([504, 'gateway_timeout'])
    }
  })
})

describe('a client that stops reading its response', () => {
  test.each([
    ['GET', '/admin/export', ''],
    ['GET', '/admin/export', 'accept-encoding: gzip\r\n'],
    ['POST', '/admin/import', ''],
  ])('is cut off, and so is its request to the service: %s %s %s', async (method, path, more) => {
    let ended = false
    service.respond = (request, response) => {
      request.resume()
      request.socket.on('close', () => (ended = true))
      response.writeHead(200, { 'content-type': 'application/json' })
      // Cannot be compressed, so that it soon fills the buffers on its way.
      const noise = randomBytes(360_000)
      const write = () => {
        if (ended) return
        while (response.write(noise));
        response.once('drain', write)
      }
      write()
    }
    const client = openClient()
    client.socket.pause()
    client.send(`${method} ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n${more}\r\n`)
    await waitFor('the request', () => service.requests.length === 1)
    await waitFor('the request to the service to end', () => ended)
    client.socket.resume()
    await waitFor('the connection to close', () => client.closed)
    expect(client.received).not.toMatch(/0\r\n\r\n$/)
  })

  test('is cut off when the response comes from the cache', async () => {
    service.respond = (_request, response) => {
      response.writeHead(200, { 'cache-control': PUBLIC_CACHE_CONTROL, 'content-length': String(4 * MIB) })
      response.end(Buffer.alloc(4 * MIB, 'x'))
    }
    expect((await (await fetch(`${gateway.url}/media/large.bin`)).arrayBuffer()).byteLength).toBe(4 * MIB)
    let closed = false
    gateway.app.server.once('connection', (connection) => connection.once('close', () => (closed = true)))
    const client = openClient()
    client.socket.pause()
    client.send('GET /media/large.bin HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(8))
    await waitFor('the connection to close', () => closed)
  })

  test('gets all of it when it only reads slowly', async () => {
    // Longer than a pause of this process on a busy machine, in which it neither reads nor sends.
    const unreadMs = 1500
    // So large that the 6 MiB in the kernel's buffers, during which the gateway sees no progress, are read in time.
    const size = 96 * MIB
    service.respond = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': String(size) })
      response.end(Buffer.alloc(size, 'x'))
    }
    const patient = await runGateway(suite, { catalog: service.url }, {}, systemClock, { ...TIMEOUTS, unreadMs })
    const startedMs = performance.now()
    const response = await fetch(`${patient.url}/admin/export`)
    let received = 0
    for await (const chunk of response.body ?? []) {
      received += chunk.length
      // The whole response takes more than twice the timeout at this rate.
      const dueMs = startedMs + (received / size) * 2.2 * unreadMs
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
    }
    expect(received).toBe(size)
    expect(performance.now() - startedMs).toBeGreaterThan(2 * unreadMs)
    await patient.stop()
  })

  test('is not cut off while it waits for the service', async () => {
    service.respond = (request, response) => setTimeout(() => echo(request, response), 3 * TIMEOUTS.unreadMs)
    expect((await fetch(`${gateway.url}/carts/cart_1`)).status).toBe(200)
  })
})

test('an address has a limit of connections, and other addresses have their own', async () => {
  // They may send their requests late.
  const fresh = await runGateway(suite, {}, {}, systemClock, { ...TIMEOUTS, headMs: 10_000 })
  const held = Array.from({ length: 20 }, () => openClient(fresh))
  for (const client of held) client.send('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  await waitFor('their responses', () => held.every(({ received }) => received.startsWith('HTTP/1.1 200 ')))
  const late = openClient(fresh)
  await waitFor('the connection to close', () => late.closed)
  expectError(late.received, 429, { code: 'rate_limited', known: false })
  expect(late.received).toContain('retry-after: 1\r\n')
  // Only on Linux does every machine have a second loopback address.
  if (process.platform === 'linux') {
    const elsewhere = connect({
      port: portOf(fresh.app.server.address()),
      host: '127.0.0.1',
      localAddress: '127.0.0.2',
    })
    elsewhere.setEncoding('latin1').on('error', () => {})
    let received = ''
    elsewhere.on('data', (chunk: string) => (received += chunk))
    elsewhere.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    await waitFor('its response', () => received.startsWith('HTTP/1.1 200 '))
    elsewhere.destroy()
  }
  held[0]?.close()
  await waitFor('a free connection', async () => {
    const next = openClient(fresh)
    next.send('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    await waitFor('a response', () => next.closed)
    return next.received.startsWith('HTTP/1.1 200 ')
  })
  await fresh.stop()
})

test('connections are not limited behind a proxy, from which all of them come', async () => {
  const urls = { cart: service.url }
  const proxied = await runGateway(suite, urls, { TRUST_PROXY: '1' }, systemClock, { connectionsPerAddress: 2 })
  const requests = Array.from({ length: 10 }, () => fetch(`${proxied.url}/carts/cart_1`))
  expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  await proxied.stop()
})
