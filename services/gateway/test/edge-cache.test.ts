import { PUBLIC_CACHE_CONTROL } from '@storefront/http/testing'
import { manualClock } from '@storefront/service/testing'
import type { ServerResponse } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { Agent } from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PurgeCache, signalSubject } from '@storefront/contracts'
import { amount, createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { json, portOf, runGateway, startService, type Handler, type TestGateway, type TestService } from './setup.ts'

let suite: Suite
let catalog: TestService
let gateway: TestGateway
let nats: NatsConnection
let agent: Agent
let version = 1
const clock = manualClock('2026-01-05T10:00:00.000Z')

/** A catalog of one product, whose state is a number. */
const products: Handler = (request, response) => {
  if (request.method === 'GET') sendVersion(response, version)
  else {
    version++
    json(response, 200, { ok: true }, { 'surrogate-purge': 'product:shirt listing' })
  }
}

function sendVersion(response: ServerResponse, shown: number, more: Record<string, string> = {}): void {
  json(
    response,
    200,
    { version: shown, text: 'abc '.repeat(600) },
    {
      'cache-control': PUBLIC_CACHE_CONTROL,
      'surrogate-key': 'product:shirt listing',
      etag: `"v${shown}"`,
      ...more,
    },
  )
}

beforeAll(async () => {
  suite = await createSuite()
  catalog = await startService(products)
  gateway = await runGateway(suite, { catalog: catalog.url }, {}, clock)
  const url = new URL(suite.env('catalog')['NATS_URL'] ?? '')
  nats = await connect({ servers: url.host, user: url.username, pass: decodeURIComponent(url.password) })
  agent = new Agent()
})

afterAll(async () => {
  await agent.destroy()
  await nats.close()
  await gateway.stop()
  await catalog.stop()
  await suite.stop()
})

beforeEach(() => {
  catalog.respond = products
  catalog.requests.length = 0
})

afterEach(() => {
  // After a day, no response that one test has stored can be served in the next one, not even stale.
  clock.advance(24 * 3600_000)
})

async function get(path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const response = await agent.request({ origin: gateway.url, path, method, headers })
  const bytes = Buffer.from(await response.body.arrayBuffer())
  const header = (name: string) => response.headers[name]?.toString()
  const body = header('content-encoding') === undefined ? bytes.toString() : ''
  const shown = /"version":(\d+)/.exec(body)?.[1]
  return { status: response.statusCode, header, cache: header('x-cache'), bytes, body, version: Number(shown) }
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`there is no item ${index}`)
  return item
}

test('responses that clients do not read are streamed and not stored when the memory for them is full', async () => {
  const small = await runGateway(suite, { catalog: catalog.url }, {}, clock, { bufferedBytes: 4 * 1024 * 1024 })
  const text = 'a'.repeat(1024 * 1024)
  catalog.respond = (_request, response) => json(response, 200, { text }, { 'cache-control': PUBLIC_CACHE_CONTROL })
  const outcome = async (path: string) => {
    const response = await fetch(small.url + path)
    expect(await response.json()).toEqual({ text })
    return response.headers.get('x-cache')
  }
  const idle = connectSocket(portOf(small.app.server.address()), '127.0.0.1').on('error', () => {})
  idle.pause()
  let reads = 0
  expect(await outcome('/products/old')).toBe('MISS')
  // The first responses fit into the buffers of the system.
  await waitFor('the memory to be full', async () => {
    idle.write(`GET /products/unread-${reads} HTTP/1.1\r\nhost: x\r\n\r\n`)
    return (await outcome(`/products/read-${reads++}`)) === 'BYPASS'
  })
  // Stored responses stay in the store, although they cannot be refreshed now.
  clock.advance(61_000)
  for (let reads = 0; reads < 5; reads++) expect(await outcome('/products/old')).toBe('STALE')
  // The first request, and one that did not fit in memory.
  expect(catalog.requests.filter(({ url }) => url === '/products/old')).toHaveLength(2)
  idle.destroy()
  await waitFor('the memory to be free', async () => (await outcome(`/products/read-${reads++}`)) === 'MISS')
  expect(await outcome(`/products/read-${reads - 1}`)).toBe('HIT')
  await small.stop()
})

