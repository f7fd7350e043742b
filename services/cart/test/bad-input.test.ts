import { ErrorBody, type Cart } from '@storefront/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cartOf, contentOf, createShop, type Shop } from './shop.ts'

let shop: Shop
let cart: Cart

beforeAll(async () => {
  shop = await createShop()
  await shop.shelf.put('var_m', { inventory: 10 })
  cart = await shop.cartWith({ var_m: 2 })
})
afterAll(() => shop.stop())

interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  payload?: string
  headers?: Record<string, string>
}

/** Sends a request that must be rejected as the caller's error, in JSON, without internals. */
async function rejected({ method, url, payload, headers = { 'content-type': 'application/json' } }: Call) {
  const response = await shop.cart.app.inject({
    method,
    url,
    ...(payload === undefined ? {} : { payload, headers }),
  })
  const what = `${method} ${url} ${payload?.slice(0, 100)}: ${response.body.slice(0, 300)}`
  expect(response.headers['content-type'], what).toBe('application/json; charset=utf-8')
  const { code } = ErrorBody.parse(response.json())
  expect(response.statusCode, what).toBeGreaterThanOrEqual(400)
  expect(response.statusCode, what).toBeLessThan(500)
  expect(response.body, what).not.toMatch(/node_modules|\.ts\b|\\n +at |Zod|select |postgres/i)
  return { status: response.statusCode, code, headers: response.headers }
}

const OPERATIONS: [
  name: string,
  make: () => { method: 'POST' | 'PATCH'; url: string },
  fields: Record<string, unknown>,
][] = [
  ['POST /carts', () => ({ method: 'POST', url: '/carts' }), { fresh: true }],
  [
    'POST /carts/:id/lines',
    () => ({ method: 'POST', url: `/carts/${cart.id}/lines` }),
    { variant_id: 'var_m', quantity: 1 },
  ],
  [
    'PATCH /carts/:id/lines/:lineId',
    () => ({ method: 'PATCH', url: `/carts/${cart.id}/lines/${cart.lines[0]?.id}` }),
    { quantity: 1 },
  ],
]

const BAD_VALUES: [what: string, json: string][] = [
  ['a fraction', '1.5'],
  ['a huge number', '1e9'],
  ['a number beyond all integers', '1e400'],
  ['a negative number', '-1'],
  ['an array', '["a"]'],
  ['an object', '{"toString":"a"}'],
  ['null', 'null'],
  ['text with NUL', String.raw`"a\u0000b"`],
  ['half a surrogate pair', String.raw`"\ud800"`],
  ['text that looks like a number', '"1"'],
  ['10,000 characters', JSON.stringify('x'.repeat(10_000))],
  ['nothing', '""'],
]

