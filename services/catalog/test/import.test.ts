import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { amount, createSuite, waitFor, waitForLock, type Suite } from '@storefront/tools/testing'
import { ImportJob, ImportResult, ProductUpdated } from '@storefront/contracts'
import type { RunningCatalog } from '../src/start.ts'
import { keepImportsOnce } from '../src/transfer/process-imports.ts'
import { FREQUENT_POLLS, fill, issueTextsOf, shirt, startTestCatalog, usd } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite, FREQUENT_POLLS)
})
afterAll(() => suite.stop())
beforeEach(() => fill(catalog.app, suite, { mode: 'replace', settings: {} }))

const lines = (...rows: unknown[]) =>
  rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n')
const row = (type: string, data: unknown) => ({ type, data })
const chart = (id: string) => ({ id, unit: 'cm', columns: ['Size'], rows: [['S']] })

async function send(payload: string | Buffer, query = '', headers: Record<string, string> = {}) {
  return catalog.app.inject({
    method: 'POST',
    url: `/admin/import${query}`,
    headers: { ...suite.headers.admin(), 'content-type': 'application/x-ndjson', ...headers },
    payload,
  })
}

async function jobOf(id: string): Promise<ImportJob> {
  const response = await catalog.app.inject({ url: `/admin/import/${id}`, headers: suite.headers.admin() })
  return ImportJob.parse(response.json())
}

async function stagedRows(): Promise<number> {
  const [counted] = await suite.sql<{ count: number }>('select count(*)::int as count from catalog.import_rows')
  return counted?.count ?? -1
}

async function productSlugs(): Promise<string[]> {
  const rows = await suite.sql<{ slug: string }>('select slug from catalog.products order by slug')
  return rows.map(({ slug }) => slug)
}

const ALL_KINDS = [
  row('review', { product: 'linen', author: 'Ada', rating: 5, body: 'Fine.' }),
  row('collection', { slug: 'summer', title: 'Summer', products: ['linen'] }),
  row('product', shirt('linen', { categories: ['shirts'], sizeChartId: 'tops' })),
  row('category', { slug: 'shirts', name: 'Shirts', parent: 'women' }),
  row('category', { slug: 'women', name: 'Women' }),
  row('sizeChart', chart('tops')),
  row('attribute', { key: 'origin', label: 'Origin', values: ['Portugal'] }),
  row('feature', { icon: 'leaf', title: 'Organic', body: '' }),
  row('library', { assurances: [{ icon: 'package', label: 'Free returns' }] }),
  row('settings', { store: { name: 'Loom' } }),
]

test('an import whose rows cannot be deleted afterwards is applied and purged, and the rows are deleted later', async () => {
  await suite.sql(`create function catalog.keep_row() returns trigger language plpgsql as
      'begin raise exception using errcode = ''57014''; end';
    create trigger keep_row before delete on catalog.import_rows for each row execute function catalog.keep_row()`)
  try {
    const response = await send(lines(row('product', shirt('linen'))))
    expect([response.statusCode, response.payload]).toEqual([200, expect.stringContaining('"created":1')])
    expect(response.headers['surrogate-purge']).toContain('product:linen')
    const faulty = await send(lines(row('product', shirt('linen', { price: -1 }))))
    expect([faulty.statusCode, faulty.json().code]).toEqual([422, 'validation_failed'])
    expect(await stagedRows()).toBeGreaterThan(0)
  } finally {
    await suite.sql('drop function catalog.keep_row cascade')
  }
  await keepImportsOnce(catalog.context)
  expect(await stagedRows()).toBe(0)
})