describe('the response of a public route', () => {
  test('is requested once and then served from the cache, with its age and for every visitor', async () => {
    const first = await get('/products/shirt')
    expect(first).toMatchObject({ status: 200, cache: 'MISS' })
    clock.advance(5500)
    const second = await get('/products/shirt', { authorization: 'Bearer a.b.c', cookie: 'browser=1' })
    expect(second).toMatchObject({ cache: 'HIT', body: first.body })
    expect(second.header('age')).toBe('5')
    expect(second.header('surrogate-key')).toBe('product:shirt listing')
    expect(second.header('cache-control')).toBe(PUBLIC_CACHE_CONTROL)
    expect(second.header('vary')).toBe('Origin, Accept-Encoding')
    expect(catalog.requests).toHaveLength(1)
    const headers = catalog.requests[0]?.headers
    expect(gateway.verifyActor(String(headers?.['x-actor']))).toEqual({ kind: 'anonymous' })
    expect(Object.keys(headers ?? {})).not.toContain('authorization')
    expect(Object.keys(headers ?? {})).not.toContain('cookie')
  })

  test('is served for HEAD too', async () => {
    const first = await get('/products/shirt', {}, 'HEAD')
    expect(first).toMatchObject({ status: 200, cache: 'MISS', body: '' })
    const second = await get('/products/shirt', {}, 'HEAD')
    expect(second).toMatchObject({ cache: 'HIT', body: '' })
    expect(Number(second.header('content-length'))).toBeGreaterThan(2000)
    expect(catalog.requests.map((request) => request.method)).toEqual(['GET'])
  })

  test('is the same for any order of the parameters', async () => {
    await get('/products?b=2&a=1')
    expect((await get('/products?a=1&b=2&a=3')).cache).toBe('HIT')
    expect(catalog.requests.map((request) => request.url)).toEqual(['/products?a=1&b=2'])
  })

  test('is not sent again to a client that has it', async () => {
    await get('/products/shirt')
    for (const tag of ['"v1"', 'W/"v1"', '"other", "v1"', 'W/"other",W/"v1"', '"with,comma" , "v1"', '*'].map((text) =>
      text.replace('v1', `v${version}`),
    )) {
      const response = await get('/products/shirt', { 'if-none-match': tag })
      expect(response).toMatchObject({ status: 304, body: '', cache: 'HIT' })
      expect(response.header('cache-control')).toBe(PUBLIC_CACHE_CONTROL)
    }
    for (const tag of ['"other"', `v${version}`, `"v${version}0"`, `"v${version}-gz"`, '"*"', '']) {
      expect((await get('/products/shirt', { 'if-none-match': tag })).status, tag).toBe(200)
    }
  })

  describe('has the same headers in a 304 as in a 200', () => {
    const ENCODINGS = ['', 'identity', 'gzip', 'br', 'gzip, br', 'br;q=0, gzip', '*', 'deflate']
    const long = `/products?q=${encodeURIComponent('😀').repeat(9000)}`
    const purge = (path: string) =>
      agent.request({ origin: gateway.url, path, method: 'PATCH', body: '{}' }).then(({ body }) => body.dump())
    /** What the cache holds when the client sends its conditional request. */
    const SITUATIONS: Record<string, { path: string; before: () => Promise<unknown> }> = {
      'cached in every encoding': {
        path: '/products/shirt',
        before: () =>
          Promise.all(['', 'gzip', 'br'].map((each) => get('/products/shirt', { 'accept-encoding': each }))),
      },
      'cached without compression': {
        path: '/products/shirt',
        before: async () => (clock.advance(3600_000), get('/products/shirt')),
      },
      'past its max-age': { path: '/products/shirt', before: async () => clock.advance(120_000) },
      'too old to be served': { path: '/products/shirt', before: async () => clock.advance(3600_000) },
      purged: {
        path: '/products/shirt',
        // The product was changed and changed back.
        before: async () => {
          await purge('/admin/products/shirt')
          version--
        },
      },
      'not cached': { path: long, before: async () => {} },
    }
    test.each(Object.keys(SITUATIONS))('when it is %s', async (name) => {
      const situation = SITUATIONS[name]
      if (!situation) throw new Error('no such situation')
      const { path, before } = situation
      for (const encoding of ENCODINGS) {
        for (const method of ['GET', 'HEAD'] as const) {
          const accept = { 'accept-encoding': encoding }
          const whole = await get(path, accept, method)
          const tag = whole.header('etag') ?? ''
          expect(whole.status).toBe(200)
          for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
            await before()
            const unchanged = await get(path, { ...accept, 'if-none-match': known }, method)
            expect(unchanged, `${method} ${encoding} ${known}`).toMatchObject({ status: 304, body: '' })
            for (const header of ['etag', 'vary', 'cache-control', 'surrogate-key']) {
              expect(unchanged.header(header), `${method} ${encoding} ${known}`).toBe(whole.header(header))
            }
            expect([unchanged.header('content-type'), unchanged.header('content-encoding')]).toEqual([
              undefined,
              undefined,
            ])
          }
        }
      }
    })

    test('and is sent to a client that has it in another encoding', async () => {
      const tags = { identity: `"v${version}"`, gzip: `"v${version}-gz"`, br: `"v${version}-br"` }
      for (const [encoding, tag] of Object.entries(tags)) {
        const others = Object.values(tags).filter((other) => other !== tag)
        const response = await get('/products/shirt', {
          'accept-encoding': encoding,
          'if-none-match': others.join(', '),
        })
        expect(response.status, encoding).toBe(200)
        expect(response.header('etag')).toBe(tag)
      }
    })
  })

  test('has the same headers for HEAD as for GET, in every encoding', async () => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      clock.advance(3600_000)
      const head = await get('/products/shirt', { 'accept-encoding': encoding }, 'HEAD')
      const whole = await get('/products/shirt', { 'accept-encoding': encoding })
      expect(head.bytes).toHaveLength(0)
      expect(head.header('content-length')).toBe(String(whole.bytes.length))
      for (const name of ['etag', 'vary', 'content-encoding', 'content-type', 'cache-control'])
        expect(head.header(name)).toBe(whole.header(name))
    }
  })

  test('is compressed once in each encoding that a client accepts, each with its own ETag', async () => {
    const plain = await get('/products/shirt', { 'accept-encoding': 'identity' })
    const br = await get('/products/shirt', { 'accept-encoding': 'gzip, br' })
    const gzip = await get('/products/shirt', { 'accept-encoding': 'gzip' })
    expect(brotliDecompressSync(br.bytes).toString()).toBe(plain.body)
    expect(gunzipSync(gzip.bytes).toString()).toBe(plain.body)
    expect([plain, br, gzip].map((response) => response.header('etag'))).toEqual([
      `"v${version}"`,
      `"v${version}-br"`,
      `"v${version}-gz"`,
    ])
    expect(br.header('content-encoding')).toBe('br')
    const again = await get('/products/shirt', { 'accept-encoding': 'br' })
    expect(again.bytes.equals(br.bytes)).toBe(true)
    expect(catalog.requests).toHaveLength(1)
  })

  test('is requested once when many clients request it at the same time', async () => {
    const waiting: ServerResponse[] = []
    catalog.respond = (_request, response) => waiting.push(response)
    const requests = Array.from({ length: 50 }, () => get('/products/shirt'))
    await waitFor('the single request', () => waiting.length === 1)
    await new Promise((resolve) => setImmediate(resolve))
    for (const response of waiting) sendVersion(response, 7)
    const responses = await Promise.all(requests)
    expect(responses.every((response) => response.version === 7)).toBe(true)
    expect(catalog.requests).toHaveLength(1)
  })

  test('is requested for each visitor with their own credentials when it is private', async () => {
    catalog.respond = (request, response) =>
      json(
        response,
        200,
        { x: 1 },
        { 'cache-control': 'private, no-store', vary: 'x', 'x-saw': String(request.headers.authorization) },
      )
    for (const bearer of ['one', 'two']) {
      const response = await get('/products/shirt', { authorization: `Bearer ${bearer}` })
      expect(response).toMatchObject({ status: 200, cache: 'BYPASS' })
      expect(response.header('x-saw')).toBe(`Bearer ${bearer}`)
    }
  })

  test.each([404, 422])(
    'is not cached when it is %i, and each visitor receives their own request id',
    async (status) => {
      catalog.respond = (request, response) =>
        json(
          response,
          status,
          { message: 'm', code: 'not_found', requestId: request.headers['x-request-id'] },
          { 'cache-control': 'private, no-store' },
        )
      const responses = await Promise.all(
        [1, 2, 3].map((n) => get('/products/none', { 'x-request-id': `request-${n}` })),
      )
      expect(responses.map((response) => [response.status, JSON.parse(response.body).requestId])).toEqual(
        [1, 2, 3].map((n) => [status, `request-${n}`]),
      )
      catalog.respond = products
      expect((await get('/products/none')).status).toBe(200)
    },
  )

  test('is complete for a range request, so that no client can bypass the cache with one', async () => {
    const first = await get('/products/shirt')
    const response = await get('/products/shirt', { range: 'bytes=0-1', 'if-range': '"x"' })
    expect(response).toMatchObject({ status: 200, cache: 'HIT', body: first.body })
    expect(catalog.requests).toHaveLength(1)
  })

  test.each(['a', 'é', 'न', '日', '😀'])(
    'comes from the service and is not cached for a search for 9,000 times %s',
    async (character) => {
      const path = `/products?q=${encodeURIComponent(character).repeat(9000)}`
      for (let round = 0; round < 2; round++) {
        expect(await get(path)).toMatchObject({ status: 200, cache: 'BYPASS' })
        expect(at(catalog.requests, round).url).toBe(path)
      }
    },
  )

  test('has its own ETag in each encoding even when it is not cached', async () => {
    const path = `/products?q=${'x'.repeat(9000)}`
    const tags = []
    for (const encoding of ['identity', 'gzip', 'br']) {
      const response = await get(path, { 'accept-encoding': encoding })
      expect(response.header('content-encoding') ?? 'identity').toBe(encoding)
      tags.push(response.header('etag'))
    }
    expect(tags).toEqual([`"v${version}"`, `"v${version}-gz"`, `"v${version}-br"`])
  })

  test('bypasses the cache when it is too large', async () => {
    catalog.respond = (_request, response) => {
      response.writeHead(200, { 'cache-control': PUBLIC_CACHE_CONTROL, 'content-length': String(5 * 1024 * 1024) })
      response.end(Buffer.alloc(5 * 1024 * 1024))
    }
    const large = await get('/media/large.png')
    expect(large).toMatchObject({ status: 200, cache: 'BYPASS' })
    expect(large.bytes).toHaveLength(5 * 1024 * 1024)
  })
})

