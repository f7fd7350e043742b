import { Discount, ErrorBody } from '@storefront/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createShop, refusal, type Answer, type Shop } from './shop.ts'

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
const discountOf = ({ status, body }: Answer) => {
  expect(status, JSON.stringify(body)).toBe(200)
  return Discount.parse(body)
}
const issuesOf = ({ status, body }: Answer) => {
  expect(status).toBe(422)
  const { detail } = ErrorBody.parse(body)
  return z.object({ issues: z.array(z.object({ path: z.string(), message: z.string() })) }).parse(detail).issues
}

describe('a discount', () => {
  test('is kept as it was written, its code in upper case', async () => {
    const made = discountOf(await call('POST', '', { ...FULL, code: ' full ' }))
    expect(made).toEqual({ ...FULL, used: 0 })
    expect(discountOf(await call('GET', '/full'))).toEqual(made)
  })

  test('takes times in any offset and precision', async () => {
    const times = { startsAt: '2026-01-01T02:00:00+02:00', endsAt: '2026-01-31T19:00:00.123456-05:00' }
    expect(discountOf(await call('POST', '', { ...FULL, code: 'TIMES', ...times }))).toMatchObject({
      startsAt: '2026-01-01T00:00:00.000Z',
      endsAt: '2026-02-01T00:00:00.123Z',
    })
    expect(discountOf(await call('GET', '/TIMES')).endsAt).toBe('2026-02-01T00:00:00.123Z')
  })

  test('needs no more than a code, a kind and what it is worth', async () => {
    const made = discountOf(await call('POST', '', { code: 'SHIP', kind: 'shipping' }))
    expect(made).toEqual({ code: 'SHIP', kind: 'shipping', value: 0, active: true, used: 0 })
  })

  test('is not overwritten by another one of the same code', async () => {
    discountOf(await call('POST', '', { code: 'TAKEN', kind: 'percent', value: 5 }))
    const again = await call('POST', '', { code: 'taken', kind: 'fixed', value: 5 })
    expect(refusal(again)).toMatchObject({ status: 409, code: 'code_taken' })
    const both = await Promise.all([1, 2].map((value) => call('POST', '', { code: 'RACE', kind: 'percent', value })))
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  })

  test.each<[string, object, string]>([
    ['an unknown kind', { kind: 'gift' }, 'kind'],
    ['no percent', { value: 0 }, 'value'],
    ['more than all of it', { value: 101 }, 'value'],
    ['half a percent', { value: 2.5 }, 'value'],
    ['an amount of nothing', { kind: 'fixed', value: 0 }, 'value'],
    ['free shipping that is worth something', { kind: 'shipping', value: 5 }, 'value'],
    ['an end at its start', { startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-01-01T01:00:00+01:00' }, 'endsAt'],
    ['a day that is none', { startsAt: '2026-02-30T00:00:00Z' }, 'startsAt'],
    ['a time beyond all calendars', { endsAt: '9999-12-31T23:59:59-12:00' }, 'endsAt'],
    ['a time before them', { startsAt: '0000-01-01T00:00:00Z' }, 'startsAt'],
    ['no uses', { usageLimit: 0 }, 'usageLimit'],
    ['a code with a blank', { code: 'SAVE 10' }, 'code'],
    ['no code', { code: '  ' }, 'code'],
  ])('is refused with %s', async (_what, change, path) => {
    const issues = issuesOf(await call('POST', '', { code: 'NEW', kind: 'percent', value: 10, ...change }))
    expect(issues.map((issue) => issue.path)).toContain(path)
    expect(refusal(await call('GET', '/NEW')).status).toBe(404)
  })
})

describe('changing a discount', () => {
  test('changes what is named, and null takes a condition away', async () => {
    discountOf(await call('POST', '', { ...FULL, code: 'CHANGE' }))
    const changed = discountOf(await call('PATCH', '/change', { value: 20, endsAt: null, label: null, products: null }))
    const { endsAt: _endsAt, label: _label, products: _products, ...rest } = FULL
    expect(changed).toEqual({ ...rest, code: 'CHANGE', value: 20, used: 0 })
    expect(discountOf(await call('GET', '/CHANGE'))).toEqual(changed)
    expect(discountOf(await call('PATCH', '/CHANGE', {}))).toEqual(changed)
  })

  test('is refused when the whole would be none, and nothing changes', async () => {
    const before = discountOf(await call('POST', '', { ...FULL, code: 'KEEP' }))
    expect(issuesOf(await call('PATCH', '/KEEP', { value: 200 }))[0]?.path).toBe('value')
    expect(issuesOf(await call('PATCH', '/KEEP', { endsAt: '2025-12-01T00:00:00Z' }))[0]?.path).toBe('endsAt')
    expect(issuesOf(await call('PATCH', '/KEEP', { code: 'OTHER' }))[0]?.path).toBe('code')
    expect(discountOf(await call('GET', '/KEEP'))).toEqual(before)
    expect(discountOf(await call('PATCH', '/KEEP', { code: 'keep', kind: 'shipping' })).value).toBe(0)
  })
})

test('a discount that is deleted is gone, and its code is free again', async () => {
  discountOf(await call('POST', '', { code: 'GONE', kind: 'percent', value: 5 }))
  expect(await call('DELETE', '/gone')).toMatchObject({ status: 200, body: { ok: true } })
  for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
    const body = method === 'PATCH' ? { active: false } : undefined
    expect(refusal(await call(method, '/GONE', body))).toMatchObject({ status: 404, code: 'not_found' })
  }
  discountOf(await call('POST', '', { code: 'GONE', kind: 'percent', value: 6 }))
})

test('the list comes in pages, newest first, and finds parts of codes and labels', async () => {
  for (let index = 1; index <= 5; index++) {
    discountOf(
      await call('POST', '', { code: `LIST${index}`, kind: 'percent', value: index, label: `50%_off ${index}` }),
    )
  }
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

test.each(['GET', 'POST', 'PATCH', 'DELETE'] as const)('%s is for those who may write discounts', async (method) => {
  const path = method === 'PATCH' || method === 'DELETE' ? '/admin/discounts/FULL' : '/admin/discounts'
  const body = method === 'POST' || method === 'PATCH' ? {} : undefined
  const { customer, admin: adminWith } = shop.suite.headers
  expect((await shop.call(method, path, body)).status).toBe(401)
  expect((await shop.call(method, path, body, customer('cus_ada'))).status).toBe(403)
  expect((await shop.call(method, path, body, adminWith(['orders:write']))).status).toBe(403)
})
