import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSuite, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { bulkEditsOf, manyIds, SALE } from './bulk-edits.ts'
import { startTestCatalog, usd } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

const { run, preview, product, patch, put } = bulkEditsOf(() => ({ suite, catalog }))

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
})

afterAll(() => suite.stop())

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
