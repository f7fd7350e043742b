import { rm } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SURROGATE_PURGE } from '@storefront/http'
import { thumbnailPath, type Media } from '@storefront/contracts'
import { createSuite, temporaryFolder, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { importCatalogue, shirt, startTestCatalog } from './catalog.ts'
import { plain, uploadPicture } from './pictures.ts'

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

const call = (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
  catalog.app.inject({ method, url, headers: suite.headers.admin(), ...(payload && { payload }) })

/** A third of the picture is green, at the far end of its long side. */
async function upload({ width, height }: { width: number; height: number }): Promise<Media> {
  const isWide = width > height
  const size = { width: isWide ? width / 3 : width, height: isWide ? height : height / 3 }
  const green = await sharp({ create: { ...size, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer()
  const bytes = await plain(width, height)
    .composite([{ input: green, gravity: isWide ? 'east' : 'south' }])
    .jpeg()
    .toBuffer()
  return uploadPicture(catalog, suite, bytes, 'green.jpg')
}

/** How much of the thumbnail of a picture is green, from 0 to 1. */
async function greenOf({ path }: Media): Promise<number> {
  const thumbnail = await catalog.app.inject({ url: `/media/${thumbnailPath(path.slice('/media/'.length))}` })
  expect(thumbnail.headers['cache-control']).toBe('public, max-age=60, s-maxage=86400')
  const { data, info } = await sharp(thumbnail.rawPayload).raw().toBuffer({ resolveWithObject: true })
  let green = 0
  for (let at = 0; at < data.length; at += info.channels) if ((data[at + 1] ?? 0) > 150) green++
  return green / (info.width * info.height)
}

test.each([
  { width: 1200, height: 400, near: { x: 0, y: 0.5 }, far: { x: 1, y: 0.5 } },
  { width: 300, height: 1200, near: { x: 0.5, y: 0 }, far: { x: 0.5, y: 1 } },
])('the thumbnail of a picture of $width by $height is cropped around its focal point', async (picture) => {
  const media = await upload(picture)
  expect(media.focalPoint).toBe(null)
  expect(await greenOf(media)).toBe(0)
  const moved = await call('PATCH', `/admin/media/${media.id}`, { focalPoint: picture.far })
  expect(moved.json()).toMatchObject({ id: media.id, focalPoint: picture.far })
  expect(moved.headers[SURROGATE_PURGE]).toContain(`media:${media.id}`)
  expect(await greenOf(media)).toBeGreaterThan(0.95)
  await call('PATCH', `/admin/media/${media.id}`, { focalPoint: picture.near })
  expect(await greenOf(media)).toBe(0)
  const whole = await call('PATCH', `/admin/media/${media.id}`, { ...moved.json(), focalPoint: null })
  expect({ status: whole.statusCode, body: whole.json() }).toEqual({ status: 200, body: media })
  expect((await call('PATCH', `/admin/media/${media.id}`, { ...media, width: 1 })).json().code).toBe('read_only_field')
  expect(await greenOf(media)).toBe(0)
})

test('shoppers and merchants read the focal point of a picture in every product that shows it', async () => {
  const media = await upload({ width: 330, height: 90 })
  const other = await upload({ width: 360, height: 90 })
  const images = [
    { url: media.sizes[0]?.url, alt: 'In front' },
    { url: other.path, alt: 'From behind' },
  ]
  const imported = await importCatalogue(catalog.app, suite, {
    products: [shirt('oxford', { images }), shirt('plaid')],
  })
  expect(imported.statusCode).toBe(200)
  const focalPoint = { x: 0.25, y: 0.75 }
  const before = (await call('GET', '/products/oxford')).json()
  expect(before.images[0]).not.toHaveProperty('focalPoint')
  const changed = await call('PATCH', `/admin/media/${media.id}`, { focalPoint })
  expect(changed.headers[SURROGATE_PURGE]).toContain('product:oxford')
  expect(changed.headers[SURROGATE_PURGE]).not.toContain('product:plaid')
  for (const url of ['/products/oxford', `/admin/products/${before.id}`]) {
    const { images: shown } = (await call('GET', url)).json()
    expect(shown[0].focalPoint).toEqual(focalPoint)
    expect(shown[1]).not.toHaveProperty('focalPoint')
  }
  expect((await call('GET', '/products')).json().items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ slug: 'oxford', images: [expect.objectContaining({ focalPoint }), expect.anything()] }),
    ]),
  )

  // A product that is sent back as it was read keeps it, and a new one has it at once.
  const sent = (await call('GET', `/admin/products/${before.id}`)).json()
  const saved = await call('PATCH', `/admin/products/${before.id}`, { title: 'Oxford shirt', images: sent.images })
  expect(saved.json().images[0].focalPoint).toEqual(focalPoint)
  const copy = await call('POST', '/admin/products', { ...shirt('oxford-two'), images: [{ url: media.path }] })
  expect(copy.json().images[0].focalPoint).toEqual(focalPoint)

  await call('PATCH', `/admin/media/${media.id}`, { focalPoint: null })
  expect((await call('GET', '/products/oxford')).json().images[0]).not.toHaveProperty('focalPoint')
})

test('a focal point is checked, kept by a change of the text, and recorded', async () => {
  const { id } = await upload({ width: 300, height: 30 })
  const change = (body: object) => call('PATCH', `/admin/media/${id}`, body)
  const rejected = [
    { x: 0.5 },
    { x: 1.01, y: 0 },
    { x: 0, y: -0.1 },
    { x: '0.5', y: 0 },
    { x: null, y: null },
    0.5,
    'top',
  ]
  for (const focalPoint of rejected) {
    const response = await change({ focalPoint })
    expect([response.statusCode, response.payload], JSON.stringify(focalPoint)).toEqual([
      422,
      expect.stringContaining('focalPoint'),
    ])
  }
  expect((await change({ focalPoint: { x: 0, y: 1 }, alt: 'A hat' })).json().focalPoint).toEqual({ x: 0, y: 1 })
  expect((await change({ alt: 'A green hat' })).json()).toMatchObject({
    focalPoint: { x: 0, y: 1 },
    alt: 'A green hat',
  })
  expect((await change({ focalPoint: null })).json()).toMatchObject({ focalPoint: null, alt: 'A green hat' })
  expect((await call('GET', `/admin/media/${id}`)).json()).toMatchObject({ id, focalPoint: null, alt: 'A green hat' })
  expect((await call('GET', '/admin/media')).json().items[0]).toMatchObject({ id, focalPoint: null })
  const audit = (await call('GET', `/admin/audit?kind=media&id=${id}`)).json().items
  expect(audit).toMatchObject([
    { action: 'update', before: { focalPoint: { x: 0, y: 1 } }, after: { focalPoint: null } },
    { action: 'update', before: { alt: 'A hat' }, after: { alt: 'A green hat' } },
    { action: 'update', before: { focalPoint: null, alt: null }, after: { focalPoint: { x: 0, y: 1 }, alt: 'A hat' } },
    { action: 'create', after: { focalPoint: null } },
  ])
})

test('the database accepts both numbers of a focal point or none, from 0 to 1', async () => {
  const { id } = await upload({ width: 30, height: 300 })
  const store = (x: string, y: string) =>
    suite.sql(`update catalog.media set focal_x = ${x}, focal_y = ${y} where id = '${id}' returning 1`)
  await expect(store('null', '0.5')).rejects.toThrow(/media_focal_point/)
  await expect(store('0.5', 'null')).rejects.toThrow(/media_focal_point/)
  await expect(store('1.1', '0.5')).rejects.toThrow(/media_focal_point/)
  await expect(store("'NaN'", '0.5')).rejects.toThrow(/media_focal_point/)
  await store('0', '1')
  await store('null', 'null')
})
