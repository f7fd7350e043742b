import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BulkEdit, listOf } from '@storefront/contracts'
import { createSuite, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { bulkEditsOf, manyIds, SALE } from './bulk-edits.ts'
import { importCatalogue, shirt, startTestCatalog, usd } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

const { send, finished, run, preview, product, patch, put } = bulkEditsOf(() => ({ suite, catalog }))

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
})

afterAll(() => suite.stop())

async function errorOf(payload: object, path = '/admin/products/bulk') {
  const response = await send('POST', path, payload)
  const body = response.json<{ code: string; detail?: { issues?: { path: string; message: string }[] } }>()
  return { status: response.statusCode, code: body.code, issues: body.detail?.issues }
}

describe('a preview', () => {
  test('shows the fields before and after for twenty products, counts all, and changes nothing', async () => {
    await put(manyIds(30), { sizes: ['M'] })
    await patch('shirt-0029', { price: usd(0) })
    const { version } = await product('shirt-0000')
    const shown = await preview({ filter: {} }, SALE)
    expect(shown).toMatchObject({ total: 30, changed: 29, unchanged: 1, failed: 0, problems: [] })
    expect(shown.sample).toHaveLength(20)
    expect(shown.sample[0]).toEqual({
      id: expect.stringMatching(/^shirt-/),
      title: expect.stringMatching(/^Shirt shirt-/),
      before: { price: usd(4000), compareAtPrice: null },
      after: { price: usd(3200), compareAtPrice: usd(4000) },
    })
    expect((await product('shirt-0000')).version).toBe(version)
    expect(await suite.sql(`select 1 from catalog.bulk_edits where state <> 'done' and state <> 'cancelled'`)).toEqual(
      [],
    )
  })

  test('shows what the bulk edit then does, variants included', async () => {
    const own = { sku: 'OWN', options: { Size: 'M' }, price: usd(4501) }
    await put(['coat'], { variants: [{ sku: 'S', options: { Size: 'S' } }, own] })
    const [shown] = (await preview({ ids: ['coat'] }, SALE)).sample
    await run({ ids: ['coat'] }, SALE)
    const { price, compareAtPrice, variants } = await product('coat')
    expect(shown?.after).toMatchObject({ price, compareAtPrice, variants: [{ sku: 'OWN', price: variants[1]?.price }] })
    expect(shown?.before.variants).toMatchObject([{ sku: 'OWN', price: usd(4501), compareAtPrice: null }])
  })
})

