import { array, assert, asyncProperty, double, nat, string, tuple } from 'fast-check'
import { listOf, Product, ProductUpdated, SettingsUpdated, SizeChart } from '@storefront/contracts'
import { amount, createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Database } from '../src/database.ts'
import type { RunningCatalog } from '../src/start.ts'
import { fill, getAsShopper, importCatalogue, purgedBy, sendAsAdmin, shirt, startTestCatalog } from './catalog.ts'
import { openWriter, saveMeanwhile, untilPublished } from './save-meanwhile.ts'

let suite: Suite
let catalog: RunningCatalog
let writer: Database

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  writer = openWriter(suite)
})

afterAll(async () => {
  await writer.destroy()
  await suite.stop()
})

const chart = (chest = 90) => ({
  id: 'tops',
  unit: 'cm',
  note: 'Laid flat.',
  columns: ['Size', 'Chest', 'Length'],
  rows: [
    ['S', chest, 60],
    ['M', chest + 4, 62.5],
  ],
})

async function openShop(): Promise<void> {
  const shoes = { id: 'shoes', unit: 'EU', columns: ['Size'], rows: [[38]] }
  const products = [
    shirt('linen', { sizeChartId: 'tops' }),
    shirt('wool', { sizeChartId: 'tops' }),
    shirt('draft', { sizeChartId: 'tops', published: false }),
    shirt('shoe', { sizeChartId: 'shoes' }),
    shirt('bare'),
  ]
  const response = await importCatalogue(catalog.app, suite, {
    mode: 'replace',
    sizeCharts: [chart(), shoes],
    products,
  })
  expect(response.statusCode, response.payload.slice(0, 500)).toBe(200)
}

const write = (method: 'POST' | 'DELETE', path: string, payload?: unknown) =>
  sendAsAdmin(catalog.app, suite, method, `/admin/size-charts${path}`, payload)

const read = async (url: string): Promise<unknown> => {
  const response = await catalog.app.inject({ url, headers: suite.headers.admin(['catalog:read']) })
  expect(response.statusCode, url).toBe(200)
  return response.json()
}
const page = async (slug: string) => Product.parse(await read(`/products/${slug}`))
const charts = async () => listOf(SizeChart).parse(await read('/size-charts')).items
const rawCharts = z.array(z.object({ id: z.string(), note: z.string().optional() })).optional()
const Charts = z.object({ items: rawCharts, sizeCharts: rawCharts })

describe('an invalid size chart', () => {
  beforeAll(openShop)

  test.each([
    ['no body', ''],
    ['a measurement that is a range', { ...chart(), rows: [['S', '86-91', 60]] }],
    ['a negative measurement', { ...chart(), rows: [['S', -1, 60]] }],
    ['a measurement that overflows', '{"id":"tops","unit":"cm","columns":["Size","Chest"],"rows":[["S",1e999]]}'],
    ['a measurement that is null', { ...chart(), rows: [['S', null, 60]] }],
    ['rows that are objects', { ...chart(), rows: [{ size: 'S' }] }],
    ['rows within rows', { ...chart(), rows: [[['S'], 90, 60]] }],
    ['no columns', { ...chart(), columns: [], rows: [] }],
    ['a thousand columns', { ...chart(), columns: Array(1000).fill('x'), rows: [] }],
    ['too many rows', { ...chart(), rows: Array.from({ length: 501 }, () => ['S', 1, 2]) }],
    ['a blank id', { ...chart(), id: ' ' }],
    ['an id of a megabyte', { ...chart(), id: 'x'.repeat(1_000_000) }],
    ['NUL in its note', { ...chart(), note: 'a\0b' }],
    ['brackets without end', '['.repeat(5000)],
  ])('is rejected with %s', async (_what, payload) => {
    const before = await charts()
    const { status, body } = await write('POST', '', payload)
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'validation_failed' })
    expect(await charts()).toEqual(before)
  })
})