describe('NDJSON', () => {
  test('is accepted in any order of its lines, and counts every kind', async () => {
    const response = await send(lines(row('import', { mode: 'merge' }), ...ALL_KINDS))
    expect(response.statusCode, response.payload).toBe(200)
    const created = (count: number) => ({ created: count, updated: 0, deleted: 0, unchanged: 0 })
    expect(ImportResult.parse(response.json())).toMatchObject({
      mode: 'merge',
      settingsChanged: true,
      counts: {
        products: created(1),
        categories: created(2),
        collections: created(1),
        sizeCharts: created(1),
        reviews: created(1),
        library: created(3),
      },
    })
    const again = await send(lines(...ALL_KINDS))
    expect(again.statusCode, again.payload).toBe(200)
    const counts = Object.values(ImportResult.parse(again.json()).counts)
    expect(counts.map(({ created, updated, deleted }) => created + updated + deleted)).toEqual([0, 0, 0, 0, 0, 0, 0])
    const page = await catalog.app.inject({ url: '/products/linen' })
    expect(page.json()).toMatchObject({ categories: ['shirts'], rating: { count: 1 }, sizeChart: { id: 'tops' } })
    expect(await stagedRows()).toBe(0)
  })

  test('reports all errors of every invalid row, and changes nothing', async () => {
    const response = await send(
      lines(
        row('product', shirt('good')),
        '{"type":"product"',
        row('product', { ...shirt('bad'), price: usd(1.5) }),
        '',
        row('spaceship', {}),
        row('product', { ...shirt('nul'), title: 'a\u0000b' }),
        row('discount', { code: 'TEN' }),
        'null',
      ),
    )
    expect(response.statusCode).toBe(422)
    expect(issueTextsOf(response)).toEqual([
      'line 2: is not JSON; the file may be truncated here',
      'line 3: data.price.amount: must be a whole number',
      expect.stringMatching(/^line 5: must be/),
      'line 6: must not contain NUL characters, lone surrogates or more than 100 levels',
      expect.stringMatching(/^line 7: data.kind: /),
      expect.stringMatching(/^line 8: must be/),
    ])
    expect(await productSlugs()).toEqual([])
    expect(await stagedRows()).toBe(0)
  })

  test('finds errors across lines: duplicates, missing records, cycles, other currencies', async () => {
    const response = await send(
      lines(
        row('product', shirt('a', { id: 'p1', categories: ['nowhere'], sizeChartId: 'none' })),
        row('product', { ...shirt('a'), id: 'p1' }),
        row('product', {
          ...shirt('c', { sizes: [] }),
          variants: [
            { id: 'v1', sku: 'A-S' },
            { id: 'v1', sku: 'C' },
          ],
        }),
        row('product', { ...shirt('d'), price: { amount: 1, currency: 'EUR' } }),
        row('category', { slug: 'x', name: 'X', parent: 'y' }),
        row('category', { slug: 'y', name: 'Y', parent: 'x' }),
        row('category', { slug: 'z', name: 'Z', parent: 'gone' }),
        row('collection', { slug: 'all', title: 'All', products: ['a', 'ghost'] }),
        row('review', { product: 'ghost', author: 'Ada', rating: 1 }),
        row('sizeChart', chart('one')),
        row('sizeChart', chart('one')),
      ),
    )
    expect(response.statusCode).toBe(422)
    expect(issueTextsOf(response)).toEqual([
      'line 2: data.slug: a occurs twice in this import',
      'line 11: data.id: one occurs twice in this import',
      'line 2: data.id: p1 occurs twice in this import',
      'line 2: data.variants.0.sku: A-S occurs twice in this import',
      'line 2: data.variants.1.sku: A-M occurs twice in this import',
      'line 3: data.variants.0.sku: A-S occurs twice in this import',
      'line 1: data.categories: there is no category nowhere',
      'line 7: data.parent: there is no category gone',
      'line 1: data.sizeChartId: there is no size chart none',
      'line 8: data.products: there is no product ghost',
      'line 9: data.product: there is no product ghost',
      'categories: x would be its own ancestor',
      'categories: y would be its own ancestor',
      'line 3: data.variants.1.id: is already used by another variant of this product',
      'line 4: data.price: must be in USD, the currency of the store',
    ])
    expect(response.json().detail.total).toBe(15)
    expect(await productSlugs()).toEqual([])
  })

  test('finds all of that beside invalid rows, and accepts references to those', async () => {
    const response = await send(
      lines(
        row('category', { slug: 'tops', name: '' }),
        row('category', { slug: 'shirts', name: 'Shirts', parent: 'tops' }),
        row('sizeChart', { ...chart('wide'), rows: 'S' }),
        row('product', { ...shirt('bad'), price: usd(1.5) }),
        row('product', shirt('a', { categories: ['tops', 'shirts'], sizeChartId: 'wide' })),
        row('product', shirt('b', { categories: ['nowhere'] })),
        row('product', { ...shirt('c'), price: { amount: 1, currency: 'EUR' } }),
        row('product', { ...shirt('bad'), title: 'Bad again' }),
        row('collection', { slug: 'all', title: 'All', products: ['a', 'bad', 'ghost'] }),
        row('settings', { pricing: { currency: 'USD' }, checkout: { mode: 'barter' } }),
      ),
    )
    expect(response.statusCode).toBe(422)
    expect(issueTextsOf(response)).toEqual([
      'line 1: data.name: must not be blank',
      expect.stringMatching(/^line 3: data\.rows: /),
      'line 4: data.price.amount: must be a whole number',
      'settings.checkout.mode: must be one of demo, api, redirect, razorpay',
      'line 8: data.slug: bad occurs twice in this import',
      'line 8: data.variants.0.sku: BAD-S occurs twice in this import',
      'line 8: data.variants.1.sku: BAD-M occurs twice in this import',
      'line 6: data.categories: there is no category nowhere',
      'line 9: data.products: there is no product ghost',
      'line 7: data.price: must be in USD, the currency of the store',
    ])
    expect(response.json().detail.total).toBe(10)
    expect(await stagedRows()).toBe(0)
  })

  test('does not assume that an invalid category keeps its parent', async () => {
    await send(lines(row('category', { slug: 'y', name: 'Y' }), row('category', { slug: 'x', name: 'X', parent: 'y' })))
    const response = await send(
      lines(row('category', { slug: 'x', name: '' }), row('category', { slug: 'y', name: 'Y', parent: 'x' })),
    )
    expect(issueTextsOf(response)).toEqual(['line 1: data.name: must not be blank'])
  })

  test('reports a duplicate product once, and finds other errors beside rows without a name', async () => {
    expect((await send(lines(row('product', shirt('one', { id: 'p1' }))))).statusCode).toBe(200)
    const response = await send(
      lines(
        row('product', shirt('one', { id: 'p1' })),
        row('product', { ...shirt('two'), id: 'p1' }),
        row('review', null),
        row('collection', { title: 'Nameless' }),
        row('product', shirt('three', { categories: ['nowhere'] })),
      ),
    )
    expect(issueTextsOf(response)).toEqual([
      expect.stringMatching(/^line 3: data: /),
      expect.stringMatching(/^line 4: data\.slug: /),
      'line 2: data.id: p1 occurs twice in this import',
      'line 5: data.categories: there is no category nowhere',
    ])
  })

  test('does not report a missing record when a lost row might have been it', async () => {
    const response = await send(
      lines(row('product', shirt('a', { categories: ['tops'] })), '{"type":"category","data":{"slug":"tops"'),
    )
    expect(issueTextsOf(response)).toEqual(['line 2: is not JSON; the file may be truncated here'])
  })

  test('reports the number of errors when there are more than it shows', async () => {
    const response = await send(lines(...Array.from({ length: 250 }, () => row('product', {}))))
    expect(response.json().detail.total).toBe(250)
    expect(response.json().detail.issues).toHaveLength(100)
  })

  test('a category of the shop cannot become its own ancestor either', async () => {
    await send(lines(row('category', { slug: 'x', name: 'X' }), row('category', { slug: 'y', name: 'Y', parent: 'x' })))
    const response = await send(lines(row('category', { slug: 'x', name: 'X', parent: 'y' })))
    expect(issueTextsOf(response)).toContain('categories: x would be its own ancestor')
  })

  test('finds every category that would be deeper than 20 levels, of the file and of the shop', async () => {
    const chain = (name: string, length: number, top: string | null = null) =>
      Array.from({ length }, (_, nth) => ({
        slug: `${name}-${nth + 1}`,
        name,
        parent: nth === 0 ? top : `${name}-${nth}`,
      }))
    const rows = (categories: unknown[]) => lines(...categories.map((data) => row('category', data)))
    const tooDeep = (place: string, slug: string) => `${place}: ${slug} would be deeper in the tree than 20 levels`
    expect((await send(rows(chain('a', 20)))).statusCode).toBe(200)
    const below = await send(rows(chain('b', 3, 'a-18').toReversed()))
    expect(below.statusCode, below.payload).toBe(422)
    expect(issueTextsOf(below)).toEqual([tooDeep('line 1: data.parent', 'b-3')])
    const moved = await send(rows([...chain('c', 2), { slug: 'a-1', name: 'a', parent: 'c-2' }]))
    expect(issueTextsOf(moved)).toEqual([tooDeep('categories', 'a-19'), tooDeep('categories', 'a-20')])
    const replaced = await send(lines(rows(chain('d', 22)), row('end', { rows: 22 })), '?mode=replace')
    expect(issueTextsOf(replaced)).toEqual([
      tooDeep('line 21: data.parent', 'd-21'),
      tooDeep('line 22: data.parent', 'd-22'),
    ])
  })

  test('accepts changes in a tree that was deeper before, and reports the number of rows of a very deep one', async () => {
    const chain = Array.from({ length: amount({ quick: 1000, long: 20_000 }) }, (_, nth) => ({
      slug: `deep-${nth}`,
      name: 'Deep',
      parent: nth === 0 ? null : `deep-${nth - 1}`,
    }))
    const rejected = await send(lines(...chain.map((data) => row('category', data))))
    expect(rejected.json().detail.total).toBe(chain.length - 20)
    await suite.sql(
      `insert into catalog.categories (slug, name, parent, blurb)
       select slug, 'Deep', parent, '' from json_to_recordset($1) as t (slug text, parent text)`,
      [JSON.stringify(chain.slice(0, 22))],
    )
    const renamed = { ...chain[21], name: 'Renamed' }
    expect((await send(lines(row('category', renamed), row('category', { slug: 'x', name: 'X' })))).statusCode).toBe(
      200,
    )
    const deeper = await send(lines(row('category', { slug: 'y', name: 'Y', parent: 'deep-21' })))
    expect(issueTextsOf(deeper)).toEqual(['line 1: data.parent: y would be deeper in the tree than 20 levels'])
  })

  test('accepts a byte order mark, Windows line ends and a last line without an end', async () => {
    const response = await send(
      `\uFEFF${JSON.stringify(row('product', shirt('one')))}\r\n\r\n${JSON.stringify(row('product', shirt('two')))}`,
    )
    expect(response.statusCode, response.payload).toBe(200)
    expect(await productSlugs()).toEqual(['one', 'two'])
  })

  test.each([
    [
      'text that is not UTF-8',
      Buffer.concat([Buffer.from('{"type":"product","data":{"title":"'), Buffer.from([0xe9, 0x22])]),
      'line 1: is not UTF-8 text',
    ],
    ['a packed file', Buffer.from([0x1f, 0x8b, 8, 0]), 'line 1: is compressed; decompress the file first'],
    [
      'a line that is too long',
      Buffer.concat([Buffer.alloc(9 * 1024 * 1024, 32), Buffer.from('\n{}')]),
      'line 1: must not exceed 8388608 bytes',
    ],
    [
      'nesting without end',
      Buffer.from(`{"type":"settings","data":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`),
      'line 1: must not contain NUL characters, lone surrogates or more than 100 levels',
    ],
    [
      'a file that lost some of its lines',
      Buffer.from(lines(row('product', shirt('a')), row('end', { rows: 2 }))),
      'end: the file declares 2 rows, but 1 arrived',
    ],
  ])('rejects %s', async (_what, body, issue) => {
    const response = await send(body)
    expect(response.statusCode).toBe(422)
    expect(issueTextsOf(response)).toContain(issue)
    expect(await stagedRows()).toBe(0)
  })

  test('other routes still reject these bodies', async () => {
    const response = await catalog.app.inject({
      method: 'DELETE',
      url: '/admin/import/none',
      headers: { ...suite.headers.admin(), 'content-type': 'text/csv' },
      payload: 'a,b',
    })
    expect(response.statusCode).toBe(415)
  })
})

