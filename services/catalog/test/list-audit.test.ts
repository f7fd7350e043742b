import { isDeepStrictEqual } from 'node:util'
import { assert, asyncProperty, constantFrom, record } from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { replyTo } from '@storefront/messaging'
import { LEFT_OUT } from '@storefront/audit'
import { ReadActorNames } from '@storefront/contracts'
import { amount, createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { startTestCatalog } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
})

afterAll(() => suite.stop())

beforeEach(() => suite.sql('delete from catalog.audit_entries'))

interface Page {
  items: {
    id: number
    actor: string
    by: unknown
    subject: { kind: string; id: string }
    before: unknown
    after: unknown
  }[]
  total: number
  page: number
  perPage: number
  nextBeforeId?: number
}

const audit = async (query = ''): Promise<Page> => {
  const response = await catalog.app.inject({ url: `/admin/audit${query}`, headers: suite.headers.admin() })
  expect(response.statusCode, response.payload).toBe(200)
  return response.json()
}

const write = (entry: { kind?: string; id?: string; actor?: string; at?: string; before?: object; after?: object }) =>
  suite.sql(
    `insert into catalog.audit_entries (at, actor, action, subject_kind, subject_id, before, after)
     values ($1, $2, 'update', $3, $4, $5::jsonb, $6::jsonb)`,
    [
      entry.at ?? '2026-01-01T00:00:00Z',
      entry.actor ?? 'user_test',
      entry.kind ?? 'product',
      entry.id ?? 'prod_1',
      JSON.stringify(entry.before ?? {}),
      JSON.stringify(entry.after ?? null),
    ],
  )

const change = async (payload: object) => {
  const headers = suite.headers.admin()
  const response = await catalog.app.inject({ method: 'PATCH', url: '/admin/storefront', headers, payload })
  expect(response.statusCode, response.payload).toBe(200)
}