describe('a saved size chart', () => {
  beforeEach(openShop)

  test('is listed, new or changed, and returned as it was sent', async () => {
    const hats = { id: 'hats', unit: 'cm', columns: ['Size', 'Head'], rows: [[56, 56.5]] }
    expect(await write('POST', '', hats)).toMatchObject({ status: 200, body: { ...hats, note: '' } })
    expect((await charts()).map((each) => each.id)).toEqual(['hats', 'shoes', 'tops'])
    const { note: _none, ...plain } = chart(100)
    expect((await write('POST', '', plain)).body).toEqual({ ...plain, note: '' })
    expect(await charts()).toContainEqual({ ...plain, note: '' })
  })

  test('has a note in every response, also when it was stored without', async () => {
    const { note: _none, ...plain } = chart(101)
    await write('POST', '', plain)
    expect((await page('linen')).sizeChart).toEqual({ ...plain, note: '' })
    await suite.sql(`update catalog.size_charts set document = document - 'note' where id = 'tops'`)
    const stored = await suite.sql(`select document->'note' as note from catalog.size_charts where id = 'tops'`)
    expect(stored).toEqual([{ note: null }])
    const all: unknown[] = [await read('/size-charts'), await read('/admin/size-charts'), await read('/admin/export')]
    const lists = all.map((each) => Charts.parse(each)).map(({ items, sizeCharts }) => items ?? sizeCharts)
    expect(lists.map((each) => each?.find(({ id }) => id === 'tops')?.note)).toEqual(['', '', ''])
    const [linen] = await suite.sql<{ id: string }>(`select id from catalog.products where slug = 'linen'`)
    await suite.sql(`update catalog.product_responses set page = '{}' where slug = 'linen'`)
    await suite.sql(`insert into catalog.refresh_queue (product_id) values ('${linen?.id}')`)
    await waitFor('the page', async () => Product.safeParse(await read('/products/linen')).success)
    expect((await page('linen')).sizeChart).toEqual({ ...plain, note: '' })
  })

  test('shows on the pages of all its products at once, and purges them', async () => {
    const { headers } = await write('POST', '', chart(95))
    expect(purgedBy(headers)).toEqual(expect.arrayContaining(['size-charts', 'product:linen', 'product:wool']))
    expect(purgedBy(headers)).not.toContain('product:shoe')
    for (const slug of ['linen', 'wool']) expect((await page(slug)).sizeChart).toEqual(chart(95))
    expect((await page('shoe')).sizeChart).toMatchObject({ id: 'shoes' })
  })

  test('is published and recorded when it changes, and not otherwise', async () => {
    await suite.sql('delete from catalog.audit_entries')
    await untilPublished(suite)
    const published = (await suite.eventsOf(SettingsUpdated)).length
    await write('POST', '', chart(95))
    expect((await write('POST', '', chart(95))).headers['surrogate-purge']).toBeUndefined()
    await write('POST', '', { ...chart(), id: 'hats' })
    await waitFor('the events', async () => (await suite.eventsOf(SettingsUpdated)).length >= published + 2)
    expect((await suite.eventsOf(SettingsUpdated)).length).toBe(published + 2)
    const entries = await suite.sql(
      'select action, subject_kind, subject_id, before, after from catalog.audit_entries order by id',
    )
    expect(entries).toEqual([
      {
        action: 'update',
        subject_kind: 'size-chart',
        subject_id: 'tops',
        before: { rows: chart().rows },
        after: { rows: chart(95).rows },
      },
      {
        action: 'create',
        subject_kind: 'size-chart',
        subject_id: 'hats',
        before: null,
        after: { ...chart(), id: 'hats' },
      },
    ])
  })

  test('has numbers where its editor sent texts, and texts for the sizes', async () => {
    const rows = [
      ['38', '90', ' 60.5 '],
      [40, 94, '0'],
      ['86-91', '98.25', 64],
    ]
    const { status, body } = await write('POST', '', { ...chart(), rows })
    const numbers = [
      ['38', 90, 60.5],
      [40, 94, 0],
      ['86-91', 98.25, 64],
    ]
    expect({ status, body }).toEqual({ status: 200, body: { ...chart(), rows: numbers } })
    expect(await charts()).toContainEqual({ ...chart(), rows: numbers })
    expect((await page('linen')).sizeChart?.rows).toEqual(numbers)
    const imported = await importCatalogue(catalog.app, suite, { sizeCharts: [{ ...chart(), id: 'texts', rows }] })
    expect(imported.statusCode, imported.payload).toBe(200)
    expect(await charts()).toContainEqual({ ...chart(), id: 'texts', rows: numbers })
  })

  test('is rejected with the row and the column of each cell that is not a number', async () => {
    const rows = [
      ['S', '86-91', 60],
      ['M', '–', ''],
      ['L', '51,5', '1e3'],
    ]
    const { status, body } = await write('POST', '', { ...chart(), rows })
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'validation_failed' })
    const [, chest, length] = chart().columns
    expect(body.detail.issues).toEqual([
      {
        path: 'rows.0.1',
        message: `row 1 ("S"), column 2 ("${chest}"): is "86-91" and must be a number such as 51.5; give a range in two columns, one for each end`,
      },
      { path: 'rows.1.1', message: `row 2 ("M"), column 2 ("${chest}"): is "–" and must be a number such as 51.5` },
      { path: 'rows.1.2', message: `row 2 ("M"), column 3 ("${length}"): is empty and must be a number` },
      { path: 'rows.2.1', message: `row 3 ("L"), column 2 ("${chest}"): is "51,5" and must be a number such as 51.5` },
      { path: 'rows.2.2', message: `row 3 ("L"), column 3 ("${length}"): is "1e3" and must be a number such as 51.5` },
    ])
    const imported = await importCatalogue(catalog.app, suite, { sizeCharts: [{ ...chart(), rows }] })
    expect(imported.json().detail.issues).toHaveLength(5)
    expect(imported.json().detail.issues[0].path).toBe('sizeCharts.0.rows.0.1')
    expect(await charts()).toContainEqual(chart())
  })

  test('without an id is a new one with a generated id', async () => {
    const { id: _id, ...fields } = chart()
    const made = [await write('POST', '', { ...fields, id: '' }), await write('POST', '', fields)]
    const ids = made.map(({ status, body }) => {
      expect(status).toBe(200)
      expect(body).toEqual({ ...fields, id: expect.stringMatching(/^chart_[0-9a-f]{32}$/) })
      return body.id
    })
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(await charts()).toContainEqual({ ...fields, id })
    const again = await write('POST', '', { ...fields, id: ids[0], note: 'Laid flat' })
    expect(again.body).toMatchObject({ id: ids[0], note: 'Laid flat' })
    expect((await charts()).filter(({ id }) => ids.includes(id))).toHaveLength(2)
  })

  test('is rejected with each row that does not have a cell for each column', async () => {
    const rows = [['S', 90, 60], ['M', 94], ['L', 98, 64, 1], []]
    const { status, body } = await write('POST', '', { ...chart(), rows })
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'validation_failed' })
    const paths = body.detail.issues.map((issue: { path: string }) => issue.path)
    expect(paths).toContain('rows.3.0')
    const other = await write('POST', '', { ...chart(), rows: rows.slice(0, 3) })
    expect(other.body.detail.issues).toEqual([
      { path: 'rows.1', message: 'must have 3 cells, one for each column, and has 2' },
      { path: 'rows.2', message: 'must have 3 cells, one for each column, and has 4' },
    ])
    expect(await charts()).toContainEqual(chart())
  })

  test('is read back as it was written, whatever its cells contain', async () => {
    const cell = double({ min: 0, max: 1e6, noNaN: true }).map((value) => Math.round(value * 10) / 10)
    const rows = array(tuple(string({ unit: 'grapheme', maxLength: 20 }), cell, cell), { maxLength: 20 })
    await assert(
      asyncProperty(rows, nat(3), async (given, extra) => {
        // JSON has no negative zero.
        const wanted = { ...chart(), rows: given.map((row) => row.map((each) => (each === 0 ? 0 : each))) }
        expect(await write('POST', '', wanted)).toMatchObject({ status: 200 })
        expect((await page('linen')).sizeChart).toEqual(wanted)
        const columns = [...chart().columns, ...Array<string>(extra).fill('More')]
        const isRejected = extra > 0 && given.length > 0
        expect((await write('POST', '', { ...wanted, columns })).status).toBe(isRejected ? 422 : 200)
      }),
      { numRuns: amount({ quick: 3, long: 12 }) },
    )
  })
})