describe('slugs, SKUs and ids', () => {
  const idOf = async (slug: string) =>
    (await suite.sql<{ id: string }>('select id from catalog.products where slug = $1', [slug]))[0]?.id

  test('two products may swap slugs, in a cycle of three and across chunks too', async () => {
    // More than one chunk of 500.
    const count = amount({ quick: 510, long: 1100 })
    const [last, late] = [`s${count - 1}`, `s${count - 5}`]
    const names = Array.from({ length: count }, (_, index) => `s${index}`)
    const product = (slug: string, id: string) => row('product', shirt(slug, { id, sizes: ['S'], variants: [] }))
    const moved = new Map([
      ['s0', last],
      [last, 's0'],
      ['s1', 's2'],
      ['s2', late],
      [late, 's1'],
    ])
    await send(lines(...[...moved.keys()].map((name) => product(name, `p-${name}`))))
    const response = await send(lines(...names.map((name) => product(moved.get(name) ?? name, `p-${name}`))))
    expect(response.statusCode, response.payload).toBe(200)
    expect(response.json().counts.products).toEqual({ created: count - 5, updated: 5, deleted: 0, unchanged: 0 })
    for (const [from, to] of moved) expect(await idOf(to)).toBe(`p-${from}`)
    expect(await suite.sql('select * from catalog.former_slugs')).toEqual([])
    const page = await catalog.app.inject({ url: '/products/s0' })
    expect(page.json().id).toBe(`p-${last}`)
  })

  test('a slug that another product keeps is rejected by name', async () => {
    await send(lines(row('product', shirt('linen', { id: 'p1' })), row('product', shirt('silk', { id: 'p2' }))))
    const response = await send(lines(row('product', { ...shirt('other'), id: 'p1', slug: 'silk' })))
    expect(issueTextsOf(response)).toEqual(['line 1: data.slug: silk is the slug of another product'])
  })

  test('a SKU and a variant of another product are rejected by name', async () => {
    const silk = { ...shirt('silk', { sizes: ['S'] }), variants: [{ id: 'v1', sku: 'SILK' }] }
    await send(lines(row('product', silk)))
    const linen = { ...shirt('linen'), variants: [{ id: 'v1', sku: 'SILK' }] }
    const response = await send(lines(row('product', linen)))
    expect(issueTextsOf(response)).toEqual([
      'line 1: data.variants.0.sku: SKU SILK belongs to another product',
      'line 1: data.variants.0.id: variant v1 belongs to another product',
    ])
    const replaced = await send(lines(row('product', linen), row('end', { rows: 1 })), '?mode=replace')
    expect(replaced.json().counts.products).toEqual({ created: 1, updated: 0, deleted: 1, unchanged: 0 })
  })

  test('a former slug of a product still identifies it, for a collection and for a review', async () => {
    await send(lines(row('product', shirt('old', { id: 'p1' }))))
    await send(lines(row('product', { ...shirt('old'), id: 'p1', slug: 'new' })))
    const response = await send(
      lines(
        row('collection', { slug: 'all', title: 'All', products: ['old', 'new'] }),
        row('review', { product: 'old', author: 'Ada', rating: 4 }),
      ),
    )
    expect(response.statusCode, response.payload).toBe(200)
    expect((await catalog.app.inject({ url: '/products?collection=all' })).json().total).toBe(1)
    expect((await catalog.app.inject({ url: '/products/new' })).json().rating.count).toBe(1)
  })

  test('slugs made from titles are distinct, wherever in the file the same one is given', async () => {
    const untitled = { title: 'Linen Shirt', price: usd(100) }
    const rows = [untitled, { ...shirt('linen-shirt-2') }, untitled, { ...shirt('linen-shirt') }, untitled]
    const response = await send(lines(...rows.map((each) => row('product', each))))
    expect(response.statusCode, response.payload).toBe(200)
    expect(await productSlugs()).toEqual([
      'linen-shirt',
      'linen-shirt-2',
      'linen-shirt-3',
      'linen-shirt-4',
      'linen-shirt-5',
    ])
  })
})

