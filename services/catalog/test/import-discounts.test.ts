import { DiscountsImported, ErrorBody, ImportJob, ImportResult, newId } from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { RunningCatalog } from '../src/start.ts'
import { startFakeCart, type FakeCart } from './cart.ts'
import { importCatalogue, issuesOf, shirt, startTestCatalog } from './catalog.ts'

const NDJSON = 'application/x-ndjson'
const TEN = { code: 'TEN', kind: 'percent', value: 10, active: true }
const SHIP = { code: 'SHIP', kind: 'shipping', value: 0, active: true }
const NONE = { created: 0, updated: 0, deleted: 0, unchanged: 0 }

let suite: Suite
let catalog: RunningCatalog
let cart: FakeCart

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  cart = await startFakeCart(suite)
})
beforeEach(() => cart.discounts.clear())
afterAll(async () => {
  await cart.stop()
  await suite.stop()
})

const send = (body: Record<string, unknown>) => importCatalogue(catalog.app, suite, body)
async function imported(body: Record<string, unknown>) {
  const response = await send(body)
  expect(response.statusCode, response.payload).toBe(200)
  return ImportResult.parse(response.json()).counts.discounts
}
const post = (payload: string, query = '', headers: object = suite.headers.admin(), type = 'application/json') =>
  catalog.app.inject({
    method: 'POST',
    url: `/admin/import${query}`,
    headers: { ...headers, 'content-type': type },
    payload,
  })
const exported = async (accept: string, permissions?: Parameters<typeof suite.headers.admin>[0]) => {
  const response = await catalog.app.inject({
    url: '/admin/export',
    headers: { ...suite.headers.admin(permissions), accept },
  })
  expect(response.statusCode, response.payload).toBe(200)
  return response.payload
}
const published = () => suite.eventsOf(DiscountsImported)
const codes = () => [...cart.discounts.keys()].toSorted()