describe('the request for a bulk edit', () => {
  test('that is repeated with its key gets the same bulk edit for a day, and only for the same caller', async () => {
    await put(['coat'])
    const payload = { products: { ids: ['coat'] }, change: { kind: 'price', percent: -10 } }
    const key = { 'idempotency-key': 'spring' }
    const first = await send('POST', '/admin/products/bulk', payload, key)
    const edit = await finished(BulkEdit.parse(first.json()))
    const second = await send('POST', '/admin/products/bulk', payload, key)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.headers['location']).toBe(`/admin/products/bulk/${edit.id}`)
    expect([second.statusCode, second.json()]).toEqual([202, edit])
    expect((await product('coat')).price).toEqual(usd(3600))
    const other = { ...payload, change: { kind: 'price', percent: -11 } }
    const mismatch = await send('POST', '/admin/products/bulk', other, key)
    expect([mismatch.statusCode, mismatch.json<{ code: string }>().code]).toEqual([409, 'idempotency_mismatch'])
    const another = await send('POST', '/admin/products/bulk', other, { ...key, ...suite.headers.adminUser('user_2') })
    await finished(BulkEdit.parse(another.json()))
    await suite.sql(`update catalog.bulk_edits set created_at = created_at - interval '25 hours' where id = $1`, [
      edit.id,
    ])
    const later = BulkEdit.parse((await send('POST', '/admin/products/bulk', payload, key)).json())
    expect(later.id).not.toBe(edit.id)
    await finished(later)
  })

  test('that is sent several times at once with one key starts one bulk edit', async () => {
    await put(['coat'])
    const payload = { products: { ids: ['coat'] }, change: { kind: 'price', percent: -10 } }
    // A key has no spaces.
    const rejected = await Promise.all(
      Array.from({ length: 5 }, () => send('POST', '/admin/products/bulk', payload, { 'idempotency-key': 'at once' })),
    )
    expect(rejected.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422, 422, 422])
    const sent = await Promise.all(
      Array.from({ length: 5 }, () => send('POST', '/admin/products/bulk', payload, { 'idempotency-key': 'at-once' })),
    )
    const edits = sent.map((reply) => BulkEdit.parse(reply.json()))
    expect(new Set(edits.map(({ id }) => id)).size).toBe(1)
    for (const edit of edits) await finished(edit)
    expect((await product('coat')).price).toEqual(usd(3600))
  })

  test('is rejected when a category does not exist, and is not stored', async () => {
    await put(['coat'])
    const [{ count } = { count: 0 }] = await suite.sql<{ count: number }>(
      'select count(*)::int as count from catalog.bulk_edits',
    )
    const payload = { products: { ids: ['coat'] }, change: { kind: 'categories', add: ['none'] } }
    const rejected = {
      status: 422,
      code: 'validation_failed',
      issues: [{ path: 'change.add.0', message: 'there is no category none' }],
    }
    expect(await errorOf(payload)).toEqual(rejected)
    expect(await errorOf(payload, '/admin/products/bulk/preview')).toEqual(rejected)
    expect(await suite.sql('select 1 from catalog.bulk_edits')).toHaveLength(count)
  })

  test.each([
    ['no selection', { change: SALE }],
    ['two selections', { products: { ids: ['a'], filter: {} }, change: SALE }],
    ['no id', { products: { ids: [] }, change: SALE }],
    ['too many ids', { products: { ids: manyIds(999).concat('a', 'b') }, change: SALE }],
    ['an unknown filter', { products: { filter: { colour: 'red' } }, change: SALE }],
    ['an unknown kind', { products: { ids: ['a'] }, change: { kind: 'title' } }],
    ['two changes', { products: { ids: ['a'] }, change: { ...SALE, published: true } }],
  ])('with %s is rejected', async (_what, payload) => {
    expect((await errorOf(payload)).status).toBe(422)
    expect((await errorOf(payload, '/admin/products/bulk/preview')).status).toBe(422)
  })

  test('needs the permission to write; a preview and the list need that to read', async () => {
    await put(['coat'])
    const { version } = await product('coat')
    const payload = { products: { ids: ['coat'] }, change: SALE }
    const reader = suite.headers.admin(['catalog:read'])
    const statusOf = async (method: 'GET' | 'POST' | 'DELETE', path: string, headers: Record<string, string>) =>
      (
        await send(
          method,
          `/admin/products/bulk${path}`,
          method === 'POST' && path !== '/x/undo' ? payload : undefined,
          headers,
        )
      ).statusCode
    expect(await statusOf('POST', '', reader)).toBe(403)
    expect(await statusOf('DELETE', '/x', reader)).toBe(403)
    expect(await statusOf('POST', '/x/undo', reader)).toBe(403)
    expect(await statusOf('POST', '/preview', reader)).toBe(200)
    expect(await statusOf('GET', '', reader)).toBe(200)
    expect(await statusOf('GET', '/x', reader)).toBe(404)
    expect(await statusOf('POST', '/preview', suite.headers.admin(['orders:read']))).toBe(403)
    expect(await statusOf('GET', '', suite.headers.customer('cus_1'))).toBe(403)
    expect((await product('coat')).version).toBe(version)
  })
})

describe('the list of bulk edits', () => {
  beforeEach(() => suite.sql('delete from catalog.bulk_edits'))

  test('has the latest first, page by page', async () => {
    await put(['coat'])
    const made: string[] = []
    for (const tag of ['a', 'b', 'c']) made.unshift((await run({ ids: ['coat'] }, { kind: 'tags', add: [tag] })).id)
    const page = async (query: string) => {
      const body = (await send('GET', `/admin/products/bulk?${query}`)).json<{ nextBeforeId?: string }>()
      return { ...listOf(BulkEdit).parse(body), nextBeforeId: body.nextBeforeId }
    }
    const first = await page('per_page=2')
    expect(first).toMatchObject({ total: 3, items: [{ id: made[0] }, { id: made[1] }], nextBeforeId: made[1] })
    expect(await page('per_page=2&before_id=')).toEqual(first)
    const second = await page(`per_page=2&before_id=${first.nextBeforeId}`)
    expect(second.items.map(({ id }) => id)).toEqual([made[2]])
    expect(second.nextBeforeId).toBeUndefined()
    expect(await page('per_page=2&page=2')).toEqual(second)
  })
})

test('a product cannot have the id bulk, under which no merchant could read it', async () => {
  const response = await importCatalogue(catalog.app, suite, { products: [{ id: 'bulk', ...shirt('a') }] })
  expect(response.json()).toMatchObject({
    code: 'validation_failed',
    detail: { issues: [{ path: 'products.0.id', message: 'must not be bulk, the path of a list' }] },
  })
})