describe('a dry run', () => {
  test('reports what would happen, kind by kind and field by field, and the import then does exactly that', async () => {
    await send(lines(...ALL_KINDS, row('product', shirt('silk')), row('product', shirt('wool'))))
    const sale = { price: usd(5000), compareAtPrice: usd(6000) }
    const silk = shirt('silk', { title: 'Silk', ...sale, inventory: 3 })
    const next = lines(
      row('product', shirt('linen', { categories: ['shirts'], sizeChartId: 'tops' })),
      row('product', { ...silk, variants: silk.variants.map((variant) => ({ ...variant, ...sale })) }),
      row('product', shirt('new')),
      row('category', { slug: 'shirts', name: 'Blouses' }),
      row('collection', { slug: 'winter', title: 'Winter', products: ['new'] }),
      row('sizeChart', chart('tops')),
      row('review', { product: 'new', author: 'Bob', rating: 2 }),
      row('attribute', { key: 'origin', label: 'Made in', values: ['Spain'] }),
      row('end', { rows: 8 }),
    )
    const changed = ['title', 'price', 'compareAtPrice', 'variants']
    const changes = { merge: [{ slug: 'silk', fields: changed }], replace: [] }
    for (const [mode, expected] of Object.entries(changes)) {
      const before = await suite.sql('select id, version, fingerprint from catalog.products order by id')
      const written = await suite.sql('select count(*) from catalog.audit_entries')
      const dry = await send(next, `?dry_run=1&mode=${mode}`)
      expect(dry.statusCode, dry.payload).toBe(200)
      expect(dry.json()).toMatchObject({ dryRun: true })
      expect(dry.json().changes).toEqual(expected)
      expect(await suite.sql('select id, version, fingerprint from catalog.products order by id')).toEqual(before)
      expect(await suite.sql('select count(*) from catalog.audit_entries')).toEqual(written)
      const done = await send(next, `?mode=${mode}`)
      expect(done.json().counts, mode).toEqual(dry.json().counts)
    }
  })

  test.each([
    ['in the body', { dry_run: true }, ''],
    ['in the body under its other name', { dryRun: true }, ''],
    ['in the address', {}, '?dry_run=1'],
    ['in the address under its other name', {}, '?dryRun=true'],
    ['in the body against the address', { dry_run: true }, '?dry_run=0'],
    ['in the address against the body', { dry_run: false }, '?dry_run=1'],
  ])('is requested with %s', async (_where, given, query) => {
    const json = { 'content-type': 'application/json' }
    const body = JSON.stringify({ mode: 'merge', products: [shirt('one'), shirt('two')], ...given })
    const ndjson = lines(row('import', { mode: 'merge', ...given }), row('product', shirt('one')))
    for (const [dry, products] of [
      [await send(body, query, json), 2],
      [await send(ndjson, query), 1],
    ] as const) {
      expect(dry.statusCode, dry.payload).toBe(200)
      expect(ImportResult.parse(dry.json())).toMatchObject({ dryRun: true, products })
      expect(dry.json().counts.products.created).toBe(products)
    }
    const queued = await send(body, query === '' ? '?async=1' : `${query}&async=1`, json)
    expect(queued.json()).toMatchObject({ dryRun: true })
    const done = await waitFor('the dry run', async () => {
      const job = await jobOf(queued.json().id)
      return job.status === 'done' && job
    })
    expect(done.result?.dryRun).toBe(true)
    expect(await productSlugs()).toEqual([])
  })

  test.each([{ dry_run: 'true' }, { dryRun: 1 }, { dry_run: null }])(
    'is not an import either with another value: %j',
    async (given) => {
      const body = JSON.stringify({ mode: 'merge', products: [shirt('one')], ...given })
      const response = await send(body, '', { 'content-type': 'application/json' })
      expect(response.statusCode).toBe(422)
      expect(issueTextsOf(response)).toEqual([`${Object.keys(given)[0]}: must be true or false`])
      expect(await productSlugs()).toEqual([])
    },
  )

  test('finds the errors that the import would have', async () => {
    const response = await send(lines(row('review', { product: 'ghost', author: 'Ada', rating: 1 })), '?dry_run=1')
    expect(issueTextsOf(response)).toEqual(['line 1: data.product: there is no product ghost'])
  })
})

