import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BulkEdit } from '@storefront/contracts'
import { amount, createSuite, waitForLock, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { bulkEditsOf, manyIds, SALE, whileLocked } from './bulk-edits.ts'
import { startTestCatalog, usd } from './catalog.ts'

const BATCH = amount({ quick: 20, long: 500 })

let suite: Suite
let catalog: RunningCatalog

const { send, read, start, finished, run, undo, cancel, product, put } = bulkEditsOf(() => ({ suite, catalog }))

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite, { BULK_EDIT_BATCH: String(BATCH) })
})

afterAll(() => suite.stop())

describe('a cancellation', () => {
  test('keeps what is done, leaves the remaining products unchanged, and can be undone', async () => {
    const ids = manyIds(BATCH + 10)
    await put(ids, { sizes: ['M'] })
    // The first batch is committed, the second one waits for one of its products.
    const edit = await whileLocked(suite, `products where id = '${ids.at(-1)}'`, async () => {
      const started = await start({ filter: {} }, { kind: 'price', percent: -10 })
      await waitForLock(suite, 'from products')
      const early = await send('POST', `/admin/products/bulk/${started.id}/undo`)
      expect([early.statusCode, early.json<{ message: string }>().message]).toEqual([
        409,
        'This bulk edit has not ended yet. Wait for it, or cancel it first.',
      ])
      expect((await cancel(started)).json()).toEqual({ ok: true })
      return started
    })
    const ended = await read(edit.id)
    expect(ended).toMatchObject({ state: 'cancelled', total: ids.length, done: ended.changed })
    expect(ended.changed).toBeGreaterThanOrEqual(BATCH)
    expect(ended.changed).toBeLessThan(ids.length)
    expect((await cancel(edit)).json()).toEqual({ ok: true })
    expect(await undo(edit)).toMatchObject({ total: ended.changed, changed: ended.changed })
    expect(await suite.sql(`select 1 from catalog.products where price_minor = 4000`)).toHaveLength(ids.length)
  })

  test('of a waiting bulk edit leaves all of its products unchanged', async () => {
    await put(['coat'])
    const { first, second } = await whileLocked(suite, `products where id = 'coat'`, async () => {
      const edits = {
        first: await start({ ids: ['coat'] }, { kind: 'price', percent: -10 }),
        second: await start({ ids: ['coat'] }, { kind: 'price', percent: -50 }),
      }
      expect((await cancel(edits.second)).statusCode).toBe(200)
      return edits
    })
    await finished(first)
    expect(await read(second.id)).toMatchObject({ state: 'cancelled', done: 0, total: 1 })
    expect((await product('coat')).price).toEqual(usd(3600))
  })

  test('of one that is done, or does not exist, is an error', async () => {
    await put(['coat'])
    const edit = await run({ ids: ['coat'] }, SALE)
    const response = await cancel(edit)
    expect([response.statusCode, response.json()]).toMatchObject([409, { detail: { state: 'done' } }])
    expect((await cancel({ id: 'none' })).statusCode).toBe(404)
  })

  test('of an undo allows another one, which restores the remaining products', async () => {
    await put(['coat'])
    const edit = await run({ ids: ['coat'] }, SALE)
    const { first, canceled } = await whileLocked(suite, `products where id = 'coat'`, async () => {
      const blocking = await start({ ids: ['coat'] }, { kind: 'tags', add: ['x'] })
      const requested = BulkEdit.parse((await send('POST', `/admin/products/bulk/${edit.id}/undo`)).json())
      expect((await cancel(requested)).statusCode).toBe(200)
      return { first: blocking, canceled: requested }
    })
    await finished(first)
    const again = await undo(edit)
    expect(again.id).not.toBe(canceled.id)
    expect((await product('coat')).price).toEqual(usd(4000))
  })
})
