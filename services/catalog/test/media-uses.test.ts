import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Media, PictureUses } from '@storefront/contracts'
import { createSuite, temporaryFolder, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { fill, sendAsAdmin, shirt, startTestCatalog } from './catalog.ts'
import { jpeg, uploadPicture } from './pictures.ts'

const Listed = z.object({ items: z.array(Media.extend({ useCount: z.int() })), total: z.int() })
const Shown = Media.extend({ uses: PictureUses })

let suite: Suite
let catalog: RunningCatalog
let folder: string

beforeAll(async () => {
  suite = await createSuite('catalog')
  folder = await temporaryFolder('storefront-media')
  catalog = await startTestCatalog(suite, { MEDIA_DIR: folder })
})

afterAll(async () => {
  await catalog.stop()
  await rm(folder, { recursive: true, force: true })
  await suite.stop()
})

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
  sendAsAdmin(catalog.app, suite, method, url, payload)

/** The number in the name sets the width: each name is another picture, so that a test finds its own. */
const upload = async (name: string) =>
  uploadPicture(catalog, suite, await jpeg(60 + Number(name.replace(/\D/g, '')), 40), name)

async function list(query: string) {
  const { status, body } = await call('GET', `/admin/media?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return Listed.parse(body)
}

const usesOf = async (id: string) => Shown.parse((await call('GET', `/admin/media/${id}`)).body).uses

const importAll = (body: Record<string, unknown>) => fill(catalog.app, suite, body)

test('a picture names every place that shows it, and counts its products', async () => {
  const picture = await upload('place-1.jpg')
  const image = { url: picture.path, alt: 'A shirt' }
  await importAll({
    categories: [{ slug: 'shirts', name: 'Shirts', image }],
    collections: [{ slug: 'summer', title: 'Summer', image, products: [] }],
    products: [
      shirt('linen', { images: [image] }),
      shirt('wool', { images: [{ ...image, url: picture.sizes[0]?.url }] }),
      shirt('silk', { enrichment: { features: [{ icon: picture.path, title: 'Silk', body: '' }] } }),
    ],
    settings: { store: { logo: { imageUrl: picture.url } } },
  })
  const feature = await call('POST', '/admin/library/features', { icon: picture.path, title: 'Fine', body: '' })
  expect(await usesOf(picture.id)).toEqual({
    products: ['linen', 'silk', 'wool'].map((slug) => ({
      id: expect.stringMatching(/^prod_/),
      slug,
      title: `Shirt ${slug}`,
    })),
    productCount: 3,
    places: [
      { kind: 'category', id: 'shirts', name: 'Shirts' },
      { kind: 'collection', id: 'summer', name: 'Summer' },
      { kind: 'feature', id: feature.body.id, name: 'Fine' },
      { kind: 'storefront', id: 'storefront', name: '' },
    ],
  })
  expect((await list('q=place-1')).items).toMatchObject([{ id: picture.id, useCount: 7 }])
})

test('unused pictures are listed apart, and counted', async () => {
  const [first, second, third] = [await upload('apart-2.jpg'), await upload('apart-3.jpg'), await upload('apart-4.jpg')]
  const image = { url: first.path, alt: 'A coat' }
  await importAll({
    categories: [{ slug: 'coats', name: 'Coats', image: { ...image, url: third.path } }],
    products: [shirt('duffel', { images: [image] })],
  })
  const names = async (query: string) => {
    const { items, total } = await list(`q=apart-&${query}`)
    return { names: items.map(({ name }) => name), total }
  }
  expect(await names('unused=true')).toEqual({ names: [second.name], total: 1 })
  expect(await names('unused=1&page=2')).toEqual({ names: [], total: 1 })
  for (const all of ['unused=0', 'unused=']) {
    expect(await names(all)).toEqual({ names: [third.name, second.name, first.name], total: 3 })
  }
  expect((await call('GET', '/admin/media?unused=maybe')).status).toBe(422)
})

test('a picture is unused once its product has another one, or is deleted', async () => {
  const [before, after] = [await upload('former-5.jpg'), await upload('former-6.jpg')]
  await importAll({ products: [shirt('parka', { images: [{ url: before.path, alt: 'A parka' }] })] })
  const [product] = (await usesOf(before.id)).products
  const images = [{ url: after.path, alt: 'A parka' }]
  expect((await call('PATCH', `/admin/products/${product?.id}`, { images })).status).toBe(200)
  expect((await usesOf(before.id)).productCount).toBe(0)
  expect((await usesOf(after.id)).products).toMatchObject([{ slug: 'parka' }])
  expect((await call('DELETE', `/admin/media/${after.id}`)).status).toBe(409)
  expect((await call('DELETE', `/admin/products/${product?.id}`)).status).toBe(200)
  expect((await usesOf(after.id)).productCount).toBe(0)
  expect((await call('DELETE', `/admin/media/${after.id}`)).status).toBe(200)
})

test('a picture of the library is not deleted', async () => {
  const picture = await upload('icon-7.jpg')
  const saved = await call('POST', '/admin/library/assurances', { icon: picture.path, label: 'Repaired for life' })
  const rejected = await call('DELETE', `/admin/media/${picture.id}`)
  expect([rejected.status, rejected.body.detail.places]).toEqual([409, [`assurance ${saved.body.id}`]])
})

test('the text of a picture is changed, removed, and recorded', async () => {
  const { id } = await upload('text-8.jpg')
  const change = (body: object) => call('PATCH', `/admin/media/${id}`, body)
  expect((await change({ alt: '  A red scarf ' })).body).toMatchObject({ id, alt: 'A red scarf' })
  expect((await change({ alt: 'A red scarf' })).status).toBe(200)
  expect((await change({ alt: null })).body).not.toHaveProperty('alt')
  for (const body of [{}, { alt: '' }, { alt: ' ' }, { alt: 'x'.repeat(501) }, { alt: 1 }, { name: 'other' }]) {
    expect((await change(body)).status, JSON.stringify(body)).toBe(422)
  }
  expect((await call('PATCH', '/admin/media/med_none', { alt: 'A' })).status).toBe(404)
  const audit = (await call('GET', `/admin/audit?kind=media&id=${id}`)).body.items
  expect(audit).toMatchObject([
    { action: 'update', before: { alt: 'A red scarf' }, after: { alt: null } },
    { action: 'update', before: { alt: null }, after: { alt: 'A red scarf' } },
    { action: 'create' },
  ])
})