describe('an import without a waiting request', () => {
  const COUNT = 10
  const PRODUCTS = Array.from({ length: COUNT }, (_, index) => row('product', shirt(`s${index}`)))

  test('returns its address, and is done after a while', async () => {
    const response = await send(lines(...PRODUCTS), '?async=1')
    expect(response.statusCode, response.payload).toBe(202)
    const queued = ImportJob.parse(response.json())
    expect(response.headers['location']).toBe(`/admin/import/${queued.id}`)
    const done = await waitFor('the import', async () => {
      const job = await jobOf(queued.id)
      return job.status === 'done' && job
    })
    expect(done.progress).toMatchObject({ rowsRead: COUNT, rowsApplied: COUNT })
    expect(done.actor).toBe('user_test')
    expect(done.result?.counts.products.created).toBe(COUNT)
    expect(await productSlugs()).toHaveLength(COUNT)
    await waitFor('the rows to be dropped', async () => (await stagedRows()) === 0)
    const list = await catalog.app.inject({ url: '/admin/imports?per_page=1', headers: suite.headers.admin() })
    expect(list.json()).toMatchObject({ items: [{ id: queued.id, status: 'done' }], nextBeforeId: queued.id })
  })

  test('keeps its errors for later reads', async () => {
    const response = await send(lines(row('review', { product: 'ghost', author: 'Ada', rating: 1 })), '?async=1')
    const failed = await waitFor('the import to fail', async () => {
      const job = await jobOf(response.json().id)
      return job.status === 'failed' && job
    })
    expect(failed).toMatchObject({ issueCount: 1, issues: [{ path: 'line 1: data.product' }] })
  })

  test('can be canceled while it waits for a lock, and leaves nothing', async () => {
    await suite.sql('begin')
    await suite.sql('select 1 from catalog.settings for update')
    const { id } = (await send(lines(...PRODUCTS), '?async=1')).json()
    await waitForLock(suite, 'settings')
    const cancelled = await catalog.app.inject({
      method: 'DELETE',
      url: `/admin/import/${id}`,
      headers: suite.headers.admin(),
    })
    expect(cancelled.statusCode, cancelled.payload).toBe(200)
    await suite.sql('commit')
    await waitFor('the rows to be dropped', async () => (await stagedRows()) === 0)
    expect(await productSlugs()).toEqual([])
    expect((await jobOf(id)).status).toBe('cancelled')
  })

  test('is tried again when the rows that it changes stay locked for too long', async () => {
    await suite.sql(`
      create sequence catalog.tries;
      create function catalog.fail_first() returns trigger language plpgsql security definer as $$ begin
        -- A sequence counts on after a rollback.
        if nextval('catalog.tries') = 1 then raise 'canceling statement due to lock timeout' using errcode = '55P03'; end if;
        return null;
      end $$;
      create trigger fail_first before insert on catalog.products execute function catalog.fail_first()`)
    const { id } = (await send(lines(...PRODUCTS), '?async=1')).json()
    await waitFor('the first try', async () => {
      const [tries] = await suite.sql<{ is_called: boolean }>('select is_called from catalog.tries')
      return tries?.is_called
    })
    // Another import wakes the worker before its next poll.
    await send(lines(...PRODUCTS), '?async=1&dry_run=1')
    await waitFor('the import to end', async () => (await jobOf(id)).finishedAt)
    await suite.sql('drop function catalog.fail_first cascade; drop sequence catalog.tries')
    expect((await jobOf(id)).status).toBe('done')
    expect(await productSlugs()).toHaveLength(COUNT)
  })

  test('cannot be canceled after it is done', async () => {
    const { headers } = await send(lines(...PRODUCTS))
    const url = String(headers['location'])
    const response = await catalog.app.inject({ method: 'DELETE', url, headers: suite.headers.admin() })
    expect(response.statusCode).toBe(409)
    expect(response.json()).toMatchObject({ code: 'conflict', detail: { status: 'done' } })
  })

  test('is applied completely before the next one, when there are many at once', async () => {
    const files = Array.from({ length: 6 }, (_, file) =>
      lines(...PRODUCTS.map((_, index) => row('product', shirt(`s${index}`, { title: `File ${file}` })))),
    )
    const responses = await Promise.all(files.map((file, index) => send(file, index % 2 === 0 ? '?async=1' : '')))
    expect(responses.map((response) => response.statusCode)).toEqual([202, 200, 202, 200, 202, 200])
    await waitFor('all imports', async () => {
      const open = await suite.sql('select 1 from catalog.import_jobs where finished_at is null')
      return open.length === 0
    })
    const titles = await suite.sql('select distinct title from catalog.products')
    expect(titles).toHaveLength(1)
    const failed = await suite.sql(
      `select failure from catalog.import_jobs where status = 'failed' and mode = 'merge' and issue_count = 0`,
    )
    expect(failed).toEqual([])
  })
})

