import { followRule } from '@storefront/postgres/testing'
import { manualClock } from '@storefront/service/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSuite, type Suite } from '@storefront/tools/testing'
import type { Tx } from '../src/database.ts'
import { RETENTION } from '../src/retention.ts'
import type { RunningCatalog } from '../src/start.ts'
import { bulkEditsOf, SALE } from './bulk-edits.ts'
import { startTestCatalog, usd } from './catalog.ts'
import { lockCategory, lockProductMeanwhile, openWriter } from './save-meanwhile.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Far enough in the past that no test moves it beyond the validity of its actors' signatures. */
const clock = manualClock('2025-03-03T12:00:00.000Z')

let suite: Suite
let catalog: RunningCatalog

const { send, read, run, undo, product, patch, put } = bulkEditsOf(() => ({ suite, catalog }))

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite, {}, clock)
})

afterAll(() => suite.stop())

async function conflictOf(id: string): Promise<string> {
  const response = await send('POST', `/admin/products/bulk/${id}/undo`)
  expect(response.statusCode, response.payload).toBe(409)
  return response.json<{ message: string }>().message
}

describe('an undo', () => {
  test('restores what the bulk edit changed, with the prices of variants, and nothing else', async () => {
    const own = { sku: 'OWN', options: { Size: 'M' }, price: usd(4500), inventory: 4 }
    await put(['coat'], { variants: [{ sku: 'S', options: { Size: 'S' } }, own] })
    const before = await product('coat')
    const edit = await run({ ids: ['coat'] }, SALE)
    expect(edit.undoUntil).toBe(new Date(clock.now().getTime() + 60 * MINUTE_MS).toISOString())
    await patch('coat', { subtitle: 'Warm' })
    const undone = await undo(edit)
    expect(undone).toMatchObject({ state: 'done', undoes: edit.id, total: 1, changed: 1, failed: 0 })
    expect(undone).not.toHaveProperty('undoUntil')
    expect(await product('coat')).toEqual({ ...before, subtitle: 'Warm', version: before.version + 3 })
    const after = await read(edit.id)
    expect(after.undoneBy).toBe(undone.id)
    expect(after).not.toHaveProperty('undoUntil')
  })

  test('skips a product whose field was changed since, and restores the others', async () => {
    await put(['cap', 'coat', 'hat'])
    const edit = await run({ filter: {} }, SALE)
    await patch('coat', { price: usd(3000) })
    await send('DELETE', '/admin/products/hat')
    const undone = await undo(edit)
    expect(undone).toMatchObject({ total: 3, changed: 1, failed: 2 })
    expect(undone.problems).toEqual([
      {
        id: 'coat',
        title: 'Shirt coat',
        reason: 'changed-since',
        message: 'This product was changed after the bulk edit.',
      },
      { id: 'hat', title: null, reason: 'deleted', message: 'This product does not exist.' },
    ])
    expect(await product('coat')).toMatchObject({ price: usd(3000), compareAtPrice: usd(4000) })
    expect(await product('cap')).toMatchObject({ price: usd(4000), compareAtPrice: null })
  })

  test('touches only products that the bulk edit changed', async () => {
    await put(['cap', 'coat'])
    await patch('coat', { tags: ['wool'] })
    const edit = await run({ filter: {} }, { kind: 'tags', add: ['wool'] })
    expect(edit).toMatchObject({ changed: 1, unchanged: 1 })
    expect(await undo(edit)).toMatchObject({ total: 1, changed: 1 })
    expect((await product('coat')).tags).toEqual(['wool'])
    expect((await product('cap')).tags).toEqual([])
  })

  test('does not bring a product into a category that was deleted since', async () => {
    await put(['cap', 'coat'], { categories: ['men'] }, { categories: [{ slug: 'men', name: 'Men' }] })
    const edit = await run({ ids: ['cap'] }, { kind: 'categories', remove: ['men'] })
    await send('DELETE', '/admin/categories/men')
    expect(await undo(edit)).toMatchObject({
      changed: 0,
      failed: 1,
      problems: [{ id: 'cap', reason: 'not-possible', message: 'The category men no longer exists.' }],
    })
  })

  test('and a change of a category that it restores do not deadlock', async () => {
    await put(['cap'], { categories: ['men'] }, { categories: [{ slug: 'men', name: 'Men' }] })
    const edit = await run({ ids: ['cap'] }, { kind: 'categories', remove: ['men'] })
    const locked = (tx: Tx) => lockCategory(tx, 'men')
    const writer = openWriter(suite)
    try {
      await lockProductMeanwhile(suite, writer, { slug: 'cap', locked, request: () => undo(edit) })
    } finally {
      await writer.destroy()
    }
    expect((await product('cap')).categories).toEqual(['men'])
  })

  test('is created once for repeated requests, and cannot itself be undone', async () => {
    await put(['coat'])
    const edit = await run({ ids: ['coat'] }, SALE)
    const undone = await undo(edit)
    expect((await undo(edit)).id).toBe(undone.id)
    expect(await conflictOf(undone.id)).toBe('An undo cannot be undone.')
  })

  test('works for an hour after the end of the bulk edit', async () => {
    await put(['coat'])
    const edit = await run({ ids: ['coat'] }, SALE)
    const late = await run({ ids: ['coat'] }, { kind: 'tags', add: ['late'] })
    clock.advance(60 * MINUTE_MS)
    expect(await undo(late)).toMatchObject({ changed: 1 })
    clock.advance(1)
    expect(await conflictOf(edit.id)).toBe('A bulk edit can be undone for one hour, which has passed.')
    expect((await product('coat')).price).toEqual(usd(3200))
  })

  test('of a bulk edit that changed nothing, or that does not exist, is an error', async () => {
    await put(['coat'])
    const edit = await run({ ids: ['coat'] }, { kind: 'published', published: true })
    expect(edit).not.toHaveProperty('undoUntil')
    expect(await conflictOf(edit.id)).toBe('This bulk edit changed nothing.')
    expect((await send('POST', '/admin/products/bulk/none/undo')).statusCode).toBe(404)
  })
})

test('the data for an undo is deleted after two days, and the bulk edit after thirty', async () => {
  await put(['coat'])
  const { id } = await run({ ids: ['coat'] }, SALE)
  const db = openWriter(suite)
  const rows = () => suite.sql('select 1 from catalog.bulk_edit_products where edit_id = $1', [id])
  try {
    clock.advance(2 * DAY_MS - MINUTE_MS)
    await followRule(RETENTION['products of bulk edits'], { db, clock })
    expect(await rows()).toHaveLength(1)
    clock.advance(2 * MINUTE_MS)
    await followRule(RETENTION['products of bulk edits'], { db, clock })
    await followRule(RETENTION['old bulk edits'], { db, clock })
    expect(await rows()).toEqual([])
    expect(await read(id)).toMatchObject({ changed: 1 })
    clock.advance(28 * DAY_MS)
    await followRule(RETENTION['old bulk edits'], { db, clock })
    expect((await send('GET', `/admin/products/bulk/${id}`)).statusCode).toBe(404)
  } finally {
    await db.destroy()
  }
})
