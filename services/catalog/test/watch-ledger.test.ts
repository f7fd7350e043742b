import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../src/database.ts'
import type { RunningCatalog } from '../src/start.ts'
import { watchLedger } from '../src/stock/watch-ledger.ts'
import { importCatalogue, shirt, startTestCatalog } from './catalog.ts'
import { addMovements, rowsRead } from './movements.ts'
import { openWriter } from './save-meanwhile.ts'

/** A check reads the last 1000 movements again, because late commits may be among them, and some that are new. */
const FEW_MOVEMENTS = 1500

let suite: Suite
let catalog: RunningCatalog
let db: Database
let popular: string
let other: string

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  db = openWriter(suite)
  await importCatalogue(catalog.app, suite, { products: [shirt('shirt', { sizes: ['S', 'M'] })] })
  const ids = await suite.sql<{ id: string }>('select id from catalog.variants order by position')
  popular = ids[0]?.id ?? ''
  other = ids[1]?.id ?? ''
})

afterAll(async () => {
  await db.destroy()
  await suite.stop()
})

const move = (variantId: string, units: number) =>
  suite.sql(
    `insert into catalog.stock_movements (variant_id, on_hand_delta, reserved_delta, kind, at)
     values ($1, $2, 0, 'adjusted', now())`,
    [variantId, units],
  )
const addStock = (variantId: string, units: number) =>
  suite.sql('update catalog.stock set on_hand = on_hand + $2 where variant_id = $1', [variantId, units])

/** Reads until a check needs no more than the latest movements. */
async function untilRead(check: ReturnType<typeof watchLedger>): Promise<{ units: number }> {
  return waitFor('a check that reads little', async () => {
    const [units, read] = await rowsRead(db, check)
    return read <= FEW_MOVEMENTS && { units }
  })
}

test('a check of the ledger reads only new movements, however many a variant has', async () => {
  await addMovements(suite, popular, 20_000)
  const check = watchLedger()
  const [first, read] = await rowsRead(db, check)
  expect(first).toBe(0)
  expect(read).toBeGreaterThan(5000)
  expect(await untilRead(check)).toEqual({ units: 0 })

  await move(popular, 3)
  await addStock(popular, 3)
  const [second, readAgain] = await rowsRead(db, check)
  expect(second).toBe(0)
  expect(readAgain).toBeLessThanOrEqual(FEW_MOVEMENTS)
})

test('a variant whose stock differs from its movements is reported until they agree, even without new ones', async () => {
  const check = watchLedger()
  expect(await untilRead(check)).toEqual({ units: 0 })
  await move(popular, 2)
  await move(other, -5)
  expect(await check(db)).toBe(7)
  await addMovements(suite, popular, 2000)
  expect(await check(db)).toBe(7)
  await addStock(popular, 2)
  await waitFor('the first to be right', async () => (await check(db)) === 5)
  await suite.sql('delete from catalog.stock_movements where variant_id = $1 and on_hand_delta = -5', [other])
  await waitFor('the second to be right', async () => (await check(db)) === 0)
  expect(await check(db)).toBe(0)
})