test('one event covers all products when more than a hundred change, otherwise each has its own', async () => {
  const products = (count: number, title: string) =>
    Array.from({ length: count }, (_, index) => row('product', shirt(`s${index}`, { title, sizes: ['S'] })))
  const before = (await suite.eventsOf(ProductUpdated)).length
  await send(lines(...products(101, 'One')))
  const bulk = await waitFor('the event', async () => {
    const events = (await suite.eventsOf(ProductUpdated)).slice(before)
    return events.length > 0 && events
  })
  expect(bulk.map(({ slug }) => slug)).toEqual(['*'])
  await send(lines(...products(100, 'Two')))
  await waitFor('the events', async () => (await suite.eventsOf(ProductUpdated)).length === before + 101)
})

test('an import into a shop with many products reads their variants a few times, not once for each product', async () => {
  // PostgreSQL counts what a connection has done up to a second later, unless the connection is told to report it.
  const flush = () => sql`select pg_stat_force_next_flush()`.execute(catalog.context.db)
  const counters = async () => {
    await Promise.all([flush(), flush(), flush(), flush()])
    const [row] = await suite.sql<{ inserted: number; read: number }>(
      `select n_tup_ins::int as inserted, seq_tup_read::int as read from pg_stat_user_tables
       where schemaname = 'catalog' and relname = 'variants'`,
    )
    return row ?? { inserted: 0, read: 0 }
  }
  const STORED = 2000
  await suite.sql(
    `insert into catalog.products (id, slug, title, published, document, price_minor, currency, tags, created_at, fingerprint)
     select 'stored-' || n, 'stored-' || n, 'Stored', false, '{}', 4000, 'USD', '{}', now(), '' from generate_series(1, $1::int) n`,
    [STORED],
  )
  await suite.sql(
    `insert into catalog.variants (id, product_id, position, sku, options)
     select 'stored-' || n, 'stored-' || n, 0, 'STORED-' || n, '{}' from generate_series(1, $1::int) n`,
    [STORED],
  )
  // PostgreSQL avoids nested loops for an import of as many rows, and only then it might read too much.
  const ROWS = 2000
  const IMPORTED = amount({ quick: 300, long: ROWS })
  const imported = Array.from({ length: IMPORTED }, (_none, nth) =>
    row('product', shirt(`new-${nth}`, { sizes: ['S'] })),
  )
  const reviews = Array.from({ length: ROWS - IMPORTED }, (_none, nth) =>
    row('review', { product: 'new-0', author: `Reader ${nth}`, rating: 5 }),
  )
  const before = await counters()
  expect((await send(lines(...imported, ...reviews))).statusCode).toBe(200)
  // What a transaction has read and inserted is counted together.
  const after = await waitFor('the counters of PostgreSQL', async () => {
    const now = await counters()
    return now.inserted >= before.inserted + IMPORTED && now
  })
  expect(after.read - before.read).toBeLessThan(50 * (STORED + IMPORTED))
  await suite.sql(`delete from catalog.products where id like 'stored-%'`)
})

