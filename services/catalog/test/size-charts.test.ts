import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOf, SizeChart } from '@storefront/contracts'
import { createSuite, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { importCatalogue, startTestCatalog } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
})

afterAll(() => suite.stop())

const chart = (id: string) => ({ id, unit: 'cm', note: '', columns: ['Size', 'Chest'], rows: [['S', 90]] })

const replaceCharts = async (ids: string[]) => {
  const response = await importCatalogue(catalog.app, suite, { mode: 'replace', sizeCharts: ids.map(chart) })
  expect(response.statusCode).toBe(200)
}

const list = async () => {
  const { statusCode, headers, body } = await catalog.app.inject({ url: '/size-charts' })
  expect(statusCode).toBe(200)
  return { headers, ...listOf(SizeChart).parse(JSON.parse(body)) }
}

test('a shop without size charts has an empty list of them', async () => {
  const { items, total, headers } = await list()
  expect({ items, total }).toEqual({ items: [], total: 0 })
  expect(headers['surrogate-key']).toBe('size-charts')
})

test('size charts are listed by id, for a shared cache to keep until one of them changes', async () => {
  await replaceCharts(['tops', 'shoes'])
  const { items, total, headers } = await list()
  expect(items).toEqual([chart('shoes'), chart('tops')])
  expect(total).toBe(2)
  expect(headers['surrogate-key']).toBe('size-charts')
  expect(headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=600')
})