describe('a deleted size chart', () => {
  beforeEach(openShop)

  test('is removed from its products, which are otherwise unchanged', async () => {
    const { sizeChart, sizeChartId, ...before } = await page('linen')
    expect([sizeChartId, sizeChart?.id]).toEqual(['tops', 'tops'])
    const response = await write('DELETE', '/tops')
    expect(response).toMatchObject({ status: 200, body: { ok: true } })
    expect(purgedBy(response.headers)).toEqual(expect.arrayContaining(['size-charts', 'product:linen', 'product:wool']))
    expect(await page('linen')).toEqual(before)
    expect((await charts()).map((each) => each.id)).toEqual(['shoes'])
    expect((await page('shoe')).sizeChart?.id).toBe('shoes')
    const again = await importCatalogue(catalog.app, suite, { products: [shirt('linen')] })
    expect(again.json().counts.products).toMatchObject({ unchanged: 1 })
    // A chart that is created again under the same id is another one.
    await write('POST', '', chart())
    expect((await page('linen')).sizeChart).toBeUndefined()
  })

  test('is published with its products, and recorded', async () => {
    await untilPublished(suite)
    const [published, saved] = [await suite.eventsOf(SettingsUpdated), await suite.eventsOf(ProductUpdated)]
    await write('DELETE', '/tops')
    await waitFor('the events', async () => (await suite.eventsOf(SettingsUpdated)).length > published.length)
    await waitFor('the products', async () => (await suite.eventsOf(ProductUpdated)).length >= saved.length + 3)
    const updated = (await suite.eventsOf(ProductUpdated)).slice(saved.length)
    expect(updated.map((each) => each.slug).toSorted()).toEqual(['draft', 'linen', 'wool'])
    const [entry] = await suite.sql(
      `select subject_id, before, after from catalog.audit_entries where action = 'delete' order by id desc limit 1`,
    )
    expect(entry).toMatchObject({ subject_id: 'tops', before: { ...chart(), products: 3 }, after: null })
  })

  test('may have any id that an import gave it', async () => {
    const id = 'Men’s/tops & more'
    await importCatalogue(catalog.app, suite, { sizeCharts: [{ ...chart(), id }] })
    expect(await write('DELETE', `/${encodeURIComponent(id)}`)).toMatchObject({ status: 200 })
    expect((await charts()).map((each) => each.id)).toEqual(['shoes', 'tops'])
  })

  test('must exist', async () => {
    expect(await write('DELETE', '/hats')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await write('DELETE', '/%00')).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
  })

  test('can be saved and deleted concurrently, and its products show the result', async () => {
    const responses = await Promise.all(
      [...Array(20).keys()].map((nth) =>
        nth % 3 === 0
          ? write('DELETE', '/shoes')
          : write('POST', '', { ...chart(nth), id: nth % 2 === 0 ? 'tops' : 'shoes' }),
      ),
    )
    for (const { status } of responses) expect([200, 404]).toContain(status)
    const tops = (await charts()).find((each) => each.id === 'tops')
    expect((await page('linen')).sizeChart).toEqual(tops)
  })
})

