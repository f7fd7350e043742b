import { PUBLIC_CACHE_CONTROL } from '@storefront/http/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSuite, type Suite } from '@storefront/tools/testing'
import { json, runGateway, startService, type TestGateway, type TestService } from './setup.ts'

const SHOP = 'https://shop.example'
let suite: Suite
let service: TestService
let gateway: TestGateway

beforeAll(async () => {
  suite = await createSuite()
  service = await startService((request, response) =>
    json(
      response,
      200,
      { ok: true },
      { 'cache-control': request.url?.startsWith('/carts') ? 'private, no-store' : PUBLIC_CACHE_CONTROL },
    ),
  )
  gateway = await runGateway(
    suite,
    { catalog: service.url, cart: service.url },
    { STOREFRONT_ORIGINS: `${SHOP}, http://localhost:5173`, TRUST_PROXY: 'true', RATE_LIMIT_GENERAL: '1000' },
  )
})

afterAll(async () => {
  await gateway.stop()
  await service.stop()
  await suite.stop()
})

async function headersOf(path: string, init: RequestInit = {}): Promise<Record<string, string>> {
  const response = await fetch(gateway.url + path, init)
  await response.arrayBuffer()
  return Object.fromEntries(response.headers)
}

describe('a preflight', () => {
  test.each(['/products', '/carts/x/lines/y', '/admin/import', '/nowhere', '/healthz'])(
    'for %s gets its response from the gateway, not from a service',
    async (path) => {
      const before = service.requests.length
      const response = await fetch(gateway.url + path, {
        method: 'OPTIONS',
        headers: {
          origin: SHOP,
          'access-control-request-method': 'DELETE',
          'access-control-request-headers': 'content-type',
          'x-request-id': 'req_of_the_preflight',
        },
      })
      expect(response.status).toBe(204)
      expect(response.headers.get('x-request-id')).toBe('req_of_the_preflight')
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'access-control-allow-origin': SHOP,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET,POST,PUT,PATCH,DELETE',
        'access-control-allow-headers':
          'authorization, content-type, idempotency-key, x-order-token, if-match, if-none-match, traceparent, ' +
          'x-loom-lang, x-loom-pricelist, x-loom-access',
        'access-control-max-age': '86400',
        vary: 'Origin',
      })
      expect(response.headers.get('ratelimit-limit')).toBeNull()
      expect(service.requests.length).toBe(before)
    },
  )

  test('from another origin grants nothing', async () => {
    const headers = await headersOf('/products', { method: 'OPTIONS', headers: { origin: 'https://evil.example' } })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(headers).toMatchObject({ vary: 'Origin' })
  })
})

describe('a cross-origin response', () => {
  test.each(['/carts/x', '/products', '/products', '/nowhere', '/healthz'])(
    'for %s names the exact origin',
    async (path) => {
      for (const origin of [SHOP, 'http://localhost:5173']) {
        const headers = await headersOf(path, { headers: { origin } })
        expect(headers).toMatchObject({
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
          'access-control-expose-headers':
            'etag, x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, idempotent-replayed',
        })
        expect(headers['vary']).toMatch(/^Origin/)
      }
    },
  )

  test.each(['https://evil.example', 'https://shop.example.evil.example', 'null', 'http://shop.example'])(
    'grants nothing to %s',
    async (origin) => {
      for (const path of ['/carts/x', '/products']) {
        const headers = await headersOf(path, { headers: { origin } })
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
        expect(headers['vary']).toMatch(/^Origin/)
      }
    },
  )

  test('has the headers that restrict what a browser may do with it', async () => {
    for (const path of ['/carts/x', '/products', '/nowhere']) {
      expect(await headersOf(path)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'cross-origin',
        'content-security-policy': "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      })
    }
    expect(await headersOf('/products')).not.toHaveProperty('strict-transport-security')
    const secure = await headersOf('/products', { headers: { 'x-forwarded-proto': 'https' } })
    expect(secure).toMatchObject({ 'strict-transport-security': 'max-age=31536000; includeSubDomains' })
  })
})
