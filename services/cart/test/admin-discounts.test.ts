import { Discount, ErrorBody } from '@storefront/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createShop, errorOf, type TestResponse, type Shop } from './shop.ts'

const FULL = {
  code: 'FULL',
  kind: 'percent',
  value: 15,
  label: 'Knits',
  active: false,
  startsAt: '2026-01-01T00:00:00.000Z',
  endsAt: '2026-02-01T00:00:00.000Z',
  minSubtotal: 1000,
  usageLimit: 500,
  perCustomerLimit: 2,
  categories: ['knits'],
  products: ['shirt', 'prod_1'],
}

let shop: Shop
let admin: object

beforeAll(async () => {
  shop = await createShop()
  admin = shop.suite.headers.admin(['discounts:write'])
})
afterAll(() => shop.stop())

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', body?: unknown) =>
  shop.call(method, `/admin/discounts${path}`, body, admin)
const discountOf = ({ status, body }: TestResponse) => {
  expect(status, JSON.stringify(body)).toBe(200)
  return Discount.parse(body)
}
const Entries = z.object({
  items: z.array(
    z.object({
      actor: z.string(),
      action: z.string(),
      subject: z.object({ kind: z.string(), id: z.string() }),
      before: z.record(z.string(), z.unknown()).nullable(),
      after: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
})
const ENTRY = { actor: 'user_test', subject: { kind: 'discount', id: 'TRAIL' } }
const auditOf = async (code: string) => Entries.parse((await call('GET', `/audit?id=${code}`)).body).items
const issuesOf = ({ status, body }: TestResponse) => {
  expect(status).toBe(422)
  const { detail } = ErrorBody.parse(body)
  return z.object({ issues: z.array(z.object({ path: z.string(), message: z.string() })) }).parse(detail).issues
}

describe('a discount', () => {
  test('is stored as it was written, its code in upper case', async () => {
    const made = discountOf(await call('POST', '', { ...FULL, code: ' full ' }))
    expect(made).toEqual({ ...FULL, used: 0 })
    expect(discountOf(await call('GET', '/full'))).toEqual(made)
  })

  test('accepts times with any offset and precision', async () => {
    const times = { startsAt: '2026-01-01T02:00:00+02:00', endsAt: '2026-01-31T19:00:00.123456-05:00' }
    expect(discountOf(await call('POST', '', { ...FULL, code: 'TIMES', ...times }))).toMatchObject({
      startsAt: '2026-01-01T00:00:00.000Z',
      endsAt: '2026-02-01T00:00:00.123Z',
    })
    expect(discountOf(await call('GET', '/TIMES')).endsAt).toBe('2026-02-01T00:00:00.123Z')
  })

  test('needs no more than a code, a kind and a value', async () => {
    const made = discountOf(await call('POST', '', { code: 'SHIP', kind: 'shipping' }))
    expect(made).toEqual({ code: 'SHIP', kind: 'shipping', value: 0, active: true, used: 0 })
  })

  test('is changed by another save of its code: fields left out stay, null removes a condition, redemptions stay', async () => {
    const made = discountOf(await call('POST', '', { ...FULL, code: 'AGAIN' }))
    await shop.suite.sql(`update cart.discounts set used = 7 where code = 'AGAIN'`)
    const changed = discountOf(await call('POST', '', { code: ' again ', value: 20, label: null }))
    const { label: _label, ...rest } = made
    expect(changed).toEqual({ ...rest, value: 20, used: 7 })
    expect(discountOf(await call('GET', '/AGAIN'))).toEqual(changed)
    // Ten percent do not become ten cents.
    expect(issuesOf(await call('POST', '', { code: 'AGAIN', kind: 'fixed' }))[0]?.path).toBe('value')
    expect(discountOf(await call('POST', '', { code: 'AGAIN', kind: 'fixed', value: 500 })).value).toBe(500)
  })

  test('that two requests save at the same time is created by one and changed by the other', async () => {
    const both = await Promise.all([1, 2].map((value) => call('POST', '', { code: 'RACE', kind: 'percent', value })))
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const entries = await auditOf('RACE')
    expect(entries.map(({ action }) => action)).toEqual(['update', 'create'])
    expect(discountOf(await call('GET', '/RACE')).value).toBe(entries[0]?.after?.['value'])
  })

  test.each<[string, number | null]>([
    ['A', 10],
    ['B', 12.5],
    ['C', null],
  ])('of free shipping has no value: a given one is not stored (%s)', async (letter, value) => {
    const code = `LEFTOVER-${letter}`
    const made = discountOf(await call('POST', '', { code, kind: 'shipping', value }))
    expect(made).toEqual({ code, kind: 'shipping', value: 0, active: true, used: 0 })
    expect(discountOf(await call('PATCH', `/${code}`, { value, active: false })).value).toBe(0)
  })

  test.each<[string, object, string]>([
    ['an unknown kind', { kind: 'gift' }, 'kind'],
    ['zero percent', { value: 0 }, 'value'],
    ['more than 100 percent', { value: 101 }, 'value'],
    ['half a percent', { value: 2.5 }, 'value'],
    ['an amount of zero', { kind: 'fixed', value: 0 }, 'value'],
    ['an end at its start', { startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-01-01T01:00:00+01:00' }, 'endsAt'],
    ['a day that does not exist', { startsAt: '2026-02-30T00:00:00Z' }, 'startsAt'],
    ['a time after the last year', { endsAt: '9999-12-31T23:59:59-12:00' }, 'endsAt'],
    ['a time before the first year', { startsAt: '0000-01-01T00:00:00Z' }, 'startsAt'],
    ['no uses', { usageLimit: 0 }, 'usageLimit'],
    ['a code with a blank', { code: 'SAVE 10' }, 'code'],
    ['no code', { code: '  ' }, 'code'],
    ['no kind', { kind: undefined }, 'kind'],
    ['no value', { value: null }, 'value'],
  ])('is rejected with %s', async (_what, change, path) => {
    const issues = issuesOf(await call('POST', '', { code: 'NEW', kind: 'percent', value: 10, ...change }))
    expect(issues.map((issue) => issue.path)).toContain(path)
    expect(errorOf(await call('GET', '/NEW')).status).toBe(404)
  })
})

test('a value above the limit is reported once, with the limit', async () => {
  const response = await call('POST', '', { code: 'HUGE', kind: 'fixed', value: 1e18 })
  expect(errorOf(response).message).toBe('The discount was not saved: `value` must be at most 1000000000000.')
  expect(issuesOf(response)).toEqual([{ path: 'value', message: 'must be at most 1000000000000' }])
})

test('a discount with dates is valid for whole days, the last one included', async () => {
  const days = { startsAt: '2026-01-01', endsAt: '2026-01-31' }
  expect(discountOf(await call('POST', '', { code: 'DAYS', kind: 'percent', value: 5, ...days }))).toMatchObject({
    startsAt: '2026-01-01T00:00:00.000Z',
    endsAt: '2026-02-01T00:00:00.000Z',
  })
})

describe('changing a discount', () => {
  test('changes the named fields, and null removes a condition', async () => {
    discountOf(await call('POST', '', { ...FULL, code: 'CHANGE' }))
    const changed = discountOf(await call('PATCH', '/change', { value: 20, endsAt: null, label: null, products: null }))
    const { endsAt: _endsAt, label: _label, products: _products, ...rest } = FULL
    expect(changed).toEqual({ ...rest, code: 'CHANGE', value: 20, used: 0 })
    expect(discountOf(await call('GET', '/CHANGE'))).toEqual(changed)
    expect(discountOf(await call('PATCH', '/CHANGE', {}))).toEqual(changed)
  })

  test('is rejected when the result would not be valid, and nothing changes', async () => {
    const before = discountOf(await call('POST', '', { ...FULL, code: 'KEEP' }))
    expect(issuesOf(await call('PATCH', '/KEEP', { value: 200 }))[0]?.path).toBe('value')
    expect(issuesOf(await call('PATCH', '/KEEP', { endsAt: '2025-12-01T00:00:00Z' }))[0]?.path).toBe('endsAt')
    expect(issuesOf(await call('PATCH', '/KEEP', { code: 'OTHER' }))[0]?.path).toBe('code')
    expect(discountOf(await call('GET', '/KEEP'))).toEqual(before)
    expect(discountOf(await call('PATCH', '/KEEP', { code: 'keep', kind: 'shipping' })).value).toBe(0)
  })
})

test('a deleted discount no longer exists, and its code is free again', async () => {
  discountOf(await call('POST', '', { code: 'GONE', kind: 'percent', value: 5 }))
  expect(await call('DELETE', '/gone')).toMatchObject({ status: 200, body: { ok: true } })
  for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
    const body = method === 'PATCH' ? { active: false } : undefined
    expect(errorOf(await call(method, '/GONE', body))).toMatchObject({ status: 404, code: 'not_found' })
  }
  discountOf(await call('POST', '', { code: 'GONE', kind: 'percent', value: 6 }))
})

describe('a discount for products and categories', () => {
  test('is rejected with the name of each that the shop does not have, and the name that was probably meant', async () => {
    shop.shelf.lack('products', 'linen-shrit')
    shop.shelf.lack('products', 'old-shirt', 'new-shirt')
    shop.shelf.lack('categories', 'coat', 'coats')
    const one = await call('POST', '', { code: 'LACK', kind: 'percent', value: 5, products: ['shirt', 'linen-shrit'] })
    expect(errorOf(one)).toEqual({
      status: 422,
      code: 'validation_failed',
      message: 'Unknown product `linen-shrit`.',
      detail: { total: 1, issues: [{ path: 'products.1', message: 'Unknown product `linen-shrit`.' }] },
    })
    const two = { products: ['old-shirt'], categories: ['knits', 'coat'] }
    const issues = issuesOf(await call('POST', '', { code: 'LACK', kind: 'percent', value: 5, ...two }))
    expect(issues).toContainEqual({
      path: 'products.0',
      message: 'Unknown product `old-shirt`. Did you mean `new-shirt`?',
    })
    expect(issues).toContainEqual({ path: 'categories.1', message: 'Unknown category `coat`. Did you mean `coats`?' })
    expect(errorOf(await call('GET', '/LACK')).status).toBe(404)
    expect(await auditOf('LACK')).toEqual([])
  })

  test('can be changed when one of them was deleted since, and only added ones are checked', async () => {
    discountOf(await call('POST', '', { code: 'SINCE', kind: 'percent', value: 5, products: ['kept', 'deleted'] }))
    shop.shelf.lack('products', 'deleted')
    shop.shelf.lack('products', 'linen-shrit')
    const before = shop.shelf.checked().length
    const products = ['deleted', 'kept', 'added', 'added']
    expect(discountOf(await call('POST', '', { code: 'SINCE', products })).products).toEqual(products)
    expect(discountOf(await call('PATCH', '/SINCE', { active: false, products })).active).toBe(false)
    expect(shop.shelf.checked().slice(before)).toEqual([['added']])
    expect(issuesOf(await call('PATCH', '/SINCE', { products: ['linen-shrit'] }))[0]?.path).toBe('products.0')
  })
})

describe('the audit of discounts', () => {
  test('records who created, changed and deleted a discount, with the fields that differ', async () => {
    discountOf(await call('POST', '', { code: 'TRAIL', kind: 'percent', value: 5, label: 'Spring' }))
    discountOf(await call('POST', '', { code: 'TRAIL', kind: 'percent', value: 5 }))
    discountOf(await call('POST', '', { code: 'TRAIL', value: 6 }))
    discountOf(await call('PATCH', '/TRAIL', { label: null, endsAt: '2027-01-01T00:00:00Z' }))
    expect((await call('DELETE', '/TRAIL')).status).toBe(200)
    const end = { endsAt: '2027-01-01T00:00:00.000Z' }
    const first = { code: 'TRAIL', kind: 'percent', value: 5, label: 'Spring', active: true }
    const { label: _label, ...last } = { ...first, value: 6, ...end }
    expect(await auditOf('trail')).toEqual([
      { ...ENTRY, action: 'delete', before: last, after: null },
      { ...ENTRY, action: 'update', before: { label: 'Spring' }, after: end },
      { ...ENTRY, action: 'update', before: { value: 5 }, after: { value: 6 } },
      { ...ENTRY, action: 'create', before: null, after: first },
    ])
    expect((await auditOf(''))[0]).toEqual({ ...ENTRY, action: 'delete', before: last, after: null })
  })

  test('is kept in a table that the service itself cannot change', async () => {
    const [rights] = await shop.suite.sql<{ changes: boolean; deletes: boolean }>(
      `select has_table_privilege($1, 'cart.audit_entries', 'update') as changes,
         has_table_privilege($1, 'cart.audit_entries', 'delete') as deletes`,
      [new URL(shop.suite.databaseUrl('cart')).username],
    )
    expect(rights).toEqual({ changes: false, deletes: false })
  })

  test('requires the permission to write discounts', async () => {
    const { customer, admin: adminWith } = shop.suite.headers
    const path = '/admin/discounts/audit'
    expect((await shop.call('GET', path)).status).toBe(401)
    expect((await shop.call('GET', path, undefined, customer('cus_ada'))).status).toBe(403)
    expect((await shop.call('GET', path, undefined, adminWith(['orders:read']))).status).toBe(403)
  })
})

test('the list comes in pages, newest first, and finds parts of codes and labels', async () => {
  for (let index = 1; index <= 5; index++) {
    discountOf(
      await call('POST', '', { code: `LIST${index}`, kind: 'percent', value: index, label: `50%_off ${index}` }),
    )
  }
  discountOf(await call('POST', '', { code: 'APART', kind: 'shipping' }))
  const List = z.object({ items: z.array(Discount), total: z.int(), page: z.int(), perPage: z.int() })
  const list = async (query: string) => List.parse((await call('GET', `?${query}`)).body)
  const codes = async (query: string) => (await list(query)).items.map(({ code }) => code)
  expect(await list('q=list&page=2&per_page=2')).toMatchObject({ total: 5, page: 2, perPage: 2 })
  expect(await codes('q=list&page=1&per_page=2')).toEqual(['LIST5', 'LIST4'])
  expect(await codes('q=list&page=3&per_page=2')).toEqual(['LIST1'])
  expect(await codes('q=OFF%203')).toEqual(['LIST3'])
  expect(await codes(`q=${encodeURIComponent('0%_o')}`)).toHaveLength(5)
  expect(await codes('q=%25x')).toEqual([])
  expect((await list('q=')).total).toBeGreaterThan(5)
})

test.each(['GET', 'POST', 'PATCH', 'DELETE'] as const)(
  '%s requires the permission to write discounts',
  async (method) => {
    const path = method === 'PATCH' || method === 'DELETE' ? '/admin/discounts/FULL' : '/admin/discounts'
    const body = method === 'POST' || method === 'PATCH' ? {} : undefined
    const { customer, admin: adminWith } = shop.suite.headers
    expect((await shop.call(method, path, body)).status).toBe(401)
    expect((await shop.call(method, path, body, customer('cus_ada'))).status).toBe(403)
    expect((await shop.call(method, path, body, adminWith(['orders:write']))).status).toBe(403)
  },
)

// The last test, because catalog does not come back.
test('while catalog does not reply, a discount for a product is not saved, and others are', async () => {
  await shop.shelf.leave()
  const wanted = { code: 'LATER', kind: 'percent', value: 5, products: ['another-shirt'] }
  expect(errorOf(await call('POST', '', wanted))).toMatchObject({ status: 503, code: 'service_unavailable' })
  expect(errorOf(await call('GET', '/LATER')).status).toBe(404)
  discountOf(await call('POST', '', { ...wanted, products: null }))
  expect(errorOf(await call('PATCH', '/LATER', { categories: ['coats'] })).status).toBe(503)
  expect(discountOf(await call('GET', '/LATER')).categories).toBeUndefined()
})
