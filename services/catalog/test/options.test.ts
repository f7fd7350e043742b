import { readFile } from 'node:fs/promises'
import { sendRequest } from '@storefront/messaging'
import {
  AdminProduct,
  ErrorBody,
  ImportBody,
  ProductList,
  ReadPrices,
  ReadProducts,
  Variant,
} from '@storefront/contracts'
import { createSuite, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { RunningCatalog } from '../src/start.ts'
import { startFakeCart, type FakeCart } from './cart.ts'
import { importCatalogue, pageOf, RejectedBody, startTestCatalog, usd } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog
/** The simulated cart service, from which an export requests the discounts. */
let cart: FakeCart

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  cart = await startFakeCart(suite)
})

afterAll(async () => {
  await cart.stop()
  await suite.stop()
})

let counter = 0
const unique = (word: string) => `${word}-${counter++}`

const send = (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
  catalog.app.inject({ method, url, headers: suite.headers.admin(), ...(payload && { payload }) })

async function create(payload: object): Promise<AdminProduct> {
  const response = await send('POST', '/admin/products', { price: usd(4000), ...payload })
  expect(response.statusCode, response.payload).toBe(200)
  return AdminProduct.parse(response.json())
}

const readAdmin = async (id: string) => AdminProduct.parse((await send('GET', `/admin/products/${id}`)).json())
const page = (slug: string) => pageOf(catalog.app, slug)

const InvalidBody = RejectedBody.extend({ code: z.literal('validation_failed') })
const issuesOf = (response: { json: () => unknown }) => InvalidBody.parse(response.json()).detail.issues

const option = (name: string, ...values: string[]) => ({ name, values })

describe('the options of a variant', () => {
  const faulty = {
    title: 'Faulty',
    price: usd(100),
    options: [option('Colour', 'Navy', 'Sand'), option('Size', 'S', 'M', 'L')],
    variants: [
      { options: { Colour: 'navy', Size: 'M' } },
      { options: { Color: 'Sand', Size: 'M' } },
      { options: { Colour: 'Sand', Size: 'one size fits all' } },
    ],
  }
  const faults = [
    {
      path: 'variants.0.options.Colour',
      message:
        '"navy" is not a value of the option "Colour", which has the values "Navy", "Sand". Did you mean "Navy"?',
    },
    {
      path: 'variants.1.options.Color',
      message:
        '"Color" is not an option of this product, which has the options "Colour", "Size". Did you mean "Colour"?',
    },
    {
      path: 'variants.2.options.Size',
      message: '"one size fits all" is not a value of the option "Size", which has the values "S", "M", "L".',
    },
  ]

  test('must be offered by the product, when it is made and when it is changed', async () => {
    expect(issuesOf(await send('POST', '/admin/products', faulty))).toEqual(faults)
    const { id, version } = await create({ title: unique('Plain') })
    const { options, variants } = faulty
    expect(issuesOf(await send('PATCH', `/admin/products/${id}`, { options, variants }))).toEqual(faults)
    expect(issuesOf(await send('PATCH', `/admin/products/${id}`, { variants: [{ options: { Size: 'S' } }] }))).toEqual([
      { path: 'variants.0.options.Size', message: '"Size" is not an option of this product, which has no options.' },
    ])
    expect((await readAdmin(id)).version).toBe(version)
  })

  test('must be offered by the product in an import too, where every error is reported with its row', async () => {
    const products = [
      { ...faulty, slug: unique('faulty') },
      {
        slug: unique('sound'),
        title: 'Sound',
        price: usd(1),
        options: [option('Size', 'S')],
        variants: [{ options: {} }],
      },
      { slug: unique('bare'), title: 'Bare', price: usd(1), options: [], variants: [{ options: { Fit: 'Slim' } }] },
    ]
    const response = await importCatalogue(catalog.app, suite, { products })
    expect(issuesOf(response)).toEqual([
      ...faults.map(({ path, message }) => ({ path: `products.0.${path}`, message })),
      {
        path: 'products.2.variants.0.options.Fit',
        message: '"Fit" is not an option of this product, which has no options.',
      },
    ])
    expect(ErrorBody.parse(response.json()).detail).toMatchObject({ total: 4 })
  })

  test('stay offered: an option or a value that a variant has cannot be removed alone', async () => {
    const options = [option('Size', 'S', 'M')]
    const variants = [{ options: { Size: 'S' } }, { options: { Size: 'M' } }]
    const slug = unique('offered')
    const { id, variants: made } = await create({ slug, title: 'Offered', options, variants })
    const expected = [
      {
        path: 'options',
        message: `variant ${made[1]?.sku}: "M" is not a value of the option "Size", which has the value "S".`,
      },
    ]
    const fewer = [option('Size', 'S')]
    expect(issuesOf(await send('PATCH', `/admin/products/${id}`, { options: fewer }))).toEqual(expected)
    const product = { slug, title: 'Offered', price: usd(4000), options: fewer }
    expect(issuesOf(await importCatalogue(catalog.app, suite, { products: [product] }))).toEqual(
      expected.map(({ message }) => ({ path: 'products.0.options', message })),
    )
    for (const nothing of [null, []]) {
      expect((await send('PATCH', `/admin/products/${id}`, { options: nothing })).statusCode).toBe(422)
    }
    expect((await readAdmin(id)).options).toEqual(options)
  })

  test('are named in part when there are too many', async () => {
    const values = Array.from({ length: 200 }, (_, index) => `value ${index}`)
    const variants = Array.from({ length: 1000 }, (_, index) => ({ options: { Size: `other ${index}` } }))
    const product = { title: 'Wide', price: usd(1), options: [option('Size', ...values)], variants }
    const issues = issuesOf(await send('POST', '/admin/products', product))
    expect(issues).toHaveLength(100)
    expect(issues[0]?.message).toContain('"value 19" and 180 more.')
    const imported = await importCatalogue(catalog.app, suite, { products: [product, product] })
    expect(ErrorBody.parse(imported.json()).detail).toMatchObject({ total: 2000 })
  })
})

describe('a new product without options', () => {
  test('gets those of its variants, in the order in which they occur', async () => {
    const variants = [{ options: { Size: 'M', Color: 'Sand' } }, { options: { Size: 'S', Color: 'Sand', Fit: 'Slim' } }]
    const made = [option('Size', 'M', 'S'), option('Color', 'Sand'), option('Fit', 'Slim')]
    const slug = unique('imported')
    expect((await create({ title: unique('Made'), variants })).options).toEqual(made)
    const row = { slug, title: 'Imported', price: usd(1), variants }
    expect((await importCatalogue(catalog.app, suite, { products: [row] })).statusCode).toBe(200)
    const { id } = await page(slug)
    expect((await readAdmin(id)).options).toEqual(made)
    const again = await importCatalogue(catalog.app, suite, { products: [{ ...row, variants: [] }] })
    expect(again.json()).toMatchObject({ counts: { products: { unchanged: 1 } } })
  })

  test('has no more of them than a merchant may write', async () => {
    const names = Array.from({ length: 11 }, (_, index) => [`Option ${index}`, 'x'])
    const manyNames = [{ options: Object.fromEntries(names) }]
    const manyValues = Array.from({ length: 201 }, (_, index) => ({ options: { Size: `${index}` } }))
    for (const [variants, message] of [
      [manyNames, 'must not be more than 10; the variants have 11'],
      [manyValues, 'must not have more than 200 values each; the variants have 201 of "Size"'],
    ]) {
      const product = { title: 'Many', price: usd(1), variants }
      expect(issuesOf(await send('POST', '/admin/products', product))).toEqual([{ path: 'options', message }])
      expect(issuesOf(await importCatalogue(catalog.app, suite, { products: [product] }))).toEqual([
        { path: 'products.0.options', message },
      ])
    }
  })
})

describe('the order of the options', () => {
  // JSON in PostgreSQL puts shorter names first.
  const options = [option('Material', 'Linen'), option('Color', 'Sand'), option('Size', 'M')]
  const names = ['Material', 'Color', 'Size']
  const chosen = { Size: 'M', Material: 'Linen', Color: 'Sand' }

  test('is that of the product in every read of its variants, on the price projection and in exports', async () => {
    const slug = unique('ordered')
    const { id, variants } = await create({
      slug,
      title: 'Ordered',
      options,
      variants: [{ options: chosen, inventory: 3 }],
    })
    const variantId = variants[0]?.id ?? ''
    const namesIn = (variant: Pick<Variant, 'options'> | undefined) => Object.keys(variant?.options ?? {})
    expect(namesIn(variants[0])).toEqual(names)
    expect(namesIn((await readAdmin(id)).variants[0])).toEqual(names)
    expect(namesIn((await page(slug)).variants[0])).toEqual(names)
    const set = await send('PATCH', `/admin/variants/${variantId}/inventory`, { quantity: 4 })
    expect(namesIn(Variant.parse(set.json()))).toEqual(names)
    const exported = ImportBody.parse({ mode: 'merge', ...JSON.parse((await send('GET', '/admin/export')).payload) })
    expect(namesIn(exported.products.find((product) => product.slug === slug)?.variants[0])).toEqual(names)
    const messaging = await suite.openMessaging('cart')
    const { entries } = await sendRequest(messaging, ReadPrices, { variantIds: [variantId] })
    // A cart of the previous version sends the request under its former name.
    const formerRequest = { ...ReadPrices, name: ReadPrices.formerName ?? '' }
    const former = await sendRequest(messaging, formerRequest, { variantIds: [variantId] })
    expect(former.entries).toEqual(entries)
    expect(Object.keys(entries[0]?.facts.options ?? {})).toEqual(names)
    const missing = await send('PATCH', `/admin/products/${id}`, { variants: [{ sku: unique('OTHER') }] })
    const Missing = z.object({ detail: z.object({ variants: z.array(z.object({ options: Variant.shape.options })) }) })
    expect(namesIn(Missing.parse(missing.json()).detail.variants[0])).toEqual(names)
    const turned = await send('PATCH', `/admin/products/${id}`, { options: options.toReversed() })
    expect(namesIn(AdminProduct.parse(turned.json()).variants[0])).toEqual(names.toReversed())
  })
})

describe('options made for the product page', () => {
  test('are in every read of the storefront, and in none of the merchant', async () => {
    const slug = unique('made')
    const variants = ['Linen', 'Wool'].map((Material) => ({ options: { Material }, inventory: 1 }))
    const own = [option('Material', 'Linen', 'Wool')]
    const { id, ...made } = await create({ slug, title: slug, variants, tags: [slug], categories: [] })
    const shown = {
      options: [...own, option('Size', 'Linen', 'Wool'), option('Color', 'As shown')],
      variants: ['Linen', 'Wool'].map((Material) => ({ options: { Material, Size: Material, Color: 'As shown' } })),
    }
    expect(await page(slug)).toMatchObject(shown)
    const other = unique('other')
    await create({ slug: other, title: other, tags: [slug] })
    const related = (await catalog.app.inject({ url: `/products/${other}/related?limit=1` })).json()
    expect(related).toMatchObject({ items: [{ slug, ...shown }] })
    const messaging = await suite.openMessaging('identity')
    expect((await sendRequest(messaging, ReadProducts, { slugs: [slug] })).products).toMatchObject([shown])
    const list = async (query: string) =>
      ProductList.parse((await catalog.app.inject({ url: `/products?tags=${slug}&${query}` })).json())
    const { items, facets } = await list('')
    expect(items.find((item) => item.slug === slug)).toMatchObject(shown)
    for (const value of ['Linen', 'Wool', 'One size']) expect(facets.sizes).not.toContain(value)
    expect(facets.colors.map(({ name }) => name)).not.toContain('As shown')
    expect((await list('sizes=Linen')).total).toBe(0)
    expect((await list('colors=As%20shown')).total).toBe(0)
    expect(await readAdmin(id)).toMatchObject({ options: own, variants: variants.map(({ options }) => ({ options })) })
    expect(made).toMatchObject({ options: own })
  })

  test('do not become the merchant’s own when a product is read there and sent back', async () => {
    const variants = ['Linen', 'Wool'].map((Material) => ({ options: { Material } }))
    const { id, slug, version } = await create({ title: unique('Echo'), variants })
    const shown = await page(slug)
    const response = await send('PATCH', `/admin/products/${id}`, shown)
    expect(AdminProduct.parse(response.json())).toMatchObject({
      version,
      options: [option('Material', 'Linen', 'Wool')],
    })
    const priced = { variants: shown.variants.map((variant) => ({ ...variant, price: usd(4800) })) }
    const after = AdminProduct.parse((await send('PATCH', `/admin/products/${id}`, priced)).json())
    expect(after.variants.map(({ options, price }) => ({ options, price }))).toEqual(
      variants.map(({ options }) => ({ options, price: usd(4800) })),
    )
    const meant = {
      options: [option('Size', 'One size')],
      variants: [{ ...shown.variants[0], options: { Size: 'One size' } }],
    }
    expect(AdminProduct.parse((await send('PATCH', `/admin/products/${id}`, meant)).json())).toMatchObject({
      options: [option('Size', 'One size')],
      variants: [{ options: { Size: 'One size' } }],
    })
  })
})

test('existing products get the options and values that their variants have', async () => {
  const { id } = await create({
    title: unique('Older'),
    options: [option('Size', 'S', 'M'), option('Fit', 'Slim')],
    variants: [
      { options: { Size: 'S', Fit: 'Slim' } },
      { options: { Size: 'M', Color: 'Red' } },
      { options: { Size: 'S', Color: 'Blue' } },
    ].map(({ options: { Color: _later, ...options } }) => ({ options })),
  })
  const sound = await create({
    title: unique('Sound'),
    options: [option('Size', 'S', 'XL')],
    variants: [{ options: { Size: 'S' } }],
  })
  await suite.sql(
    `update catalog.variants set options = options || case position
       when 0 then '{"Size": "XS"}' when 1 then '{"Color": "Red"}' else '{"Color": "Blue"}' end::jsonb
     where product_id = $1`,
    [id],
  )
  const migration = await readFile(new URL('../migrations/0024_complete_options.sql', import.meta.url), 'utf8')
  await suite.sql('begin')
  await suite.sql('set local search_path = catalog, public')
  await suite.sql(migration)
  await suite.sql('commit')
  const { options, variants } = await readAdmin(id)
  expect(options).toEqual([option('Size', 'S', 'M', 'XS'), option('Fit', 'Slim'), option('Color', 'Red', 'Blue')])
  expect((await readAdmin(sound.id)).options).toEqual([option('Size', 'S', 'XL')])
  expect((await send('PATCH', `/admin/products/${id}`, { variants })).statusCode).toBe(200)
})
