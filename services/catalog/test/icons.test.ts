import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ICONS, Vocabulary } from '@storefront/contracts'
import { createSuite, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { importCatalogue, shirt, startTestCatalog, usd } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
})

afterAll(() => suite.stop())

type Body = Record<string, unknown>

const send = async (method: 'POST' | 'PATCH', url: string, payload: Body) => {
  const response = await catalog.app.inject({ method, url, headers: suite.headers.admin(), payload })
  const body: Body & { id: string; detail?: { issues: { path: string; message: string }[] } } = response.json()
  return { status: response.statusCode, body, paths: body.detail?.issues.map(({ path }) => path) ?? [] }
}

const featureOf = (icon: unknown) => ({ icon, title: 'Traced', body: 'To the farm.' })
const assuranceOf = (icon: unknown) => ({ icon, label: 'Mended' })
const enrichmentOf = (icon: unknown) => ({
  enrichment: { features: [featureOf('leaf'), featureOf(icon)], assurances: [assuranceOf(icon)] },
})
const COAT = { title: 'Coat', price: usd(9000) }
const IN_A_PRODUCT = ['enrichment.features.1.icon', 'enrichment.assurances.0.icon']

const ADDRESSES = ['https://icons.example/leaf.svg', 'http://icons.example/a?b=c#d', '/media/leaf.svg', '/a//b']
const FAULTY: [string, unknown][] = [
  ['a script', 'javascript:alert(1)'],
  ['a script behind a blank', ' javascript:alert(1)'],
  ['a document as an address', 'data:image/svg+xml,<svg onload="alert(1)"/>'],
  ['an address without a protocol', '//evil.example/x.svg'],
  ['the same with a backslash, which browsers read as a slash', '/\\evil.example/x.svg'],
  ['the same with a tab in it', '/\t/evil.example/x.svg'],
  ['an address with a blank in it', 'https://icons.example/a b'],
  ['an address without a host', 'https://'],
  ['a path without a slash at its beginning', 'media/leaf.svg'],
  ['a name that no icon has', 'unicorn'],
  ['the name of an icon in capitals', 'Leaf'],
  ['an address in a second line', 'leaf\nhttps://icons.example/x.svg'],
  ['an endless address', `/${'x'.repeat(2000)}`],
  ['nothing', ''],
  ['null', null],
  ['a number', 5],
  ['a list of icons', ['leaf']],
]

describe('an icon', () => {
  let coatId: string

  beforeAll(async () => {
    coatId = (await send('POST', '/admin/products', COAT)).body.id
  })

  test('may be any one of the vocabulary, or an address', async () => {
    const { icons } = Vocabulary.parse((await catalog.app.inject({ url: '/attributes' })).json())
    expect(icons).toEqual([...ICONS])
    const sound = [...icons, ...ADDRESSES]
    const products = sound.map((icon, index) => ({ ...shirt(`sound-${index}`), ...enrichmentOf(icon) }))
    const library = { features: sound.map(featureOf), assurances: sound.map(assuranceOf) }
    const imported = await importCatalogue(catalog.app, suite, { products, library })
    expect(imported.statusCode, imported.payload).toBe(200)
    for (const icon of ['leaf', ...ADDRESSES]) {
      expect((await send('POST', '/admin/library/features', featureOf(icon))).body).toMatchObject(featureOf(icon))
      expect((await send('POST', '/admin/library/assurances', assuranceOf(icon))).body).toMatchObject(assuranceOf(icon))
      const made = await send('POST', '/admin/products', { ...COAT, ...enrichmentOf(icon) })
      expect(made.body, JSON.stringify(made.body)).toMatchObject(enrichmentOf(icon))
    }
  })

  test.each(FAULTY)('is not %s', async (_fault, icon) => {
    for (const [kind, body] of [
      ['features', featureOf(icon)],
      ['assurances', assuranceOf(icon)],
    ] as const) {
      const { status, paths, body: response } = await send('POST', `/admin/library/${kind}`, body)
      expect([status, paths]).toEqual([422, ['icon']])
      expect(response.detail?.issues[0]?.message).toMatch(
        /^must be one of the icons .* address or a path|^must have at most 2000 characters$/,
      )
    }
    for (const attempt of [
      await send('POST', '/admin/products', { ...COAT, ...enrichmentOf(icon) }),
      await send('PATCH', `/admin/products/${coatId}`, enrichmentOf(icon)),
    ]) {
      expect([attempt.status, attempt.paths]).toEqual([422, IN_A_PRODUCT])
    }
    const imported = await importCatalogue(catalog.app, suite, {
      products: [{ ...shirt('coat'), ...enrichmentOf(icon) }],
      library: { features: [featureOf(icon)] },
    })
    expect(imported.statusCode).toBe(422)
    const issues: { path: string }[] = imported.json().detail.issues
    expect(issues.map(({ path }) => path).toSorted()).toEqual(
      [...IN_A_PRODUCT.map((path) => `products.0.${path}`), 'library.features.0.icon'].toSorted(),
    )
  })

  test('that was stored under other rules prevents no read or change of its product', async () => {
    const { body: product } = await send('POST', '/admin/products', {
      ...COAT,
      title: 'Old coat',
      ...enrichmentOf('leaf'),
    })
    await suite.sql(
      `update catalog.products set document = replace(document::text, '"leaf"', '"old"')::jsonb where id = $1`,
      [product.id],
    )
    const changed = await send('PATCH', `/admin/products/${product.id}`, { subtitle: 'Warm' })
    expect(changed).toMatchObject({ status: 200, body: { subtitle: 'Warm' } })
    const read = await catalog.app.inject({ url: '/products/old-coat' })
    expect(read.json().enrichment.assurances).toEqual([assuranceOf('old')])
  })
})
