import { PUBLIC_CACHE_CONTROL } from '@storefront/http/testing'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SERVICE_OPENAPI_PATH } from '@storefront/http'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { json, portOf, recordedLog, runGateway, startService, type TestGateway, type TestService } from './setup.ts'

let suite: Suite
let catalog: TestService
let cart: TestService
let gateway: TestGateway

const Money = { type: 'object', properties: { amount: {} } }

function describing(paths: object, schemas: object, ready = true): Parameters<typeof startService>[0] {
  return (request, response) => {
    if (request.url === SERVICE_OPENAPI_PATH) json(response, 200, { openapi: '3.1.0', paths, components: { schemas } })
    else if (request.url === '/readyz') json(response, ready ? 200 : 503, {})
    else json(response, 200, { saw: request.url }, { 'cache-control': PUBLIC_CACHE_CONTROL })
  }
}

beforeAll(async () => {
  suite = await createSuite()
  const reference = { $ref: '#/components/schemas/Line' }
  const content = {
    'application/json': { schema: reference },
    'application/x-ndjson': { schema: { $ref: '#/components/schemas/Money' } },
  }
  const both = { description: 'Default Response', content }
  catalog = await startService(
    describing(
      {
        '/products': {
          get: {
            summary: 'List products',
            'x-errors': ['not_found', 'nonsense'],
            responses: { 200: both },
          },
        },
      },
      { Money, Line: { type: 'string' }, Unused: {} },
    ),
  )
  cart = await startService(
    describing({ '/carts/{id}': { get: { responses: { 200: both } } } }, { Money, Line: { type: 'number' } }),
  )
  gateway = await runGateway(suite, { catalog: catalog.url, cart: cart.url }, { PUBLIC_BASE_PATH: '/v1' })
})

afterAll(async () => {
  await gateway.stop()
  await Promise.all([catalog.stop(), cart.stop()])
  await suite.stop()
})

const get = (path: string) => fetch(gateway.url + path)

describe('under a base path', () => {
  test('all routes are below it, and only the probes are also outside it', async () => {
    expect(await (await get('/v1/products?x=1')).json()).toEqual({ saw: '/products?x=1' })
    expect((await get('/products')).status).toBe(404)
    expect((await get('/')).status).toBe(404)
    expect((await get('/v1')).status).toBe(200)
    expect((await get('/v1/healthz')).status).toBe(200)
    expect((await get('/healthz')).status).toBe(200)
  })

  test.each([
    ['/admin/import/import_1', '/v1/admin/import/import_1'],
    ['../done', '../done'],
    ['https://pay.example/1', 'https://pay.example/1'],
    ['//pay.example/1', '//pay.example/1'],
  ])('the location %s in a response of a service is %s to a client', async (location, shown) => {
    const { respond } = catalog
    catalog.respond = (_request, response) => json(response, 202, {}, { location })
    const response = await get('/v1/admin/import')
    catalog.respond = respond
    expect([response.status, response.headers.get('location')]).toEqual([202, shown])
  })

  test('the console opens at the address of a product whose id has encoded characters', async () => {
    // It is 503 where the console is not built.
    const { status } = await get('/v1/console')
    expect([200, 503]).toContain(status)
    for (const id of ['a%20b', 'gid%3A%2F%2Fshop%2FProduct%2F8', '%E2%82%AC', '100%25'])
      expect((await get(`/v1/console/products/${id}`)).status, id).toBe(status)
  })

  test('readiness names every service', async () => {
    const response = await get('/readyz')
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({
      ok: false,
      services: {
        catalog: 'ready',
        cart: 'ready',
        orders: 'unavailable',
        identity: 'unavailable',
        notifier: 'unavailable',
      },
    })
  })

  test('the probe for a load balancer reports this gateway alone', async () => {
    const probe = async () => (await get('/readyz/gateway')).status
    expect(await probe()).toBe(200)
    gateway.app.isStopping = true
    try {
      expect(await probe()).toBe(503)
    } finally {
      gateway.app.isStopping = false
    }
  })

  test('the OpenAPI document is in memory only once, however many clients do not read it', async () => {
    const collect: unknown = (setFlagsFromString('--expose-gc'), runInNewContext('gc'))
    const heldBytes = () => {
      if (typeof collect === 'function') collect()
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    const { length } = await (await get('/v1/openapi.json')).text()
    const before = heldBytes()
    const idle = connect(portOf(gateway.app.server.address()), '127.0.0.1').on('error', () => {})
    idle.pause()
    // Below the limit of concurrent requests.
    idle.write('GET /v1/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(400))
    await waitFor('the requests to arrive', () => idle.bytesWritten > 0 && idle.writableLength === 0)
    expect((await get('/v1/openapi.json')).status).toBe(200)
    expect(heldBytes() - before).toBeLessThan(Math.max(100 * length, 10_000_000))
    idle.destroy()
  })

  test('one OpenAPI document describes all services', async () => {
    const Document = z.looseObject({
      paths: z.record(z.string(), z.unknown()),
      components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
    })
    const document = Document.parse(await (await get('/v1/openapi.json')).json())
    expect(document).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: '/v1' }],
      'x-unavailable': ['identity', 'notifier', 'orders'],
      paths: {
        '/products': {
          get: {
            summary: 'List products',
            tags: ['Catalog'],
            responses: {
              200: { description: 'The `Line`.' },
              404: { $ref: '#/components/responses/404.not_found' },
              429: { $ref: '#/components/responses/429.rate_limited' },
            },
          },
        },
        '/carts/{id}': {
          get: {
            tags: ['Cart'],
            responses: {
              200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/cart_Line' } } } },
            },
          },
        },
      },
      components: { securitySchemes: { customer: { scheme: 'bearer' }, admin: { scheme: 'bearer' } } },
    })
    expect(Object.keys(document.components.schemas).toSorted()).toEqual(['Error', 'Line', 'Money', 'cart_Line'])
  })

  test('the document describes what endpoints receive: the fields of each type and the signature', async () => {
    const Webhook = z.object({
      post: z.looseObject({
        parameters: z.array(z.looseObject({ name: z.string() })),
        requestBody: z.looseObject({
          content: z.object({
            'application/json': z.object({
              schema: z.looseObject({
                properties: z.record(z.string(), z.unknown()),
                required: z.array(z.string()),
                // Receivers ignore unknown fields, because a later version may add some.
                additionalProperties: z.undefined().optional(),
              }),
            }),
          }),
        }),
      }),
    })
    const { webhooks } = z
      .looseObject({ webhooks: z.record(z.string(), Webhook) })
      .parse(await (await get('/v1/openapi.json')).json())
    const fields = Object.entries(webhooks).map(([type, { post }]) => {
      const { schema } = post.requestBody.content['application/json']
      expect(schema.properties['type']).toMatchObject({ const: type })
      expect(schema.required).toEqual(Object.keys(schema.properties))
      const headers = post.parameters.map(({ name }) => name)
      expect(headers).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      return [type, schema.required.filter((name) => !['id', 'type', 'at'].includes(name))]
    })
    expect(Object.fromEntries(fields)).toEqual({
      'product.updated': ['slug'],
      'product.deleted': ['slug'],
      'inventory.updated': ['slug', 'variantId', 'inventory', 'available'],
      'category.updated': ['slug'],
      'settings.updated': [],
      'order.paid': ['orderId', 'number'],
      'order.fulfilled': ['orderId', 'number'],
      'webhook.test': [],
    })
  })

  test('the page that shows the document loads nothing from other hosts', async () => {
    const response = await get('/v1/docs')
    const page = await response.text()
    expect(page).toContain('<title>Storefront Commerce API</title>')
    expect(page).not.toMatch(/https?:\/\//)
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'")
    const scripts = [...page.matchAll(/<script src="([^"]+)"/g)].map(([, source = '']) => source)
    expect(scripts).toEqual([expect.stringMatching(/^\/v1\/docs\/redoc-[\d.]+\.js$/), '/v1/docs/start.js'])
    for (const script of scripts) expect((await get(script)).status).toBe(200)
    const license = scripts[0]?.replace(/\.js$/, '.LICENSE.txt') ?? ''
    for (const path of [license, '/v1/docs/none', '/v1/docs/%2e%2e/package.json']) {
      const missing = await get(path)
      expect(missing.status).toBe(404)
      expect(missing.headers.get('content-type')).toContain('application/json')
    }
  })
})