describe.each(OPERATIONS)('%s', (_name, operation, fields) => {
  test.each(BAD_VALUES)('rejects %s in every field', async (_what, json) => {
    for (const field of Object.keys(fields)) {
      const payload = JSON.stringify({ ...fields, [field]: 'HERE' }).replace('"HERE"', json)
      // A variant may have any id: "1" is one that does not exist.
      expect((await rejected({ ...operation(), payload })).code).toMatch(/^(validation_failed|variant_not_found)$/)
    }
  })

  test.each(['[]', '[{}]', '"text"', '1', 'true', '[[[]]]'])(
    'rejects a body that is not an object: %s',
    async (payload) => {
      expect(await rejected({ ...operation(), payload })).toMatchObject({ status: 422, code: 'validation_failed' })
    },
  )

  test.each(['{', '{"quantity":', 'quantity=1', '\0', '{"quantity":1}{', "{'quantity':1}", '\ufeff{}', 'undefined'])(
    'rejects a body that is not JSON: %j',
    async (payload) => {
      expect(await rejected({ ...operation(), payload })).toMatchObject({ status: 400, code: 'bad_json' })
    },
  )

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data', 'nonsense'])(
    'rejects a body of %s',
    async (type) => {
      const payload = JSON.stringify(fields)
      const response = await rejected({ ...operation(), payload, headers: { 'content-type': type } })
      expect(response).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    },
  )

  test('rejects a body above 1 MiB', async () => {
    const payload = JSON.stringify({ ...fields, note: 'x'.repeat(1024 * 1024) })
    expect(await rejected({ ...operation(), payload })).toMatchObject({ status: 413, code: 'payload_too_large' })
  })

  test('rejects keys that name a prototype, and a body with very deep nesting', async () => {
    const bad = [
      '{"__proto__":{"quantity":1},"quantity":-1}',
      `{"quantity":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    ]
    const all = { ...fields, fresh: 'no' }
    for (const payload of bad) {
      await rejected({ ...operation(), payload: payload.replace('{', `{${JSON.stringify(all).slice(1, -1)},`) })
    }
    expect(Object.hasOwn(Object.prototype, 'quantity')).toBe(false)
  })
})

describe('a request that needs a body', () => {
  test('is rejected without one', async () => {
    for (const [, operation] of OPERATIONS.slice(1)) {
      expect(await rejected(operation())).toMatchObject({ status: 422, code: 'validation_failed' })
      expect(await rejected({ ...operation(), payload: '' })).toMatchObject({ status: 422, code: 'validation_failed' })
      expect(await rejected({ ...operation(), payload: '{}' })).toMatchObject({
        status: 422,
        code: 'validation_failed',
      })
    }
  })

  test('names the invalid field', async () => {
    const response = await shop.call('POST', `/carts/${cart.id}/lines`, { variant_id: 7, quantity: 0.5 })
    expect(response.body).toMatchObject({
      code: 'validation_failed',
      detail: {
        issues: [
          { path: 'variant_id', message: expect.any(String) },
          { path: 'quantity', message: expect.any(String) },
        ],
      },
    })
  })
})

describe('an id that cannot exist', () => {
  const IDS = [
    '%00',
    'a%00b',
    'x'.repeat(900),
    'x'.repeat(5000),
    '..%2f..',
    '%27;drop table carts;--',
    '%f0%9f%91%95',
    '%zz',
  ]

  test.each(IDS.map((id) => [id.slice(0, 30), id]))('is rejected by every operation: %s', async (_shown, id) => {
    const payload = '{"variant_id":"var_m","quantity":1,"code":"SAVE"}'
    const calls: Call[] = [
      { method: 'GET', url: `/carts/${id}` },
      { method: 'POST', url: `/carts/${id}/lines`, payload },
      { method: 'PATCH', url: `/carts/${id}/lines/${id}`, payload },
      { method: 'PATCH', url: `/carts/${cart.id}/lines/${id}`, payload },
      { method: 'DELETE', url: `/carts/${id}/lines/${id}` },
      { method: 'DELETE', url: `/carts/${cart.id}/lines/${id}` },
      { method: 'DELETE', url: `/carts/${id}/lines` },
      { method: 'POST', url: `/carts/${id}/discount`, payload },
      { method: 'GET', url: `/admin/discounts/${id}` },
    ]
    for (const call of calls) expect((await rejected(call)).code).not.toBe('internal_error')
  })

  test.each(['/', '/cart', '/carts/a/b/c/d', '/carts/a/lines/b/c', '//carts', '/carts/a/discounts', '/CARTS'])(
    'is 404: %s',
    async (url) => {
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        expect(await rejected({ method, url })).toMatchObject({ status: 404, code: 'not_found' })
      }
    },
  )
})

describe('a method that a path does not support', () => {
  test.each<[Call['method'], () => string, string]>([
    ['GET', () => '/carts', 'POST'],
    ['DELETE', () => '/carts', 'POST'],
    ['POST', () => `/carts/${cart.id}`, 'GET'],
    ['PUT', () => `/carts/${cart.id}`, 'GET'],
    ['DELETE', () => `/carts/${cart.id}?a=b`, 'GET'],
    ['GET', () => `/carts/${cart.id}/lines`, 'POST, DELETE'],
    ['PATCH', () => `/carts/${cart.id}/lines`, 'POST, DELETE'],
    ['GET', () => `/carts/${cart.id}/lines/${cart.lines[0]?.id}`, 'PATCH, DELETE'],
    ['PUT', () => `/carts/${cart.id}/lines/${cart.lines[0]?.id}`, 'PATCH, DELETE'],
  ])('is 405 with the supported ones: %s %s', async (method, url, allow) => {
    const response = await rejected({ method, url: url() })
    expect(response).toMatchObject({ status: 405, code: 'method_not_allowed', headers: { allow } })
  })
})

describe('a request id', () => {
  test('is accepted when it is well formed, and generated otherwise', async () => {
    const idOf = async (given: string) => {
      const response = await shop.call('GET', '/carts/nothing', undefined, { 'x-request-id': given })
      const { requestId } = ErrorBody.parse(response.body)
      expect(response.headers['x-request-id']).toBe(requestId)
      return requestId
    }
    for (const given of ['req_from_gateway-1', '7', 'x'.repeat(128)]) expect(await idOf(given)).toBe(given)
    for (const given of ['', 'with space in it', 'x'.repeat(129), 'quote"quote"']) {
      expect(await idOf(given)).toMatch(/^req_[0-9a-f]{32}$/)
    }
  })
})

test('after all these requests, the cart is unchanged', async () => {
  expect(contentOf(cartOf(await shop.call('GET', `/carts/${cart.id}`)))).toEqual([['var_m', 2]])
})