describe('discounts of an import', () => {
  test('are published and counted when it replies, and a merge keeps the others', async () => {
    cart.put(TEN, { ...SHIP, code: 'OLD' })
    expect(await imported({ discounts: [{ ...TEN, code: ' ten ', value: 20 }, SHIP] })).toEqual({
      ...NONE,
      created: 1,
      updated: 1,
    })
    expect(codes()).toEqual(['OLD', 'SHIP', 'TEN'])
    expect(cart.discounts.get('TEN')?.value).toBe(20)
    expect(await imported({ discounts: [SHIP] })).toEqual({ ...NONE, unchanged: 1 })
  })

  test('are the only ones after an import that replaces', async () => {
    cart.put(TEN, SHIP)
    expect(await imported({ mode: 'replace', discounts: [TEN] })).toEqual({ ...NONE, unchanged: 1, deleted: 1 })
    expect(codes()).toEqual(['TEN'])
    expect(await imported({ mode: 'replace', discounts: [] })).toEqual({ ...NONE, deleted: 1 })
    expect(codes()).toEqual([])
  })

  test('stay unchanged when the file does not contain any', async () => {
    cart.put(TEN)
    const before = await published()
    expect(await imported({ mode: 'replace', products: [shirt('a')] })).toEqual(NONE)
    const lines = `${JSON.stringify({ type: 'import', data: { mode: 'replace' } })}\n{"type":"end","data":{"rows":0}}`
    expect((await post(lines, '', suite.headers.admin(['catalog:write', 'reviews:write']), NDJSON)).statusCode).toBe(
      200,
    )
    expect(codes()).toEqual(['TEN'])
    expect(await published()).toEqual(before)
  })

  test('are counted in a dry run, and not published', async () => {
    cart.put(TEN, SHIP)
    const before = await published()
    const response = await post(
      JSON.stringify({
        mode: 'replace',
        discounts: [
          { ...TEN, value: 5 },
          { ...TEN, code: 'NEW' },
        ],
      }),
      '?dry_run=1',
    )
    expect(ImportResult.parse(response.json()).counts.discounts).toEqual({
      ...NONE,
      created: 1,
      updated: 1,
      deleted: 1,
    })
    expect(await published()).toEqual(before)
    expect(codes()).toEqual(['SHIP', 'TEN'])
  })

  test('are published in parts of bounded size, numbered one after the other', async () => {
    const products = Array.from({ length: 1500 }, () => 'a-slug-that-is-rather-long')
    const large = Array.from({ length: 9 }, (_, index) => ({ ...TEN, code: `LARGE${index}`, products }))
    const many = Array.from({ length: 450 }, (_, index) => ({ ...TEN, code: `MANY${index}` }))
    const lastNumber = Math.max(0, ...(await published()).map(({ number }) => number))
    const sent = { products: [shirt('a-slug-that-is-rather-long')], discounts: [...large, ...many] }
    expect(await imported({ mode: 'replace', ...sent })).toEqual({ ...NONE, created: 459 })
    expect(cart.discounts.size).toBe(459)
    const parts = (await published()).filter(({ number }) => number > lastNumber)
    expect(new Set(parts.map(({ number }) => number))).toEqual(new Set([lastNumber + 1]))
    expect(parts.map(({ part }) => part)).toEqual(parts.map((_part, index) => index + 1))
    expect(parts.length).toBeGreaterThan(3)
    for (const part of parts) {
      expect(part.parts).toBe(parts.length)
      expect(part.discounts.length).toBeLessThanOrEqual(200)
      expect(JSON.stringify(part).length).toBeLessThan(400_000)
    }
    await imported({ mode: 'replace', discounts: [TEN] })
    expect(Math.max(...(await published()).map(({ number }) => number))).toBe(lastNumber + 2)
  })

  test('are rejected with the whole import when one of them is not valid', async () => {
    const response = await send({
      products: [shirt('good')],
      discounts: [
        TEN,
        { ...TEN, code: 'ten' },
        { code: 'FIVE', kind: 'fixed', value: 0 },
        { ...TEN, code: 'HUGE', products: Array.from({ length: 5000 }, (_, index) => `${index}`.padEnd(100, 'x')) },
      ],
    })
    expect(response.statusCode).toBe(422)
    const detail = z.object({ issues: z.array(z.looseObject({ path: z.string() })) })
    expect(detail.parse(ErrorBody.parse(response.json()).detail).issues).toEqual([
      { path: 'discounts.2.value', message: 'must be more than 0 minor units' },
      {
        path: 'discounts.3.products',
        message: 'must not take more than 400000 bytes as JSON, together with categories',
      },
      { path: 'discounts.1.code', message: 'TEN occurs twice in this import' },
    ])
    expect(codes()).toEqual([])
    expect((await catalog.app.inject({ url: '/products/good' })).statusCode).toBe(404)
  })

  test('are rejected for products and categories that the shop does not have after the import', async () => {
    await send({
      mode: 'replace',
      categories: [{ slug: 'coats', name: 'Coats' }],
      products: [
        shirt('kept', { id: 'prod_kept' }),
        shirt('moved', { id: 'prod_moved' }),
        shirt('same', { id: 'prod_same' }),
      ],
    })
    const names = ['kept', 'prod_kept', 'moved', 'prod_moved', 'renamed', 'new', 'prod_new', 'none']
    names.push('same', 'prod_same', 'prod_given')
    const body = (categories: string[]) => ({
      categories: [{ slug: 'hats', name: 'Hats' }],
      products: [
        { ...shirt('renamed', { id: 'prod_moved' }), variants: shirt('moved').variants },
        shirt('new', { id: 'prod_new' }),
        // Its slug identifies it, and it keeps its id.
        shirt('same', { id: 'prod_given' }),
      ],
      discounts: [TEN, { ...TEN, code: 'ONLY', products: names, categories }],
    })
    expect(issuesOf(await send(body(['hats', 'coats', 'none'])))).toEqual([
      { path: 'discounts.1.categories.2', message: 'unknown category none' },
      // The import gives it another slug: under the old one no cart would find it.
      { path: 'discounts.1.products.2', message: 'unknown product moved' },
      { path: 'discounts.1.products.7', message: 'unknown product none' },
      { path: 'discounts.1.products.10', message: 'unknown product prod_given' },
    ])
    expect(issuesOf(await send({ mode: 'replace', ...body(['hats', 'coats']) }))).toEqual([
      { path: 'discounts.1.categories.1', message: 'unknown category coats' },
      { path: 'discounts.1.products.0', message: 'unknown product kept' },
      { path: 'discounts.1.products.1', message: 'unknown product prod_kept' },
      { path: 'discounts.1.products.2', message: 'unknown product moved' },
      { path: 'discounts.1.products.7', message: 'unknown product none' },
      { path: 'discounts.1.products.10', message: 'unknown product prod_given' },
    ])
    expect(codes()).toEqual([])
    expect((await post(JSON.stringify({ mode: 'merge', ...body(['none']) }), '?dryRun=1')).statusCode).toBe(422)
  })

  test('that stay the same may name deleted records', async () => {
    const since = { ...TEN, code: 'SINCE', products: ['deleted-since'], categories: ['gone'] }
    cart.put(since)
    expect(await imported({ mode: 'replace', discounts: [since, TEN] })).toEqual({ ...NONE, created: 1, unchanged: 1 })
    expect((await send({ discounts: [{ ...since, value: 20 }] })).statusCode).toBe(422)
  })

  test('carry the actor of the import, for the audit of cart', async () => {
    const before = (await published()).length
    await imported({ discounts: [TEN] })
    expect((await published()).slice(before)).toMatchObject([{ actor: 'user_test' }])
  })

  test('require the permission to write discounts, in either kind of file', async () => {
    const headers = suite.headers.admin(['catalog:write', 'reviews:write'])
    const files: [string, string][] = [
      ['application/json', JSON.stringify({ mode: 'merge', discounts: [TEN] })],
      ['application/json', JSON.stringify({ mode: 'replace', discounts: [] })],
      [NDJSON, JSON.stringify({ type: 'discount', data: TEN })],
      [NDJSON, '{"type":"import","data":{"mode":"replace","discounts":true}}\n{"type":"end","data":{"rows":0}}'],
    ]
    cart.put(SHIP)
    for (const [type, payload] of files) {
      const response = await post(payload, '', headers, type)
      expect(response.json(), payload).toMatchObject({ code: 'forbidden', detail: { permission: 'discounts:write' } })
    }
    expect(codes()).toEqual(['SHIP'])
  })

  test('of an import without a waiting request are published as well', async () => {
    const response = await post(JSON.stringify({ mode: 'merge', discounts: [TEN] }), '?async=1')
    const { id } = ImportJob.parse(response.json())
    await waitFor('the discount', () => cart.discounts.has('TEN'))
    const job = await catalog.app.inject({ url: `/admin/import/${id}`, headers: suite.headers.admin() })
    expect(ImportJob.parse(job.json()).result?.counts.discounts.created).toBe(1)
  })
})

