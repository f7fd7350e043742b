import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AdminProduct } from '@storefront/contracts'
import { createSuite, temporaryFolder, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningCatalog } from '../src/start.ts'
import { importCatalogue, issuesOf, pageOf, PUBLIC_URL, startTestCatalog, usd } from './catalog.ts'
import { jpeg, plain, uploadPicture } from './pictures.ts'

let suite: Suite
let catalog: RunningCatalog
let mediaDir: string

beforeAll(async () => {
  suite = await createSuite('catalog')
  mediaDir = await temporaryFolder('editor-records')
  catalog = await startTestCatalog(suite, { MEDIA_DIR: mediaDir })
})

afterAll(async () => {
  await suite.stop()
  await rm(mediaDir, { recursive: true, force: true })
})

const send = (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
  catalog.app.inject({ method, url, headers: suite.headers.admin(), ...(payload && { payload }) })

async function saved(method: 'POST' | 'PATCH', url: string, payload: object): Promise<AdminProduct> {
  const response = await send(method, url, payload)
  expect(response.statusCode, response.payload).toBe(200)
  return AdminProduct.parse(response.json())
}

const image = (fields: object) => ({
  id: 'img_1',
  url: 'https://cdn.example/a.jpg',
  type: 'image',
  alt: 'A shirt',
  width: null,
  height: null,
  duration: null,
  color: 'Navy',
  ...fields,
})

/** A product as the client's editor sends a new one. */
const record = (fields: object = {}) => ({
  id: '',
  slug: '',
  title: 'Linen shirt',
  subtitle: '',
  description: '',
  details: [],
  care: [],
  price: { amount: 0, currency: 'USD' },
  compareAtPrice: null,
  images: [image({})],
  options: [
    { name: 'Color', values: ['Navy'] },
    { name: 'Size', values: ['M', 'L'] },
  ],
  swatches: { Navy: '#1f2a44' },
  variants: ['M', 'L'].map((size) => ({
    id: `var_linen-shirt_navy_${size.toLowerCase()}`,
    sku: `LINEN-NAVY-${size}`,
    options: { Color: 'Navy', Size: size },
    price: { amount: 0, currency: 'USD' },
    compareAtPrice: null,
    inventory: 5,
    available: true,
    imageId: null,
  })),
  categories: [],
  tags: [],
  rating: { average: 0, count: 0 },
  badges: ['low-stock'],
  published: true,
  createdAt: '2026-01-02T03:04:05.678Z',
  fit: null,
  fabric: null,
  sizeChartId: null,
  sizeChart: null,
  social: null,
  enrichment: null,
  ...fields,
})

describe('a record of the client’s editor', () => {
  test('creates a product, whichever fields are null, derived or made by the client', async () => {
    const { id: _id, slug: _slug, ...sent } = record()
    const product = await saved('POST', '/admin/products', sent)
    expect(product).toMatchObject({
      slug: 'linen-shirt',
      price: usd(0),
      createdAt: '2026-01-02T03:04:05.678Z',
      rating: { average: 0, count: 0 },
      pinnedBadges: [],
      images: [{ id: 'img_1', color: 'Navy', width: 1200, height: 1500 }],
      variants: [
        { sku: 'LINEN-NAVY-M', inventory: 5, available: true, imageId: 'img_1' },
        { sku: 'LINEN-NAVY-L', inventory: 5, available: true, imageId: 'img_1' },
      ],
    })
    for (const name of ['fit', 'fabric', 'sizeChartId', 'enrichment']) expect(product).not.toHaveProperty(name)
    for (const name of ['type', 'duration']) expect(product.images[0]).not.toHaveProperty(name)
    // A variant with an unknown id is new, and gets another id.
    expect(product.variants.map(({ id }) => id)).not.toContain('var_linen-shirt_navy_m')
  })

  test('changes a product, and sent back as it was read changes nothing', async () => {
    const { id: _id, slug: _slug, ...sent } = record({ title: 'Wool shirt', variants: [] })
    const { id } = await saved('POST', '/admin/products', { ...sent, options: [] })
    const changed = await saved('PATCH', `/admin/products/${id}`, {
      ...sent,
      images: [image({ color: null, duration: undefined })],
      variants: record().variants.map((variant) => ({ ...variant, sku: variant.sku.replace('LINEN', 'WOOL') })),
    })
    expect(changed.variants.map(({ sku }) => sku)).toEqual(['WOOL-NAVY-M', 'WOOL-NAVY-L'])
    expect(changed.images[0]).not.toHaveProperty('color')
    expect(
      await saved('PATCH', `/admin/products/${id}`, { ...changed, social: null, fit: null, fabric: null }),
    ).toEqual(changed)
  })

  test('is valid in an import too', async () => {
    const { id: _id, ...sent } = record({ slug: 'imported-record', badges: ['low-stock', 'new'] })
    const variants = sent.variants.map((variant) => ({ ...variant, sku: `I-${variant.sku}`, id: `i-${variant.id}` }))
    const response = await importCatalogue(catalog.app, suite, { products: [{ ...sent, variants }] })
    expect(response.statusCode, response.payload.slice(0, 500)).toBe(200)
    const again = await importCatalogue(catalog.app, suite, { products: [{ ...sent, variants }] })
    expect(again.json()).toMatchObject({ counts: { products: { unchanged: 1 } } })
  })

  test('is rejected with media that are not pictures', async () => {
    for (const [fields, path, message] of [
      [{ type: 'video' }, 'images.0.type', 'must be "image": a product has pictures only, no other media'],
      [{ type: 'image/webp' }, 'images.0.type', 'must be "image": a product has pictures only, no other media'],
      [{ duration: 12.5 }, 'images.0.duration', 'must be null: a picture has no duration'],
    ] as const) {
      const product = { title: 'Moving', price: usd(1), images: [image(fields)] }
      expect(issuesOf(await send('POST', '/admin/products', product))).toEqual([{ path, message }])
      const imported = await importCatalogue(catalog.app, suite, { products: [product] })
      expect(issuesOf(imported)).toEqual([{ path: `products.0.${path}`, message }])
    }
    for (const size of [0, -1, 1.5, '640', 100_001]) {
      const product = { title: 'Sized', price: usd(1), images: [image({ width: size })] }
      expect(issuesOf(await send('POST', '/admin/products', product)), String(size)).toMatchObject([
        { path: 'images.0.width' },
      ])
    }
  })
})

describe('the unknown size of a picture', () => {
  const sizesOf = ({ images }: AdminProduct) => images.map(({ width, height }) => [width, height])
  const unknown = (url: string) => image({ id: undefined, url, color: undefined })

  test('is that of the upload, or of the file in the media folder, and stays unknown for others', async () => {
    const { url, path, sizes, jpeg: largest } = await uploadPicture(catalog, suite, await jpeg(700, 350), 'wide.jpg')
    await mkdir(join(mediaDir, 'shop'))
    await writeFile(join(mediaDir, 'shop', 'tall.png'), await plain(30, 90).png().toBuffer())
    // The file is stored rotated, and shown upright.
    const turned = await plain(80, 40).jpeg().withMetadata({ orientation: 6 }).toBuffer()
    await writeFile(join(mediaDir, 'shop', 'turned.jpg'), turned)
    await writeFile(join(mediaDir, 'shop', 'broken.png'), 'no picture')
    await writeFile(
      join(mediaDir, 'shop', 'drawing.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="9"/>',
    )
    const urls = [
      url,
      path,
      sizes[0]?.url ?? '',
      largest.url,
      '/media/shop/tall.png',
      `${PUBLIC_URL}/media/shop/turned.jpg`,
      '/media/shop/broken.png',
      '/media/shop/drawing.svg',
      '/media/shop/missing.png',
      '/media/../secret.png',
      'https://cdn.example/media/shop/tall.png',
    ]
    const standard = [1200, 1500]
    const product = await saved('POST', '/admin/products', { title: 'Sizes', price: usd(1), images: urls.map(unknown) })
    expect(sizesOf(product)).toEqual([
      [700, 350],
      [700, 350],
      [320, 160],
      [700, 350],
      [30, 90],
      [40, 80],
      ...Array.from({ length: 5 }, () => standard),
    ])
    const address = `/admin/products/${product.id}`
    const given = await saved('PATCH', address, {
      images: [unknown('/media/shop/tall.png'), { ...unknown('https://cdn.example/b.jpg'), width: 640, height: 480 }],
    })
    expect(sizesOf(given)).toEqual([
      [30, 90],
      [640, 480],
    ])
    const withoutSizes = await saved('PATCH', address, {
      images: ['/media/shop/tall.png', 'https://cdn.example/b.jpg'].map(unknown),
    })
    expect(sizesOf(withoutSizes)).toEqual(sizesOf(given))
  })
})

describe('the fabric of a product', () => {
  test('has a composition in every read, whatever was written', async () => {
    const { id, slug, fabric } = await saved('POST', '/admin/products', {
      title: 'Woven',
      price: usd(1),
      fabric: { weave: 'Twill' },
    })
    expect(fabric).toEqual({ weave: 'Twill', composition: [] })
    const shownFabric = async () => (await pageOf(catalog.app, slug)).fabric
    expect(await shownFabric()).toEqual({ weave: 'Twill', composition: [] })
    await saved('PATCH', `/admin/products/${id}`, { fabric: { composition: [['Linen', 100]] } })
    expect(await shownFabric()).toEqual({ composition: [['Linen', 100]] })
  })
})