describe('a response that is no longer fresh', () => {
  test('is served at once and refreshed once in the background', async () => {
    const before = await get('/products/shirt')
    version++
    clock.advance(61_000)
    const stale = await Promise.all(Array.from({ length: 20 }, () => get('/products/shirt')))
    expect(stale[0]).toMatchObject({ cache: 'STALE', version: before.version })
    await waitFor('the new state', async () => {
      const response = await get('/products/shirt')
      return response.cache === 'HIT' && response.version === version
    })
    expect(catalog.requests).toHaveLength(2)
  })

  test('is fetched again before it is served when it is too old', async () => {
    await get('/products/shirt')
    version++
    clock.advance(661_000)
    expect(await get('/products/shirt')).toMatchObject({ cache: 'MISS', version })
  })

  test('is served for ten minutes while the service is down or failing', async () => {
    const short = { 'cache-control': 'public, max-age=60' }
    catalog.respond = (_request, response) => sendVersion(response, 3, short)
    await get('/products/shirt')
    clock.advance(120_000)
    await catalog.stop()
    expect(await get('/products/shirt')).toMatchObject({ status: 200, cache: 'STALE', version: 3 })
    await catalog.start()
    catalog.respond = (_request, response) =>
      json(response, 500, { message: 'm', code: 'internal_error', requestId: 'r' })
    expect(await get('/products/shirt')).toMatchObject({ status: 200, cache: 'STALE', version: 3 })
    clock.advance(600_000)
    expect(await get('/products/shirt')).toMatchObject({ status: 500, cache: 'MISS' })
    catalog.respond = (_request, response) => response.writeHead(500).end('stack')
    expect(await get('/products/shirt')).toMatchObject({ status: 502 })
    await catalog.stop()
    expect(await get('/products/other')).toMatchObject({ status: 503 })
    await catalog.start()
  })

  test('is removed when the refresh gets a 404', async () => {
    await get('/products/shirt')
    catalog.respond = (_request, response) => json(response, 404, { message: 'm', code: 'not_found', requestId: 'r' })
    clock.advance(61_000)
    expect((await get('/products/shirt')).cache).toBe('STALE')
    await waitFor('the 404', async () => (await get('/products/shirt')).status === 404)
  })
})

