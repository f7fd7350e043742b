import { AdminProduct, ProductList } from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningCatalog } from '../src/start.ts'
import { fill, importCatalogue, pageOf, shirt, startTestCatalog, usd } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
})

afterAll(() => suite.stop())

const save = (...products: object[]) => fill(catalog.app, suite, { products })

async function list(query: Record<string, string>): Promise<ProductList> {
  const response = await catalog.app.inject({ url: '/products', query: { per_page: '48', ...query } })
  expect(response.statusCode, response.payload.slice(0, 500)).toBe(200)
  return ProductList.parse(response.json())
}

const slugs = async (query: Record<string, string>) => (await list(query)).items.map(({ slug }) => slug).toSorted()

const page = (slug: string) => pageOf(catalog.app, slug)

const create = (payload: object) =>
  catalog.app.inject({ method: 'POST', url: '/admin/products', headers: suite.headers.admin(), payload })

const patch = (id: string, payload: object) =>
  catalog.app.inject({ method: 'PATCH', url: `/admin/products/${id}`, headers: suite.headers.admin(), payload })

/** A product of one size and color. */
const shirtOf = (slug: string, size: string, color: string, fields: object = {}) =>
  shirt(slug, {
    options: [
      { name: 'Size', values: [size] },
      { name: 'Color', values: [color] },
    ],
    variants: [{ sku: slug.toUpperCase(), options: { Size: size, Color: color }, inventory: 1 }],
    ...fields,
  })

const pathsOf = (response: { json: () => { detail?: { issues?: { path: string }[] } } }) =>
  (response.json().detail?.issues ?? []).map(({ path }) => path)

describe('a value with a comma', () => {
  beforeAll(async () => {
    await save(
      shirtOf('two-tone', 'W32, L34', 'Red, White', { tags: ['a,b', 'c'] }),
      shirtOf('red', 'W32', 'Red', { tags: ['a'] }),
      shirtOf('white', 'L34', 'White', { tags: ['b'] }),
      shirtOf('blue', 'M', 'Blue', { tags: [',', 'd'] }),
    )
  })

  test('is found by its name in the facets, alone and among others', async () => {
    const { facets } = await list({})
    expect(facets.colors.map(({ name }) => name)).toEqual(['Blue', 'Red', 'Red, White', 'White'])
    expect([facets.sizes.length, facets.tags.length]).toEqual([4, 6])
    for (const { name } of facets.colors) expect(await slugs({ colors: name }), name).toHaveLength(1)
    for (const size of facets.sizes) expect(await slugs({ sizes: size }), size).toHaveLength(1)
    for (const tag of facets.tags) expect(await slugs({ tags: tag }), tag).toHaveLength(1)
    expect(await slugs({ colors: 'Red, White,Blue' })).toEqual(['blue', 'two-tone'])
    expect(await slugs({ colors: 'Blue,Red, White' })).toEqual(['blue', 'two-tone'])
    expect(await slugs({ colors: 'White,Red' })).toEqual(['red', 'white'])
    expect(await slugs({ colors: 'Red, White', sizes: 'W32, L34,M' })).toEqual(['two-tone'])
    expect(await slugs({ tags: 'a,b,,' })).toEqual(['blue', 'two-tone'])
  })

  test('is several values when no product has it', async () => {
    await save(shirtOf('two-tone', 'S', 'Green', {}))
    expect(await slugs({ colors: 'Red, White,Blue' })).toEqual(['blue', 'red', 'white'])
    expect(await slugs({ sizes: 'W32, L34' })).toEqual(['red', 'white'])
    expect(await slugs({ tags: 'a,b' })).toEqual(['red', 'white'])
    await save(shirtOf('two-tone', 'W32, L34', 'Red, White', { tags: ['a,b', 'c'] }))
  })

  test('has pages with a cursor, which is not valid for other values', async () => {
    const first = await list({ colors: 'Red, White,Blue', per_page: '1' })
    const next = await list({ colors: 'Red, White,Blue', per_page: '1', cursor: first.nextCursor ?? '' })
    expect([...first.items, ...next.items].map(({ slug }) => slug).toSorted()).toEqual(['blue', 'two-tone'])
    const query = { colors: 'Red', per_page: '1', cursor: first.nextCursor ?? '' }
    expect((await catalog.app.inject({ url: '/products', query })).statusCode).toBe(422)
  })

  test('does not count twice towards the limit of a filter, and too many are rejected', async () => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => `C${index}`)
    expect(await slugs({ colors: [...values(39), 'Red, White'].join(',') })).toEqual(['two-tone'])
    for (const filter of ['sizes', 'colors', 'tags']) {
      for (const count of [41, 201, 1500]) {
        const query = { [filter]: values(count).join(',').slice(0, 4999) }
        const response = await catalog.app.inject({ url: '/products', query })
        expect([response.statusCode, pathsOf(response)], `${count} ${filter}`).toEqual([422, [filter]])
      }
    }
  })
})

