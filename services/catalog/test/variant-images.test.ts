import { Redis } from 'ioredis'
import { AdminProduct, ImportBody, ProductList, Variant } from '@storefront/contracts'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningCatalog } from '../src/start.ts'
import { fill, importCatalogue, pageOf, shirt, startTestCatalog } from './catalog.ts'
import { projectedFacts } from './price-facts.ts'

let suite: Suite
let catalog: RunningCatalog
let redis: Redis

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  redis = new Redis(suite.redisUrl)
})

afterAll(async () => {
  redis.disconnect()
  await suite.stop()
})

const IMAGES = ['front', 'back', 'side'].map((id) => ({ id, url: `/${id}.jpg` }))

const admin = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) => {
  const headers = suite.headers.admin()
  const response = await catalog.app.inject({ method, url, headers, ...(payload && { payload }) })
  expect(response.statusCode, response.payload.slice(0, 500)).toBe(200)
  return response.json()
}

async function save(slug: string, imageIds: (string | undefined)[], fields: object = {}): Promise<void> {
  const variants = imageIds.map((imageId, index) => ({ options: { Size: `${index}` }, inventory: 1, imageId }))
  const options = [{ name: 'Size', values: imageIds.map((_id, index) => `${index}`) }]
  const products = [shirt(slug, { images: IMAGES, variants, options, ...fields })]
  expect((await importCatalogue(catalog.app, suite, { products })).statusCode).toBe(200)
}

const page = (slug: string) => pageOf(catalog.app, slug)

const imageIdsOf = ({ variants }: { variants: Variant[] }) => variants.map(({ imageId }) => imageId)

/** The images of a product's variants in every response, which must be the same. */
async function shownImages(slug: string): Promise<string[]> {
  const shown = await page(slug)
  const url = '/products?per_page=48'
  const listed = ProductList.parse((await catalog.app.inject({ url })).json()).items.filter(
    (each) => each.slug === slug,
  )
  const read = AdminProduct.parse(await admin('GET', `/admin/products/${shown.id}`))
  const counted: Variant[] = []
  for (const { id, inventory } of shown.variants) {
    counted.push(Variant.parse(await admin('PATCH', `/admin/variants/${id}/inventory`, { quantity: inventory })))
  }
  const ids = imageIdsOf(shown)
  const all = [
    imageIdsOf({ variants: listed.flatMap(({ variants }) => variants) }),
    imageIdsOf(read),
    counted.map(({ imageId }) => imageId),
  ]
  expect(all).toEqual([ids, ids, ids])
  for (const { id, imageId } of shown.variants) {
    const { url } = shown.images.find((image) => image.id === imageId) ?? { url: 'in none of the responses' }
    await waitFor('the price projection', async () => {
      return (await projectedFacts(redis, suite, id))?.image.url === url
    })
  }
  return ids
}

describe('a variant names an image of its product', () => {
  test('the one that it was given, or else the first', async () => {
    await save('given', ['side', undefined, 'gone', ''])
    expect(await shownImages('given')).toEqual(['side', 'front', 'front', 'front'])
  })

  test('the placeholder when there is no other', async () => {
    await save('bare', ['side', undefined], { images: [] })
    const { images } = await page('bare')
    expect(await shownImages('bare')).toEqual([images[0]?.id, images[0]?.id])
  })

  test('another once its own is deleted, and its own again when that is restored', async () => {
    await save('fickle', ['side', undefined])
    const { id } = await page('fickle')
    await admin('PATCH', `/admin/products/${id}`, { images: [IMAGES[1], IMAGES[0]] })
    expect(await shownImages('fickle')).toEqual(['back', 'back'])
    await admin('PATCH', `/admin/products/${id}`, { images: IMAGES })
    expect(await shownImages('fickle')).toEqual(['side', 'front'])
  })
})

test('a picture that a product shows twice is two images, which keep their ids when sent without', async () => {
  const images = ['Navy', 'Sage'].map((color) => ({ url: '/front.jpg', color }))
  const made = AdminProduct.parse(await admin('POST', '/admin/products', shirt('twice', { images: images.slice(1) })))
  const change = async (sent: object[]) =>
    AdminProduct.parse(await admin('PATCH', `/admin/products/${made.id}`, { images: sent }))
  const { images: twice } = await change(images)
  const [navy, sage] = twice
  expect(navy?.id).toBe(made.images[0]?.id)
  expect(sage?.id).not.toBe(navy?.id)
  expect((await change(images)).images).toEqual(twice)
  expect((await change([{ ...navy }, { ...sage, id: navy?.id }])).images).toEqual(twice)
  await fill(catalog.app, suite, { products: [shirt('twice', { images })] })
  expect((await page('twice')).images).toEqual(twice)
})

describe('a default image', () => {
  test('does not become the variant’s own when the product is read and sent back', async () => {
    await save('echo', ['side', undefined, 'gone'])
    const read = AdminProduct.parse(await admin('GET', `/admin/products/${(await page('echo')).id}`))
    const { images: _images, ...withoutImages } = read
    for (const sent of [read, withoutImages]) await admin('PATCH', `/admin/products/${read.id}`, sent)
    expect((await exported('echo'))?.variants.map(({ imageId }) => imageId)).toEqual(['side', undefined, 'gone'])
    const again = AdminProduct.parse(await admin('GET', `/admin/products/${read.id}`))
    expect(again.version).toBe(read.version)
    await admin('PATCH', `/admin/products/${read.id}`, { images: [IMAGES[1], IMAGES[2]] })
    expect(await shownImages('echo')).toEqual(['side', 'back', 'back'])
  })

  test('becomes the variant’s own when the merchant requests it and another would be shown', async () => {
    await save('chosen', [undefined, undefined])
    const { id, variants } = await page('chosen')
    const [one] = variants
    const images = [IMAGES[1], IMAGES[0]]
    await admin('PATCH', `/admin/products/${id}`, {
      images,
      variants: [{ id: one?.id, imageId: 'front' }, variants[1]],
    })
    expect(await shownImages('chosen')).toEqual(['front', 'front'])
    await admin('PATCH', `/admin/products/${id}`, {
      variants: [{ id: one?.id, imageId: null }, { id: variants[1]?.id }],
    })
    expect(await shownImages('chosen')).toEqual(['back', 'front'])
  })
})

async function exported(slug: string) {
  const response = await catalog.app.inject({ url: '/admin/export', headers: suite.headers.admin(['catalog:read']) })
  return ImportBody.parse({ mode: 'merge', ...JSON.parse(response.payload) }).products.find(
    (product) => product.slug === slug,
  )
}