describe('an export', () => {
  test.each(['application/json', NDJSON])(
    'as %s restores the discounts, and again with the same bytes',
    async (type) => {
      expect((await send({ products: [shirt('a'), shirt('b')] })).statusCode).toBe(200)
      const when = { startsAt: '2026-01-01T00:00:00.000Z', minSubtotal: 5, categories: [], products: ['b', 'a'] }
      cart.put(
        { ...TEN, ...when, label: '' },
        SHIP,
        ...Array.from({ length: 201 }, (_, i) => ({ ...TEN, code: `P${i}` })),
      )
      const text = await exported(type)
      const before = await published()
      const again = await post(text, '', suite.headers.admin(), type)
      expect(ImportResult.parse(again.json()).counts.discounts).toEqual({ ...NONE, unchanged: 203 })
      expect(await published()).toEqual(before)
      expect(await exported(type)).toBe(text)
      cart.discounts.clear()
      cart.put({ ...TEN, code: 'OTHER' })
      await post(text, '', suite.headers.admin(), type)
      expect(await exported(type)).toBe(text)
    },
  )

  test.each(['application/json', NDJSON])('as %s of a shop without discounts leaves none in another', async (type) => {
    const text = await exported(type)
    cart.put(TEN)
    expect((await post(text, '', suite.headers.admin(), type)).statusCode).toBe(200)
    expect(codes()).toEqual([])
  })

  test.each(['application/json', NDJSON])(
    'as %s contains no codes without permission, and deletes none',
    async (type) => {
      cart.put(TEN)
      const text = await exported(type, ['catalog:read'])
      expect(text).not.toContain('TEN')
      expect((await post(text, '', suite.headers.admin(), type)).statusCode).toBe(200)
      expect(codes()).toEqual(['TEN'])
    },
  )
})

test('discounts that change back before an import was consumed are still published', async () => {
  cart.put(TEN)
  // As if an import was published before, and cart was slow.
  await suite.sql('update catalog.discount_imports set last_number = last_number + 1')
  const before = (await published()).length
  expect(await imported({ mode: 'replace', discounts: [TEN] })).toEqual({ ...NONE, unchanged: 1 })
  expect(await published()).toHaveLength(before + 1)
  expect(await imported({ mode: 'replace', discounts: [TEN] })).toEqual({ ...NONE, unchanged: 1 })
  expect(await published()).toHaveLength(before + 1)
})

test('an import by a version that could not import discounts is shown with none', async () => {
  const id = `imp_${newId('event')}`
  const zero = JSON.stringify(NONE)
  const kinds = ['products', 'categories', 'collections', 'sizeCharts', 'reviews', 'library']
  await suite.sql(
    `insert into catalog.import_jobs (id, created_at, changed_at, finished_at, actor, mode, dry_run, attended, status, result)
    values ($1, now(), now(), now(), '{}', 'merge', false, true, 'done', $2)`,
    [
      id,
      `{"ok":true,"mode":"merge","settingsChanged":false,"durationMs":1,"counts":{${kinds.map((kind) => `"${kind}":${zero}`).join()}}}`,
    ],
  )
  const response = await catalog.app.inject({ url: `/admin/import/${id}`, headers: suite.headers.admin() })
  expect(ImportJob.parse(response.json()).result?.counts.discounts).toEqual(NONE)
  await suite.sql('delete from catalog.import_jobs where id = $1', [id])
})

test('while cart does not reply, nothing with discounts is imported or exported, and everything else is', async () => {
  await cart.stop()
  for (const body of [
    { products: [shirt('late')], discounts: [TEN] },
    { mode: 'replace', discounts: [] },
  ]) {
    const response = await send(body)
    expect(response.json()).toMatchObject({ code: 'service_unavailable' })
    expect(response.statusCode).toBe(503)
  }
  expect((await catalog.app.inject({ url: '/products/late' })).statusCode).toBe(404)
  const whole = await catalog.app.inject({ url: '/admin/export', headers: suite.headers.admin() })
  expect(whole.statusCode).toBe(503)
  await exported(NDJSON, ['catalog:read'])
  expect(await imported({ products: [shirt('late')], discounts: [] })).toEqual(NONE)
  expect((await catalog.app.inject({ url: '/products/late' })).statusCode).toBe(200)
  cart = await startFakeCart(suite)
})