test('a file that replaces the shop contains its number of rows, in case some are lost', async () => {
  await send(lines(...ALL_KINDS))
  const slugs = await productSlugs()
  const one = row('product', shirt('alone'))
  for (const payload of [lines(one), '', '\n']) {
    const rejected = await send(payload, '?mode=replace')
    expect(rejected.statusCode, rejected.payload).toBe(422)
    expect(issueTextsOf(rejected)).toEqual([expect.stringContaining('end: must be the last line')])
  }
  expect(await productSlugs()).toEqual(slugs)
  expect((await send(lines(one, row('end', { rows: 1 })), '?mode=replace')).statusCode).toBe(200)
  expect(await productSlugs()).toEqual(['alone'])
})

test.each([
  { type: 'settings', data: { store: { name: 'Mine now' } }, needed: 'settings:write' as const },
  {
    type: 'review',
    data: { product: 'alone', author: 'Ada', rating: 5, body: 'Fine.' },
    needed: 'reviews:write' as const,
  },
])('$type rows require $needed besides the permission to import', async ({ type, data, needed }) => {
  const payload = lines(row('product', shirt('alone')), row(type, data))
  const rejected = await send(payload, '', suite.headers.admin(['catalog:write']))
  expect(rejected.statusCode, rejected.payload).toBe(403)
  expect(rejected.json()).toMatchObject({ code: 'forbidden', detail: { permission: needed } })
  expect(await stagedRows()).toBe(0)
  expect(await productSlugs()).toEqual([])
  const done = await send(payload, '', suite.headers.admin(['catalog:write', needed]))
  expect(done.statusCode, done.payload).toBe(200)
})