describe('the audit', () => {
  // The first test, because identity gets no request for some seconds after it did not reply, as in the others.
  test('names the actors, from memory while identity does not reply, and not at all when that is empty', async () => {
    const identity = await suite.openMessaging('identity')
    const requested: string[][] = []
    replyTo({ messaging: identity, log: suite.log, verifyActor: () => undefined }, ReadActorNames, async ({ ids }) => {
      requested.push(ids)
      const ada = { id: 'user_ada', kind: 'user' as const, name: 'Ada', email: 'ada@shop.example' }
      return { actors: ids.includes(ada.id) ? [ada] : [] }
    })
    await (await identity.opened).flush()
    for (const actor of ['user_ada', 'key_gone', 'user_ada']) await write({ actor })
    const ada = { kind: 'user', id: 'user_ada', name: 'Ada', email: 'ada@shop.example' }
    const gone = { kind: 'key', id: 'key_gone', name: null }
    const namesOf = async () => (await audit()).items.map(({ by }) => by)
    await waitFor('the names', async () => isDeepStrictEqual(await namesOf(), [ada, gone, ada]))
    // More than once when identity took longer than a second.
    const before = requested.length
    expect(requested).toEqual(Array.from({ length: before }, () => ['user_ada', 'key_gone']))
    expect(await namesOf()).toEqual([ada, gone, ada])
    expect(requested).toHaveLength(before)
    await identity.close()
    await write({ actor: 'user_late' })
    expect(await namesOf()).toEqual([{ kind: 'user', id: 'user_late', name: null }, ada, gone, ada])
  })

  test('returns the number of entries that match its filters, whichever page is read', async () => {
    for (let day = 1; day <= 5; day++) await write({ at: `2026-01-0${day}T00:00:00Z`, id: `prod_${day % 2}` })
    await write({ kind: 'media', actor: 'user_other' })
    const first = await audit('?per_page=4')
    expect(first).toMatchObject({ total: 6, perPage: 4, nextBeforeId: first.items[3]?.id })
    const second = await audit(`?per_page=4&before_id=${first.nextBeforeId}`)
    expect([second.items.length, second.total, second.nextBeforeId]).toEqual([2, 6, undefined])
    expect(await audit('?per_page=4&page=2')).toEqual({ ...second, page: 2 })
    expect(await audit(`?per_page=4&page=2&before_id=${first.nextBeforeId}`)).toEqual({ ...second, page: 2 })
    expect((await audit('?kind=product')).total).toBe(5)
    expect((await audit('?kind=product&id=prod_1&per_page=1')).total).toBe(3)
    expect((await audit('?actor=user_other')).total).toBe(1)
    expect((await audit('?from=2026-01-02T00:00:00Z&to=2026-01-04T00:00:00Z')).total).toBe(2)
    expect((await audit('?from=2026-01-02&to=2026-01-03')).total).toBe(2)
    expect((await audit('?from=2026-01-02T01:00:00%2B01:00&to=')).total).toBe(4)
    expect((await audit('?kind=&id=&actor=&from=&to=')).total).toBe(6)
    expect(await audit('?actor=nobody')).toEqual({ items: [], total: 0, page: 1, perPage: 25 })
  })

  test('has as many entries on all its pages as that number', async () => {
    for (let index = 0; index < 12; index++) {
      await write({ kind: index % 3 === 0 ? 'media' : 'product', actor: `user_${index % 2}` })
    }
    const query = record({ kind: constantFrom('media', 'product', ''), actor: constantFrom('user_0', 'user_1', '') })
    await assert(
      asyncProperty(query, constantFrom(1, 3, 12), async (filters, perPage) => {
        const text = Object.entries(filters).flatMap(([key, value]) => (value === '' ? [] : [`&${key}=${value}`]))
        const seen = new Set<number>()
        let page = await audit(`?per_page=${perPage}${text.join('')}`)
        const { total } = page
        for (;;) {
          expect(page.total).toBe(total)
          for (const { id } of page.items) seen.add(id)
          if (page.nextBeforeId === undefined) break
          page = await audit(`?per_page=${perPage}${text.join('')}&before_id=${page.nextBeforeId}`)
        }
        expect(seen.size).toBe(total)
      }),
      { numRuns: amount({ quick: 3, long: 12 }) },
    )
  })

  test('stores no secrets, and still records that they changed', async () => {
    const integrations = [{ 'Access-Token': 'hush', name: 'Mail' }]
    await change({ extensions: { api_key: 'hush', region: 'eu', integrations } })
    await change({ extensions: { api_key: 'hush hush', integrations: [] } })
    const { items } = await audit('?kind=storefront')
    expect(items).toMatchObject([
      {
        before: {
          extensions: {
            api_key: LEFT_OUT,
            region: 'eu',
            integrations: [{ 'Access-Token': LEFT_OUT, name: 'Mail' }],
          },
        },
        after: { extensions: { api_key: LEFT_OUT, region: 'eu', integrations: [] } },
      },
      { after: { extensions: { api_key: LEFT_OUT, region: 'eu' } } },
    ])
    const rows = await suite.sql('select before, after from catalog.audit_entries')
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain('hush')
    await change({ extensions: null })
  })

  test.each(['product', 'variant', 'category', 'storefront', 'media', 'import'])(
    'does not return secrets of a %s that were stored before',
    async (kind) => {
      await write({ kind, before: { smtpPassword: 'hush' }, after: { a: [{ PRIVATE_KEY: ['hush'], b: 1 }] } })
      const { items } = await audit(`?kind=${kind}`)
      expect(items).toMatchObject([
        { before: { smtpPassword: LEFT_OUT }, after: { a: [{ PRIVATE_KEY: LEFT_OUT, b: 1 }] } },
      ])
      expect(JSON.stringify(items)).not.toContain('hush')
    },
  )

  test.each<[string, () => Record<string, string>, number]>([
    ['a caller without an actor', () => ({}), 401],
    ['a customer', () => suite.headers.customer('cus_1'), 403],
    ['an admin with other permissions', () => suite.headers.admin(['orders:write']), 403],
  ])('is not returned to %s', async (_who, headers, status) => {
    await write({})
    for (const url of ['/admin/audit', '/admin/imports']) {
      const response = await catalog.app.inject({ url, headers: headers() })
      expect([response.statusCode, response.json().items]).toEqual([status, undefined])
    }
  })
})

test('the list of imports has the number of all, whichever page is read', async () => {
  await suite.sql(
    `insert into catalog.import_jobs (id, created_at, changed_at, finished_at, actor, mode, dry_run, attended, status)
     select 'imp_' || at, now(), now(), now(), '{"kind":"anonymous"}', 'merge', false, true, 'done'
     from generate_series(1, 5) at`,
  )
  const read = async (query: string) =>
    (await catalog.app.inject({ url: `/admin/imports?${query}`, headers: suite.headers.admin() })).json()
  const first = await read('per_page=3')
  expect(first).toMatchObject({ total: 5, perPage: 3, nextBeforeId: first.items[2].id })
  const second = await read(`per_page=3&before_id=${first.nextBeforeId}`)
  expect([second.items.length, second.total, second.nextBeforeId]).toEqual([2, 5, undefined])
  expect(await read('per_page=3&page=2')).toEqual({ ...second, page: 2 })
})
