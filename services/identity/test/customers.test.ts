import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ShopCustomer } from '../src/customers/customer.ts'
import { createSetting, PASSWORD, refusal, type Setting } from './setting.ts'

const List = z.object({ items: z.array(ShopCustomer), total: z.number(), page: z.number(), perPage: z.number() })

let shop: Setting
let ada: string

beforeAll(async () => {
  shop = await createSetting()
  const people = [
    ['ada@mail.example', 'Ada', 'Lovelace'],
    ['grace@mail.example', 'Grace', 'Hopper'],
    ['under_score@mail.example', '100%', 'Percent'],
    ['jose@mail.example', 'José \\', 'Straße'],
  ]
  for (const [email, firstName, lastName] of people) {
    const body = { email, password: PASSWORD, firstName, lastName }
    expect((await shop.call('POST', '/auth/register', body)).status).toBe(200)
  }
  ada = (await list('?q=ada')).items[0]?.id ?? ''
  for (const line1 of ['1 Main Street', '2 Main Street']) {
    await shop.call('POST', '/me/addresses', { line1 }, shop.as(ada))
  }
})
afterAll(() => shop.stop())

const read = (path: string) => shop.call('GET', path, undefined, shop.asAdmin('user_1', ['customers:read']))
const list = async (query = '') => List.parse((await read(`/admin/customers${query}`)).body)
const found = async (q: string) =>
  (await list(`?q=${encodeURIComponent(q)}`)).items.map((customer) => customer.email.split('@')[0])

describe('the list of customers', () => {
  test('shows the newest first, with their addresses, page by page', async () => {
    const all = await list()
    expect(all).toMatchObject({ total: 4, page: 1, perPage: 25 })
    expect(all.items.map((customer) => customer.createdAt)).toEqual(
      all.items
        .map((customer) => customer.createdAt)
        .toSorted()
        .toReversed(),
    )
    const me = await shop.call('GET', '/me', undefined, shop.as(ada))
    const { createdAt, ...customer } = all.items.find(({ id }) => id === ada) ?? {}
    expect(customer).toEqual(me.body)
    expect(customer).toMatchObject({ addresses: [{ line1: '1 Main Street' }, { line1: '2 Main Street' }] })
    expect(createdAt).toMatch(/^\d{4}-.*Z$/)
    const pages = [await list('?per_page=3'), await list('?per_page=3&page=2')]
    expect(pages.flatMap((page) => page.items)).toEqual(all.items)
    expect(await list('?per_page=999')).toMatchObject({ perPage: 100 })
  })

  test('finds a part of the e-mail address or of the name, in any case, and takes every sign for itself', async () => {
    expect(await found('LOVE')).toEqual(['ada'])
    expect(await found('grace hop')).toEqual(['grace'])
    expect(await found('STRASSE')).toEqual([])
    expect(await found('josé')).toEqual(['jose'])
    expect(await found('%')).toEqual(['under_score'])
    expect(await found('_')).toEqual(['under_score'])
    expect(await found('\\')).toEqual(['jose'])
    expect(await found(`'; drop table customers; --`)).toEqual([])
    expect(await found('  ')).toHaveLength(4)
  })

  test('tells nothing of passwords', async () => {
    expect(JSON.stringify((await read('/admin/customers')).body)).not.toMatch(/argon2|password/i)
  })
})

describe('one customer', () => {
  test('is shown as in the list, or is not there', async () => {
    const listed = (await list()).items.find(({ id }) => id === ada)
    expect((await read(`/admin/customers/${ada}`)).body).toEqual(listed)
    expect(refusal(await read('/admin/customers/cus_none'))).toEqual({ status: 404, code: 'not_found' })
  })
})

test.each(['/admin/customers', '/admin/customers/cus_1'])('%s is for admins who may read customers', async (path) => {
  expect(refusal(await shop.call('GET', path)).status).toBe(401)
  expect(refusal(await shop.call('GET', path, undefined, shop.as(ada))).status).toBe(403)
  expect(refusal(await shop.call('GET', path, undefined, shop.asAdmin('user_1', ['orders:read']))).status).toBe(403)
})