describe('a product that is given a size chart at the same time', () => {
  beforeEach(openShop)

  test('as the chart changes shows the new content', async () => {
    const change = () => write('POST', '', chart(99))
    expect((await saveMeanwhile(suite, writer, shirt('late', { sizeChartId: 'tops' }), change)).status).toBe(200)
    expect((await page('late')).sizeChart).toEqual(chart(99))
  })

  test('as the chart is deleted is without it', async () => {
    const remove = () => write('DELETE', '/tops')
    expect((await saveMeanwhile(suite, writer, shirt('late', { sizeChartId: 'tops' }), remove)).status).toBe(200)
    const { sizeChart, sizeChartId } = await page('late')
    expect([sizeChart, sizeChartId]).toEqual([undefined, undefined])
  })
})

test('merchants see how many products use each chart, drafts too', async () => {
  await openShop()
  expect(await read('/admin/size-charts')).toEqual({
    items: [
      { id: 'shoes', unit: 'EU', note: '', columns: ['Size'], rows: [[38]], productCount: 1, etag: expect.any(String) },
      { ...chart(), productCount: 3, etag: expect.any(String) },
    ],
    total: 2,
  })
})

test('only an admin with the permission reads or writes size charts', async () => {
  await openShop()
  const calls = [
    ['GET', '', undefined],
    ['POST', '', chart(95)],
    ['DELETE', '/tops', undefined],
  ] as const
  for (const [method, path, payload] of calls) {
    const send = async (headers: Record<string, string>) => {
      const url = `/admin/size-charts${path}`
      return (await catalog.app.inject({ method, url, headers, ...(payload && { payload }) })).statusCode
    }
    const other = method === 'GET' ? 'catalog:write' : 'catalog:read'
    expect(await send({}), method).toBe(401)
    expect(await send(suite.headers.customer('cus_1')), method).toBe(403)
    expect(await send(suite.headers.admin([other])), method).toBe(403)
  }
  expect(await charts()).toContainEqual(chart())
})

async function shownToShoppers() {
  const { status, headers, body } = await getAsShopper(catalog.app, '/size-charts')
  expect(status).toBe(200)
  return { headers, ...listOf(SizeChart).parse(body) }
}

test('a shop without size charts has an empty list of them', async () => {
  await fill(catalog.app, suite, { mode: 'replace' })
  const { items, total, headers } = await shownToShoppers()
  expect({ items, total }).toEqual({ items: [], total: 0 })
  expect(headers['surrogate-key']).toBe('size-charts')
})

test('size charts are listed by id, for a shared cache to keep until one of them changes', async () => {
  const small = (id: string) => ({ id, unit: 'cm', note: '', columns: ['Size', 'Chest'], rows: [['S', 90]] })
  await fill(catalog.app, suite, { mode: 'replace', sizeCharts: [small('tops'), small('shoes')] })
  const { items, total, headers } = await shownToShoppers()
  expect(items).toEqual([small('shoes'), small('tops')])
  expect(total).toBe(2)
  expect(headers['surrogate-key']).toBe('size-charts')
  expect(headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=600')
})