describe('the script of the page', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['identity', (body: Buffer) => body],
  ])('is sent as %s, names no image of another host, and is cached by browsers', async (encoding, decode) => {
    const [, name = ''] = /src="([^"]+redoc[^"]+)"/.exec(await (await get('/v1/docs')).text()) ?? []
    // fetch() would decompress the body.
    const { body, headers } = await request(gateway.url + name, { headers: { 'accept-encoding': encoding } })
    expect(headers).toMatchObject({ 'cache-control': expect.stringContaining('immutable') })
    expect(headers['content-encoding'] ?? 'identity').toBe(encoding)
    const script = decode(Buffer.from(await body.arrayBuffer())).toString()
    expect(script).toContain('Redoc')
    expect(script).not.toContain('cdn.redoc.ly')
  })
})

test('a service that is down is still described, from its last description', async () => {
  let shift = 0
  const other = await runGateway(
    suite,
    { catalog: catalog.url, cart: cart.url },
    {},
    { now: () => new Date(Date.now() + shift) },
  )
  await fetch(`${other.url}/openapi.json`)
  await cart.stop()
  shift = 60_000
  const document: unknown = await (await fetch(`${other.url}/openapi.json`)).json()
  expect(document).toMatchObject({
    paths: { '/carts/{id}': {} },
    'x-unavailable': ['cart', 'identity', 'notifier', 'orders'],
  })
  await cart.start()
  await other.stop()
})

test('a request writes one line in the log, without secrets', async () => {
  const { log, lines } = recordedLog('info')
  const logged = await runGateway({ ...suite, log }, { catalog: catalog.url, cart: cart.url })
  const headers = {
    authorization: 'Bearer secret.secret.secret',
    cookie: 'browser=secret',
    'x-request-id': 'request-one',
  }
  for (const path of ['/products?q=secret', '/products?q=secret', '/carts/cart_secret/lines/line_1?token=secret']) {
    await (await fetch(logged.url + path, { headers })).arrayBuffer()
  }
  await logged.stop()
  const responses = lines.map((line) => JSON.parse(line)).filter((line) => line.msg === 'request completed')
  expect(responses).toMatchObject([
    { requestId: 'request-one', method: 'GET', path: '/products', status: 200, cache: 'MISS', actor: 'anonymous' },
    { path: '/products', status: 200, cache: 'HIT' },
    { path: '/carts/cart_…/lines/line_1', status: 200, actor: 'anonymous' },
  ])
  expect(lines.join('')).not.toContain('secret')
})