test('a response that was replaced by a 404 is not served again when the service fails', async () => {
  catalog.respond = (_request, response) => sendVersion(response, 3, { 'cache-control': 'public, max-age=60' })
  await get('/products/shirt')
  clock.advance(120_000)
  catalog.respond = (_request, response) => json(response, 404, { message: 'm', code: 'not_found', requestId: 'r' })
  expect((await get('/products/shirt')).status).toBe(404)
  catalog.respond = (_request, response) =>
    json(response, 500, { message: 'm', code: 'internal_error', requestId: 'r' })
  expect((await get('/products/shirt')).status).toBe(500)
})

test('a response with must-revalidate is not served stale while the service fails', async () => {
  const strict = { 'cache-control': 'public, max-age=60, must-revalidate' }
  catalog.respond = (_request, response) => sendVersion(response, 3, strict)
  await get('/products/shirt')
  expect((await get('/products/shirt')).cache).toBe('HIT')
  clock.advance(120_000)
  catalog.respond = (_request, response) =>
    json(response, 500, { message: 'm', code: 'internal_error', requestId: 'r' })
  expect((await get('/products/shirt')).status).toBe(500)
})

describe('a purge', () => {
  async function save(): Promise<void> {
    const response = await agent.request({
      origin: gateway.url,
      path: '/admin/products/shirt',
      method: 'PATCH',
      body: '{}',
    })
    await response.body.dump()
    expect(response.headers['surrogate-purge']).toBeUndefined()
  }

  const rounds = amount({ quick: 50, long: 200 })

  test(`precedes the response to a write: a client that saves and reloads sees the new state, ${rounds} times`, async () => {
    let reading = true
    const readers = Array.from({ length: 4 }, async () => {
      while (reading) await get('/products/shirt')
    })
    try {
      for (let round = 0; round < rounds; round++) {
        await save()
        const saved = version
        expect((await get('/products/shirt')).version).toBe(saved)
      }
    } finally {
      // A failure must not leave readers behind, which would disturb every test after this one.
      reading = false
    }
    await Promise.all(readers)
  })

  test('keeps a response that was read before it out of the cache, however late it arrives', async () => {
    const slow: ServerResponse[] = []
    catalog.respond = (request, response) =>
      request.method === 'GET' ? slow.push(response) : products(request, response)
    const early = get('/products/shirt')
    await waitFor('the first read', () => slow.length === 1)
    const old = version
    await save()
    // A later request must not share the read that is in progress.
    const later = get('/products/shirt')
    await waitFor('the second read', () => slow.length === 2)
    sendVersion(at(slow, 1), version)
    expect((await later).version).toBe(version)
    sendVersion(at(slow, 0), old)
    await waitFor('the outdated read to be repeated', () => slow.length === 3)
    sendVersion(at(slow, 2), version)
    expect((await early).version).toBe(version)
    expect(await get('/products/shirt')).toMatchObject({ cache: 'HIT', version })
  })

  test('keeps a refresh that was read before it out of the cache', async () => {
    await get('/products/shirt')
    clock.advance(61_000)
    const slow: ServerResponse[] = []
    catalog.respond = (request, response) =>
      request.method === 'GET' ? slow.push(response) : products(request, response)
    const old = version
    expect((await get('/products/shirt')).cache).toBe('STALE')
    await waitFor('the refresh', () => slow.length === 1)
    await save()
    catalog.respond = products
    expect(await get('/products/shirt')).toMatchObject({ cache: 'MISS', version })
    sendVersion(at(slow, 0), old)
    await waitFor('the refresh to be repeated', () => catalog.requests.length === 5)
    expect(await get('/products/shirt')).toMatchObject({ cache: 'HIT', version })
  })

  test('does not remove responses with other keys', async () => {
    catalog.respond = (request, response) =>
      request.method === 'GET' ? sendVersion(response, 1, { 'surrogate-key': 'settings' }) : products(request, response)
    await get('/storefront')
    await save()
    expect((await get('/storefront')).cache).toBe('HIT')
  })

  test('is also received over NATS', async () => {
    await get('/products/shirt')
    nats.publish(signalSubject(suite.namespace, PurgeCache), JSON.stringify({ keys: ['listing'] }))
    await waitFor('the purge', async () => (await get('/products/shirt')).cache === 'MISS')
    expect((await get('/products/shirt')).cache).toBe('HIT')
  })

  test('is repeated for what may have been read from a standby in the meantime', async () => {
    await get('/products/shirt')
    const data = { keys: ['listing'], againAfterMs: 2000 }
    nats.publish(signalSubject(suite.namespace, PurgeCache), JSON.stringify(data))
    await waitFor('the purge', async () => (await get('/products/shirt')).cache === 'MISS')
    await waitFor('the second purge', async () => (await get('/products/shirt')).cache === 'MISS')
    expect((await get('/products/shirt')).cache).toBe('HIT')
  })
})

test('no response is cached when the cache is off', async () => {
  const plain = await runGateway(suite, { catalog: catalog.url }, { EDGE_CACHE: 'off' })
  for (let round = 0; round < 2; round++) {
    const response = await fetch(`${plain.url}/products/shirt`)
    expect([response.status, response.headers.get('x-cache')]).toEqual([200, 'BYPASS'])
    await response.arrayBuffer()
    const headers = { 'if-none-match': response.headers.get('etag') ?? '' }
    const again = await fetch(`${plain.url}/products/shirt`, { headers })
    expect([again.status, again.headers.get('etag')]).toEqual([304, response.headers.get('etag')])
  }
  expect(catalog.requests).toHaveLength(4)
  await plain.stop()
})