test.each([
  { place: 'the query', query: '?mode=replace', first: [] },
  { place: 'the file', query: '', first: [row('import', { mode: 'replace' })] },
  { place: 'the file of a dry run', query: '?dry_run=1', first: [row('import', { mode: 'replace' })] },
])('replacing the shop needs the permission to delete its reviews: mode in $place', async ({ query, first }) => {
  await send(lines(...ALL_KINDS))
  const payload = lines(...first, row('product', shirt('linen')), row('end', { rows: 1 }))
  const rejected = await send(payload, query, suite.headers.admin(['catalog:write']))
  expect(rejected.statusCode, rejected.payload).toBe(403)
  expect(rejected.json()).toMatchObject({
    code: 'forbidden',
    message:
      'Replacing the shop also deletes each review that is not in the file, which needs the permission reviews:write.',
    detail: { type: 'review', permission: 'reviews:write' },
  })
  expect(await suite.sql('select author from catalog.reviews')).toEqual([{ author: 'Ada' }])
  const done = await send(payload, query, suite.headers.admin(['catalog:write', 'reviews:write']))
  expect(done.statusCode, done.payload).toBe(200)
})

test('a size chart is rejected as the route for size charts rejects it', async () => {
  const ragged = { id: 'ragged', unit: 'cm', columns: ['Size', 'Chest'], rows: [['S', 'x'], ['M', 1, 2], ['L']] }
  const rejected = await send(lines(row('sizeChart', ragged)))
  expect(rejected.statusCode).toBe(422)
  expect(issueTextsOf(rejected).join()).toContain('data.rows.0.1')
})

test('no other caller may import, read or cancel', async () => {
  const headers = [
    [{}, 401],
    [suite.headers.customer('cus_1'), 403],
    [suite.headers.admin(['orders:read']), 403],
  ] as const
  for (const [given, status] of headers) {
    const requests = [
      {
        method: 'POST',
        url: '/admin/import',
        headers: { ...given, 'content-type': 'application/x-ndjson' },
        payload: '{}',
      },
      { method: 'GET', url: '/admin/import/imp_1', headers: given },
      { method: 'GET', url: '/admin/imports', headers: given },
      { method: 'DELETE', url: '/admin/import/imp_1', headers: given },
      { method: 'GET', url: '/admin/export', headers: given },
    ] as const
    for (const request of requests) {
      expect((await catalog.app.inject({ ...request })).statusCode, `${request.method} ${request.url}`).toBe(status)
    }
  }
  const unknown = await catalog.app.inject({ url: '/admin/import/imp_1', headers: suite.headers.admin() })
  expect(unknown.statusCode).toBe(404)
})