describe('white space', () => {
  test('is trimmed from tags, options, swatches and the colors of images, however they are saved', async () => {
    const untidy = {
      title: 'Untidy',
      price: usd(100),
      tags: ['  wool', 'wool ', ' ', '', 'silk'],
      options: [{ name: ' Color\t', values: [' Red', 'Navy blue '] }],
      swatches: { ' Red ': '#f00' },
      images: [{ url: '/r.svg', color: ' Red ' }],
      variants: [{ options: { ' Color': 'Red ' } }, { options: { Color: ' Navy blue ' } }],
    }
    await save({ ...untidy, slug: 'untidy-import' })
    expect((await create({ ...untidy, slug: 'untidy-create' })).statusCode).toBe(200)
    const { id } = AdminProduct.parse((await create({ ...untidy, slug: 'untidy-patch', tags: [] })).json())
    expect((await patch(id, { tags: untidy.tags, variants: untidy.variants })).statusCode).toBe(200)
    for (const slug of ['untidy-import', 'untidy-create', 'untidy-patch']) {
      expect(await page(slug), slug).toMatchObject({
        tags: ['wool', 'silk'],
        options: [{ name: 'Color', values: ['Red', 'Navy blue'] }, { name: 'Size' }],
        swatches: { Red: '#f00' },
        images: [{ color: 'Red' }],
        variants: [{ options: { Color: 'Red' } }, { options: { Color: 'Navy blue' } }],
      })
    }
    expect(await slugs({ colors: 'Navy blue', tags: 'wool' })).toEqual([
      'untidy-create',
      'untidy-import',
      'untidy-patch',
    ])
  })

  test('alone is not a name or a value of an option', async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ options: [{ name: ' ', values: [] }] }, 'options.0.name'],
      [{ options: [{ name: 'Size', values: ['S', '\u00A0'] }] }, 'options.0.values.1'],
      [{ options: [{ name: 'Size', values: [''] }] }, 'options.0.values.0'],
      [{ variants: [{ options: { Size: '' } }] }, 'variants.0.options.Size'],
      [{ variants: [{ options: { Size: ' \t' } }] }, 'variants.0.options.Size'],
      [{ variants: [{ options: { ' ': 'S' } }] }, 'variants.0.options. '],
    ]
    for (const [fields, path] of wrong) {
      const product = { title: 'Blank', slug: 'blank', price: usd(100), ...fields }
      const created = await create(product)
      expect([created.statusCode, pathsOf(created)], path).toEqual([422, [path]])
      const imported = await importCatalogue(catalog.app, suite, { products: [product] })
      expect([imported.statusCode, pathsOf(imported)], path).toEqual([422, [`products.0.${path}`]])
    }
  })

  test('that was stored before does not make another variant of one that is saved without it', async () => {
    const variants = [{ options: { Size: 'M', Color: 'Grey' }, inventory: 1 }]
    await save(shirtOf('stale-space', 'M', 'Grey', { variants }))
    const [before] = (await page('stale-space')).variants
    await suite.sql(
      `update catalog.variants set options = '{" Size": "M ", "Color": "Grey"}' where id = '${before?.id}'`,
    )
    await save(shirtOf('stale-space', 'M', 'Grey', { variants, subtitle: 'Tidy' }))
    expect((await page('stale-space')).variants).toMatchObject([{ id: before?.id, options: { Size: 'M' } }])
  })
})

describe('a swatch', () => {
  test.each(['#abc', '#ABCDEF', '#12345678'])('may be %s', async (hex) => {
    await save(shirtOf('tinted', 'M', 'Tint', { swatches: { Tint: hex } }))
    expect((await page('tinted')).swatches).toEqual({ Tint: hex })
    expect((await list({ tags: '' })).facets.colors).toContainEqual({ name: 'Tint', hex })
  })

  test('is the facet of its color, although most products of the color have none', async () => {
    await save(
      shirtOf('navy-one', 'M', 'Midnight'),
      shirtOf('navy-two', 'M', 'Midnight'),
      shirtOf('navy-three', 'M', 'Midnight', { swatches: { Midnight: '#1b2a41' } }),
    )
    expect((await list({})).facets.colors).toContainEqual({ name: 'Midnight', hex: '#1b2a41' })
  })

  test.each([
    'red',
    'javascript:alert(1)',
    '',
    '#',
    '#12',
    '#1234',
    '#12345',
    '#1234567',
    '#ggg',
    ' #abc',
    '#abc\n',
    7,
  ])('that is %j is rejected by its name', async (hex) => {
    const product = { title: 'Tinted', slug: 'rejected-tint', price: usd(100), swatches: { Pinkish: hex } }
    const created = await create(product)
    expect([created.statusCode, pathsOf(created)]).toEqual([422, ['swatches.Pinkish']])
    const imported = await importCatalogue(catalog.app, suite, { products: [product] })
    expect([imported.statusCode, pathsOf(imported)]).toEqual([422, ['products.0.swatches.Pinkish']])
  })

  test('of any text that was stored before is never shown and prevents nothing', async () => {
    await save(shirtOf('old-tint', 'M', 'Pinkish', { swatches: { Pinkish: '#ffc0cb', Tan: '#d2b48c' } }))
    await suite.sql(`update catalog.products set document = jsonb_set(document, '{swatches,Pinkish}', '"url(x)"')
      where slug = 'old-tint'`)
    const [row] = await suite.sql<{ id: string }>(`select id from catalog.products where slug = 'old-tint'`)
    await suite.sql(`insert into catalog.refresh_queue (product_id) values ('${row?.id}')`)
    await waitFor('the new response', async () => (await page('old-tint')).swatches['Pinkish'] === undefined)
    expect((await page('old-tint')).swatches).toEqual({ Tan: '#d2b48c' })
    const { facets, items } = await list({ colors: 'Pinkish' })
    expect(items.map(({ swatches }) => swatches)).toEqual([{ Tan: '#d2b48c' }])
    expect(facets.colors).toContainEqual({ name: 'Pinkish', hex: '#cccccc' })
    const changed = await patch(row?.id ?? '', { subtitle: 'Still sold' })
    expect([changed.statusCode, AdminProduct.parse(changed.json()).swatches]).toEqual([200, { Tan: '#d2b48c' }])
  })
})
