import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { findCustomers } from '../src/customers/customers.queries.ts'
import { ShopCustomer } from '../src/customers/customer.ts'
import { amount } from '@storefront/tools/testing'
import { createSetting, PASSWORD, errorOf, openDatabase, type Setting } from './setting.ts'

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

  test('finds a part of the email address or of the name, in upper or lower case, and takes every character literally', async () => {
    expect(await found('LOVE')).toEqual(['ada'])
    expect(await found('grace hop')).toEqual(['grace'])
    expect(await found('STRASSE')).toEqual([])
    expect(await found('josé')).toEqual(['jose'])
    expect(await found('00%')).toEqual(['under_score'])
    expect(await found('er_')).toEqual(['under_score'])
    expect(await found('é \\')).toEqual(['jose'])
    expect(await found(`'; drop table customers; --`)).toEqual([])
    expect(await found('  ')).toHaveLength(4)
  })

  test('finds the beginning of words for one or two letters', async () => {
    expect(await found('GR')).toEqual(['grace'])
    expect(await found('lo')).toEqual(['ada'])
    expect(await found('h')).toEqual(['grace'])
    expect(await found('ov')).toEqual([])
    for (const sign of ['%', '_', '1_', 'a%']) expect(await found(sign)).toEqual([])
    expect(await found('\\')).toEqual(['jose'])
  })

  test('is searched without reading every customer', async () => {
    const thousands = amount({ quick: 2, long: 8 })
    const db = openDatabase(shop.suite)
    const tx = await db.startTransaction().execute()
    for (let thousand = 0; thousand < thousands; thousand++) {
      await sql`
        insert into customers (id, email, password_hash, first_name, last_name, created_at)
        select 'cus_' || n, md5(n::text) || '@many.example', 'x', 'First' || n % 7, 'Last' || n % 1000, now()
        from generate_series(${1000 * thousand}::integer + 1, ${1000 * thousand}::integer + 1000) n`.execute(tx)
    }
    await sql`analyze customers`.execute(tx)
    // PostgreSQL scans a table of this size. With scans disabled it uses the indexes, as it does for many customers.
    await sql`set local enable_seqscan = off`.execute(tx)
    const rowsRead = async () => {
      const { rows } = await sql<{ read: number }>`
        select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
        where schemaname = 'identity' and relname = 'customers'`.execute(tx)
      return rows[0]?.read ?? 0
    }
    // A whole address, a part of a name, and the beginning of a name.
    for (const q of ['c4ca4238a0b923820dcc509a6f75849b@many.example', 'Last999', 'lo']) {
      const before = await rowsRead()
      expect((await findCustomers(tx, { q, limit: 25, offset: 0 })).total, q).toBeGreaterThan(0)
      expect((await rowsRead()) - before, q).toBeLessThan(125 * thousands)
    }
    await tx.rollback().execute()
    await db.destroy()
  })

  test('contains no passwords', async () => {
    expect(JSON.stringify((await read('/admin/customers')).body)).not.toMatch(/argon2|password/i)
  })
})

describe('one customer', () => {
  test('is shown as in the list, or is not found', async () => {
    const listed = (await list()).items.find(({ id }) => id === ada)
    expect((await read(`/admin/customers/${ada}`)).body).toEqual(listed)
    expect(errorOf(await read('/admin/customers/cus_none'))).toEqual({ status: 404, code: 'not_found' })
  })
})

test.each(['/admin/customers', '/admin/customers/cus_1'])('%s is for admins who may read customers', async (path) => {
  expect(errorOf(await shop.call('GET', path)).status).toBe(401)
  expect(errorOf(await shop.call('GET', path, undefined, shop.as(ada))).status).toBe(403)
  expect(errorOf(await shop.call('GET', path, undefined, shop.asAdmin('user_1', ['orders:read']))).status).toBe(403)
})
