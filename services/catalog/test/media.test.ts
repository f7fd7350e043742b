import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import * as fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createDatabase } from '@storefront/postgres'
import { readConfig, systemClock } from '@storefront/service'
import { Media, PERMISSIONS, THUMBNAIL, thumbnailPath } from '@storefront/contracts'
import { amount, createSuite, temporaryFolder, waitFor, type Suite } from '@storefront/tools/testing'
import { CatalogConfig } from '../src/config.ts'
import type { Database, CatalogTables } from '../src/database.ts'
import { openFolderStore } from '../src/media/folder-store.ts'
import { mediaIdOf, readableName } from '../src/media/media.ts'
import { removeFiles } from '../src/media/remove-files.ts'
import { openS3Store } from '../src/media/s3-store.ts'
import type { MediaStore } from '../src/media/store.ts'
import { storePictures } from '../src/media/store-pictures.ts'
import { sweepMediaOnce } from '../src/media/sweep-media.ts'
import type { RunningCatalog } from '../src/start.ts'
import { anyText } from './any-text.ts'
import { importCatalogue, PUBLIC_URL, shirt, startTestCatalog } from './catalog.ts'
import { BUCKET, hollowPng, jpeg, plain, RED, S3_KEY_ID, S3_SECRET, startS3, type S3Server } from './pictures.ts'

const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 50"><rect width="40" height="50" fill="#c81e1e"/></svg>'
const DAY_MS = 24 * 3600 * 1000
const MIB = 1024 * 1024

const Uploaded = z.object({
  items: z.array(Media.extend({ duplicate: z.boolean() })),
  total: z.int(),
})
const ResponseBody = z.looseObject({
  code: z.string().optional(),
  detail: z.looseObject({ issues: z.unknown().optional() }).optional(),
})
const ListOfMedia = z.object({ items: z.array(Media), total: z.int(), page: z.int(), perPage: z.int() })

let suite: Suite
let db: Database
let s3: S3Server
let folder: string
let inFolder: RunningCatalog
let inBucket: RunningCatalog

const s3Env = () => ({
  MEDIA_S3_ENDPOINT: s3.endpoint,
  MEDIA_S3_BUCKET: BUCKET,
  MEDIA_S3_ACCESS_KEY_ID: S3_KEY_ID,
  MEDIA_S3_SECRET_ACCESS_KEY: S3_SECRET,
  MEDIA_S3_PREFIX: 'shop/one',
})
const s3Options = () => ({
  endpoint: s3.endpoint,
  bucket: BUCKET,
  region: 'us-east-1',
  accessKeyId: S3_KEY_ID,
  secretAccessKey: S3_SECRET,
  prefix: 'shop/one/',
})

beforeAll(async () => {
  suite = await createSuite('catalog')
  db = createDatabase<CatalogTables>({ url: suite.databaseUrl('catalog'), poolSize: 2, name: 'test', log: suite.log })
  s3 = await startS3()
  folder = await temporaryFolder('storefront-media')
  inFolder = await startTestCatalog(suite, { MEDIA_DIR: folder })
  inBucket = await startTestCatalog(suite, { MEDIA_DIR: folder, ...s3Env() })
})

afterAll(async () => {
  await inFolder.stop()
  await inBucket.stop()
  await db.destroy()
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
  await suite.stop()
})

type Part = { bytes: Buffer; name?: string; field?: string } | { alt: string }

function formOf(parts: Part[]): FormData {
  const form = new FormData()
  for (const part of parts) {
    if ('alt' in part) form.append('alt', part.alt)
    else form.append(part.field ?? 'file', new Blob([new Uint8Array(part.bytes)]), part.name ?? 'shirt.jpg')
  }
  return form
}

async function post(
  catalog: RunningCatalog,
  body: FormData | string,
  headers: Record<string, string> = suite.headers.admin(),
) {
  const response = await fetch(`${catalog.url}/admin/media`, { method: 'POST', headers, body })
  return { status: response.status, headers: response.headers, body: ResponseBody.parse(await response.json()) }
}

/** On a slow machine simultaneous uploads may wait for their turn for too long: they are sent again, a few times. */
async function postUntilAdmitted(catalog: RunningCatalog, form: FormData) {
  for (let tries = 1; ; tries++) {
    const response = await post(catalog, form)
    if (response.status !== 503 || tries === 10) return response
  }
}

async function upload(catalog: RunningCatalog, ...parts: Part[]) {
  const { status, body } = await postUntilAdmitted(catalog, formOf(parts))
  expect(status, JSON.stringify(body)).toBe(201)
  return Uploaded.parse(body).items
}

async function uploadOne(catalog: RunningCatalog, bytes: Buffer) {
  const [item] = await upload(catalog, { bytes })
  if (!item) throw new Error('nothing was uploaded')
  return item
}

const admin = (catalog: RunningCatalog, method: 'GET' | 'DELETE', url: string, headers = suite.headers.admin()) =>
  catalog.app.inject({ method, url, headers })

const pathOf = (url: string) => url.slice(PUBLIC_URL.length)

async function show(catalog: RunningCatalog, url: string) {
  const response = await catalog.app.inject({ url: pathOf(url) })
  return { status: response.statusCode, headers: response.headers, bytes: response.rawPayload }
}

async function firstPixel(bytes: Buffer): Promise<number[]> {
  const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  return [...data.subarray(0, 3)]
}

const isNear = (pixel: number[], { r, g, b }: typeof RED) =>
  [r, g, b].every((value, index) => Math.abs(value - (pixel[index] ?? -100)) < 6)

describe.each([
  ['a folder', () => inFolder],
  ['a bucket', () => inBucket],
])('with pictures in %s', (where, catalogOf) => {
  const seed = where === 'a folder' ? 1 : 2

  test('an upload is offered in every width it is wide enough for, none of them enlarged, and as JPEG', async () => {
    const catalog = catalogOf()
    const item = await uploadOne(catalog, await jpeg(1500, 100, seed))
    expect(item).toMatchObject({ width: 1500, height: 100, contentType: 'image/webp', duplicate: false })
    expect(item.sizes.map(({ width }) => width)).toEqual([320, 640, 960, 1280, 1500])
    expect(item.url).toBe(`${PUBLIC_URL}${item.path}`)
    expect(item.url).toBe(item.sizes.at(-1)?.url)
    for (const size of [...item.sizes, item.jpeg]) {
      const shown = await show(catalog, size.url)
      expect(shown.status).toBe(200)
      const isJpeg = size.url.endsWith('.jpg')
      expect(size.url).toBe(`${PUBLIC_URL}/media/uploads/${item.id}/${size.width}.${isJpeg ? 'jpg' : 'webp'}`)
      const { format, width, height } = await sharp(shown.bytes).metadata()
      expect({ format, width, height }).toEqual({
        format: isJpeg ? 'jpeg' : 'webp',
        width: size.width,
        height: size.height,
      })
      expect(shown.bytes.length).toBe(size.bytes)
      expect(shown.headers).toMatchObject({
        'content-type': isJpeg ? 'image/jpeg' : 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'surrogate-key': expect.stringContaining(`media:${item.id}`),
      })
    }
  })

  test('the reply to one file is the file itself beside the list, and to several the list alone', async () => {
    const catalog = catalogOf()
    const [one, other] = [{ bytes: await jpeg(50, 40, seed + 60) }, { bytes: await jpeg(60, 40, seed + 70) }]
    const single = (await post(catalog, formOf([one]))).body
    const [item] = Uploaded.parse(single).items
    expect(single).toEqual({ ...item, items: [item], total: 1 })
    expect(single).toMatchObject({
      id: expect.stringMatching(/^med_/),
      url: expect.stringContaining(PUBLIC_URL),
      type: 'image',
      width: 50,
      height: 40,
      duration: null,
      contentType: 'image/webp',
    })
    const several = (await post(catalog, formOf([one, other]))).body
    expect(Object.keys(several).toSorted()).toEqual(['items', 'total'])
    expect(Uploaded.parse(several)).toMatchObject({ total: 2, items: [{ type: 'image' }, { duration: null }] })
    const listed = ListOfMedia.parse((await admin(catalog, 'GET', '/admin/media?per_page=1')).json())
    expect(listed.items).toMatchObject([{ type: 'image', duration: null }])
  })

  test('a picture that a browser has cached is not sent again', async () => {
    const { path } = await uploadOne(catalogOf(), await jpeg(60, 80, seed))
    const first = await catalogOf().app.inject({ url: path })
    const etag = String(first.headers.etag)
    const headers = { 'if-none-match': `"other", W/${etag}` }
    const again = await catalogOf().app.inject({ url: path, headers })
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
    const head = await catalogOf().app.inject({ method: 'HEAD', url: path })
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(first.rawPayload.length)])
  })

  test('the same bytes are one picture, whatever their name, and a new text replaces the old one', async () => {
    const catalog = catalogOf()
    const bytes = await jpeg(300, 90, seed)
    const [one, two] = await upload(catalog, { bytes, name: 'a.jpg' }, { bytes, name: 'b.png' }, { alt: 'A shirt' })
    expect(two).toEqual({ ...one, duplicate: true })
    const [third] = await upload(catalog, { bytes, name: 'c.jpg' }, { alt: 'A red shirt' })
    expect(third).toEqual({ ...one, alt: 'A red shirt', duplicate: true })
    const [fourth] = await upload(catalog, { bytes })
    expect(fourth).toMatchObject({ name: 'a.jpg', alt: 'A red shirt' })
  })

  test('six simultaneous uploads of the same picture get one row and one of them creates it', async () => {
    const catalog = catalogOf()
    const bytes = await jpeg(330, 90, seed)
    const items = await Promise.all(Array.from({ length: 6 }, () => uploadOne(catalog, bytes)))
    expect(new Set(items.map(({ id }) => id)).size).toBe(1)
    expect(items.filter(({ duplicate }) => !duplicate)).toHaveLength(1)
    expect(await suite.sql('select 1 from catalog.media where id = $1', [items[0]?.id])).toHaveLength(1)
    const audit = await admin(catalog, 'GET', `/admin/audit?kind=media&id=${items[0]?.id}`)
    expect(audit.json().items.map(({ action }: { action: string }) => action)).toEqual(['create'])
  })

  test('lost files are restored when the picture is uploaded again', async () => {
    const catalog = catalogOf()
    const bytes = await jpeg(340, 90, seed)
    const item = await uploadOne(catalog, bytes)
    await storeOf(catalog).remove(item.path.slice('/media/'.length))
    expect((await show(catalog, item.url)).status).toBe(404)
    expect(await uploadOne(catalog, bytes)).toEqual({ ...item, duplicate: true })
    expect((await show(catalog, item.url)).status).toBe(200)
  })

  test('a deleted picture is removed everywhere, purged from caches, and can be uploaded again', async () => {
    const catalog = catalogOf()
    const bytes = await jpeg(350, 90, seed)
    const item = await uploadOne(catalog, bytes)
    const deleted = await admin(catalog, 'DELETE', `/admin/media/${item.id}`)
    expect([deleted.statusCode, deleted.json()]).toEqual([200, { ok: true }])
    expect(deleted.headers['surrogate-purge']).toBe(`media:${item.id}`)
    for (const { url } of [...item.sizes, item.jpeg]) expect((await show(catalog, url)).status).toBe(404)
    expect((await admin(catalog, 'GET', `/admin/media/${item.id}`)).statusCode).toBe(404)
    expect((await admin(catalog, 'DELETE', `/admin/media/${item.id}`)).statusCode).toBe(404)
    const audit = (await admin(catalog, 'GET', `/admin/audit?kind=media&id=${item.id}`)).json().items
    expect(audit).toMatchObject([
      { action: 'delete', actor: 'user_test', before: { name: 'shirt.jpg', width: 350 }, after: null },
      { action: 'create', actor: 'user_test', before: null, after: { name: 'shirt.jpg', width: 350 } },
    ])
    expect(await uploadOne(catalog, bytes)).toMatchObject({ id: item.id, duplicate: false })
    expect((await show(catalog, item.url)).status).toBe(200)
  })

  test('a picture that is uploaded and deleted repeatedly never has a row without its files', async () => {
    const catalog = catalogOf()
    const bytes = await jpeg(40, 50, seed)
    const id = mediaIdOf(bytes)
    // The simulated bucket fails when a folder is emptied while it writes into it, sometimes three times in a row.
    const sent = (form: FormData) => (where === 'a folder' ? postUntilAdmitted(catalog, form) : post(catalog, form))
    const accepted = where === 'a folder' ? [201] : [201, 503]
    const turns = amount({ quick: 2, long: 4 })
    await Promise.all([
      ...Array.from({ length: 5 }, async () => {
        for (let turn = 0; turn < turns; turn++) expect(accepted).toContain((await sent(formOf([{ bytes }]))).status)
      }),
      ...Array.from({ length: 3 }, async () => {
        for (let turn = 0; turn < 1.5 * turns; turn++) {
          expect([200, 404]).toContain((await admin(catalog, 'DELETE', `/admin/media/${id}`)).statusCode)
        }
      }),
    ])
    const rows = await suite.sql('select 1 from catalog.media where id = $1', [id])
    const there: string[] = []
    for await (const { path } of storeOf(catalog).list(`uploads/${id}/`)) there.push(path)
    const whole = [`uploads/${id}/40.jpg`, `uploads/${id}/40.webp`]
    expect(rows.length === 0 ? whole : there.toSorted()).toEqual(whole)
    expect(await uploadOne(catalog, bytes)).toMatchObject({ id, duplicate: rows.length > 0 })
  })

  test('files without a row are removed after a day, and no others', async () => {
    const catalog = catalogOf()
    const store = storeOf(catalog)
    const kept = await uploadOne(catalog, await jpeg(360, 90, seed))
    const orphan = `med_${'0'.repeat(31)}${seed}`
    await store.put(`uploads/${orphan}/320.webp`, Buffer.from('left over'), 'image/webp')
    const sweep = (ageMs: number) =>
      sweepMediaOnce({ db: db, media: store, clock: { now: () => new Date(Date.now() + ageMs) }, log: suite.log })
    expect(await sweep(DAY_MS / 2)).toBe(0)
    expect((await catalog.app.inject({ url: `/media/uploads/${orphan}/320.webp` })).statusCode).toBe(200)
    expect(await sweep(DAY_MS + 60_000)).toBeGreaterThan(0)
    expect((await catalog.app.inject({ url: `/media/uploads/${orphan}/320.webp` })).statusCode).toBe(404)
    expect((await show(catalog, kept.url)).status).toBe(200)
    expect(await sweep(DAY_MS + 60_000)).toBe(0)
  })
})

const storeOf = (catalog: RunningCatalog): MediaStore =>
  catalog === inBucket ? openS3Store(s3Options()) : openFolderStore(folder)

describe.each([
  ['a folder', () => openFolderStore(join(folder, 'contract'))],
  ['a bucket', () => openS3Store({ ...s3Options(), prefix: 'contract/', pageSize: 2 })],
])('a store in %s', (where, open) => {
  const paths = async (store: MediaStore, prefix: string) => {
    const found: string[] = []
    for await (const { path } of store.list(prefix)) found.push(path)
    return found.toSorted()
  }

  test('returns stored files, replaces, lists and removes them', async () => {
    const store = open()
    expect(await store.read('uploads/a/1.webp')).toBeUndefined()
    expect(await paths(store, 'uploads/')).toEqual([])
    await store.put('uploads/a/1.webp', Buffer.from('one'), 'image/webp')
    await store.put('uploads/a/1.webp', Buffer.from('another'), 'image/webp')
    for (const name of ['a/2.webp', 'b/1.webp', 'b/2.webp', 'c/1.webp']) {
      await store.put(`uploads/${name}`, Buffer.from(name), 'image/webp')
    }
    expect(String(await store.read('uploads/a/1.webp'))).toBe('another')
    expect(await paths(store, 'uploads/a/')).toEqual(['uploads/a/1.webp', 'uploads/a/2.webp'])
    expect(await paths(store, 'uploads/')).toHaveLength(5)
    for await (const { changedAt } of store.list('uploads/')) {
      expect(Math.abs(Date.now() - changedAt.getTime())).toBeLessThan(60_000)
    }
    for (const path of await paths(store, 'uploads/')) await store.remove(path)
    await store.remove('uploads/a/1.webp')
    expect(await paths(store, 'uploads/')).toEqual([])
    expect(await store.read('uploads/a/1.webp')).toBeUndefined()
  })

  test('never shows a partial file to a concurrent reader', async () => {
    const store = open()
    const contents = [Buffer.alloc(3 * MIB, 1), Buffer.alloc(MIB, 2)]
    await store.put('uploads/d/1.webp', contents[0] ?? Buffer.alloc(0), 'image/webp')
    // The simulated bucket writes in place; a real one does not.
    const turns = where === 'a folder' ? 10 : 2
    let isWriting = true
    const writer = (async () => {
      for (let turn = 0; turn < turns; turn++) {
        await store.put('uploads/d/1.webp', contents[turn % 2] ?? Buffer.alloc(0), 'image/webp')
      }
    })().finally(() => {
      isWriting = false
    })
    while (isWriting && where === 'a folder') {
      const read = await store.read('uploads/d/1.webp')
      expect(contents.some((content) => read?.equals(content))).toBe(true)
    }
    await writer
    expect((await store.read('uploads/d/1.webp'))?.equals(contents[1] ?? Buffer.alloc(0))).toBe(true)
    await store.remove('uploads/d/1.webp')
  })

  test('supports many concurrent writes and removals in one place', async () => {
    const store = open()
    const path = 'uploads/e/1.webp'
    await Promise.all(
      Array.from({ length: 20 }, async (_each, index) => {
        if (index % 2 === 0) await store.put(path, Buffer.from('here'), 'image/webp')
        else if (where === 'a folder') await store.remove(path)
      }),
    )
    await store.put(path, Buffer.from('here'), 'image/webp')
    expect(String(await store.read(path))).toBe('here')
    await store.remove(path)
  })
})

describe('an upload concurrent with a deletion', () => {
  const files = (bytes: Buffer) => [{ name: 'shirt.jpg', bytes, alt: undefined }]
  const storing = (media: MediaStore, bytes: Buffer) =>
    storePictures(
      { db, media, clock: systemClock, publicUrl: PUBLIC_URL },
      {
        files: files(bytes),
        actor: { kind: 'admin', userId: 'user_test', permissions: [] },
        encoding: (work) => work(),
      },
    )
  const isWhole = async (bytes: Buffer) => {
    const item = (await admin(inFolder, 'GET', `/admin/media/${mediaIdOf(bytes)}`)).json()
    const { sizes, jpeg } = Media.parse(item)
    const shown = await Promise.all([...sizes, jpeg].map(({ url }) => show(inFolder, url)))
    return shown.every(({ status }) => status === 200)
  }

  test('between its files and its row writes the files again', async () => {
    const bytes = await jpeg(130, 90)
    const store = openFolderStore(folder)
    let areRemoved = false
    const media: MediaStore = {
      ...store,
      async put(path, content, type) {
        await store.put(path, content, type)
        if (areRemoved || !path.endsWith('.jpg')) return
        await waitFor('both files', () => existsSync(join(folder, path.replace('.jpg', '.webp'))))
        areRemoved = await removeFiles({ db, media: store }, mediaIdOf(bytes))
      },
    }
    expect(await storing(media, bytes)).toMatchObject([{ duplicate: false }])
    expect(areRemoved).toBe(true)
    expect(await isWhole(bytes)).toBe(true)
  })

  test('of a picture that existed when it began creates the picture again', async () => {
    const bytes = await jpeg(131, 90)
    const { id } = await uploadOne(inFolder, bytes)
    const store = openFolderStore(folder)
    let lists = 0
    const media: MediaStore = {
      ...store,
      async *list(prefix) {
        yield* store.list(prefix)
        if (lists++ > 0) return
        expect((await admin(inFolder, 'DELETE', `/admin/media/${id}`)).statusCode).toBe(200)
      },
    }
    expect(await storing(media, bytes)).toMatchObject([{ id, duplicate: false }])
    expect(await isWhole(bytes)).toBe(true)
  })
})

test('a transaction has one deadline for all that it does in the store', async () => {
  const bytes = await jpeg(132, 90)
  const id = mediaIdOf(bytes)
  const store = openFolderStore(folder)
  const deadlines: (AbortSignal | undefined)[] = []
  let isListed = false
  const media: MediaStore = {
    ...store,
    put(path, content, type, signal) {
      deadlines.push(signal)
      return store.put(path, content, type)
    },
    async *list(prefix, signal) {
      deadlines.push(signal)
      if (isListed) yield* store.list(prefix)
    },
    remove(path, signal) {
      deadlines.push(signal)
      return store.remove(path)
    },
  }
  await storePictures(
    { db, media, clock: systemClock, publicUrl: PUBLIC_URL },
    {
      files: [{ name: 'shirt.jpg', bytes, alt: undefined }],
      actor: { kind: 'admin', userId: 'user_test', permissions: [] },
      encoding: (work) => work(),
    },
  )
  // Two files before the transaction, and in it a list and both files again.
  expect(deadlines.splice(0, 2)).toEqual([undefined, undefined])
  const [adding, ...others] = deadlines.splice(0)
  expect(adding).toBeInstanceOf(AbortSignal)
  expect(others.map((each) => each === adding)).toEqual([true, true])

  isListed = true
  await suite.sql('delete from catalog.media where id = $1', [id])
  expect(await removeFiles({ db, media }, id)).toBe(true)
  const [removing, ...removals] = deadlines
  expect(removing).toBeInstanceOf(AbortSignal)
  expect(removals.map((each) => each === removing)).toEqual([true, true])
})

describe('an accepted picture', () => {
  test.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)('is %s, whatever its declared type', async (format) => {
    const bytes = await plain(50, 40, 9)[format]().toBuffer()
    const [item] = await upload(inFolder, { bytes, name: 'invoice.pdf' })
    expect(item).toMatchObject({ width: 50, height: 40, name: 'invoice.pdf', contentType: 'image/webp' })
  })

  test('in CMYK, 16 bits, gray or with transparency is converted correctly', async () => {
    const cmyk = await plain(64, 64, 0).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer()
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk')
    const item = await uploadOne(inFolder, cmyk)
    const { space } = await sharp((await show(inFolder, item.url)).bytes).metadata()
    expect(space).toBe('srgb')

    const deep = await plain(65, 64).toColourspace('rgb16').png().toBuffer()
    expect((await sharp(deep).metadata()).depth).toBe('ushort')
    expect(isNear(await pixelOf(await uploadOne(inFolder, deep)), RED)).toBe(true)

    const gray = await pixelOf(await uploadOne(inFolder, await plain(66, 64).greyscale().png().toBuffer()))
    const [level = 0] = gray
    expect(isNear(gray, { r: level, g: level, b: level })).toBe(true)
    const clear = await sharp({ create: { width: 67, height: 64, channels: 4, background: { ...RED, alpha: 0 } } })
      .png()
      .toBuffer()
    const transparent = await uploadOne(inFolder, clear)
    expect((await sharp((await show(inFolder, transparent.url)).bytes).metadata()).hasAlpha).toBe(true)
    expect(await firstPixel((await show(inFolder, transparent.jpeg.url)).bytes)).toEqual([255, 255, 255])
  })

  test('with a color profile is converted to sRGB', async () => {
    const bytes = await plain(68, 64).withIccProfile('p3').png().toBuffer()
    expect(isNear([...(await sharp(bytes, { ignoreIcc: true }).raw().toBuffer()).subarray(0, 3)], RED)).toBe(false)
    const item = await uploadOne(inFolder, bytes)
    expect(isNear(await pixelOf(item), RED)).toBe(true)
    expect((await sharp((await show(inFolder, item.url)).bytes).metadata()).icc).toBeUndefined()
  })

  test('is upright and contains no metadata of the camera or the place', async () => {
    const bytes = await plain(80, 60)
      .withExif({ IFD0: { Copyright: 'Somebody' }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const before = await sharp(bytes).metadata()
    expect([before.width, before.orientation, before.exif !== undefined]).toEqual([80, 6, true])
    const item = await uploadOne(inFolder, bytes)
    expect(item).toMatchObject({ width: 60, height: 80 })
    for (const { url } of [...item.sizes, item.jpeg]) {
      const after = await sharp((await show(inFolder, url)).bytes).metadata()
      expect([after.exif, after.orientation, after.xmp, after.iptc]).toEqual(Array.from({ length: 4 }))
    }
  })

  test('that is animated is shown with its first frame', async () => {
    const frames = await sharp(
      await Promise.all(
        [RED, { r: 0, g: 0, b: 250 }].map((background) =>
          sharp({ create: { width: 70, height: 50, channels: 3, background } })
            .png()
            .toBuffer(),
        ),
      ),
      { join: { animated: true } },
    )
      .gif()
      .toBuffer()
    expect((await sharp(frames).metadata()).pages).toBe(2)
    const item = await uploadOne(inFolder, frames)
    expect(item).toMatchObject({ width: 70, height: 50 })
    const { bytes } = await show(inFolder, item.url)
    expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1)
    expect(isNear(await firstPixel(bytes), RED)).toBe(true)
  })

  test('that is much too wide or high is scaled down', async () => {
    expect(await uploadOne(inFolder, await jpeg(6000, 100))).toMatchObject({ width: 1920, height: 32 })
    expect(await uploadOne(inFolder, await jpeg(20, 16_000))).toMatchObject({ height: 3840 })
    expect(await uploadOne(inFolder, await jpeg(1, 1))).toMatchObject({ width: 1, height: 1 })
  })

  test('keeps its shape, and is never enlarged', async () => {
    const anyWidth = fc.integer({ min: 1, max: 2500 })
    // The offered sizes follow from the width alone, and the time that they take from the height too.
    const anyHeight = fc.integer({ min: 1, max: amount({ quick: 500, long: 2500 }) })
    await fc.assert(
      fc.asyncProperty(anyWidth, anyHeight, async (width, height) => {
        const bytes = await plain(width, height, width % 200)
          .png({ compressionLevel: 1 })
          .toBuffer()
        const item = await uploadOne(inFolder, bytes)
        expect(item.width).toBe(Math.min(width, 1920))
        for (const size of item.sizes) {
          expect(size.width).toBeLessThanOrEqual(width)
          expect(Math.abs(size.height - Math.max(1, (height * size.width) / width))).toBeLessThanOrEqual(1)
        }
        const widths = item.sizes.map((size) => size.width)
        expect(widths).toEqual([...new Set(widths)].toSorted((one, other) => one - other))
      }),
      { numRuns: amount({ quick: 2, long: 8 }) },
    )
  })

  const pixelOf = async (item: z.output<typeof Media>) => firstPixel((await show(inFolder, item.url)).bytes)
})

describe('a rejected upload', () => {
  const rejection = async (...parts: Part[]) => {
    const before = await suite.sql('select id from catalog.media order by id')
    const files = readdirSync(join(folder, 'uploads')).toSorted()
    const { status, body } = await post(inFolder, formOf(parts))
    expect(await suite.sql('select id from catalog.media order by id')).toEqual(before)
    expect(readdirSync(join(folder, 'uploads')).toSorted()).toEqual(files)
    return { status, body }
  }
  const rejected = async (...parts: Part[]) => {
    const { status, body } = await rejection(...parts)
    return { status, code: body.code, issues: body.detail?.issues }
  }
  const UNKNOWN = 'is not a JPEG, PNG, WebP, AVIF or GIF picture'
  const DAMAGED = 'is damaged or incomplete'

  test.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>1</script></svg>', UNKNOWN],
    ['a PDF', '%PDF-1.7\n1 0 obj << >> endobj', UNKNOWN],
    ['HTML', '<!doctype html><script>alert(1)</script>', UNKNOWN],
    ['a text', 'x'.repeat(1000), UNKNOWN],
    ['one byte', '\xff', UNKNOWN],
    ['nothing', '', 'is empty'],
  ])('%s that is declared a picture', async (_what, text, message) => {
    expect(await rejected({ bytes: Buffer.from(text, 'latin1'), name: 'shirt.jpg' })).toEqual({
      status: 422,
      code: 'validation_failed',
      issues: [{ path: 'file.0', message }],
    })
  })

  test('a TIFF, which the decoder could read and is configured not to', async () => {
    const bytes = await plain(20, 20).tiff().toBuffer()
    expect(await rejected({ bytes })).toMatchObject({ status: 422, issues: [{ message: UNKNOWN }] })
  })

  test.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)('a truncated %s', async (format) => {
    const noise = sharp({
      create: {
        width: 80,
        height: 80,
        channels: 3,
        background: RED,
        noise: { type: 'gaussian', mean: 99, sigma: 50 },
      },
    })
    const bytes = await noise[format]().toBuffer()
    const { status, issues } = await rejected({ bytes: bytes.subarray(0, bytes.length / 2) })
    expect([status, issues]).toEqual([422, [{ path: 'file.0', message: DAMAGED }]])
  })

  test('a decompression bomb: a few bytes that declare a billion pixels', async () => {
    const { status, issues } = await rejected({ bytes: hollowPng(60_000, 60_000) })
    expect([status, issues]).toEqual([
      422,
      [{ path: 'file.0', message: 'has 60000 × 60000 pixels; the maximum is 16383 on each side' }],
    ])
    expect(await rejected({ bytes: hollowPng(100, 100) })).toMatchObject({ issues: [{ message: DAMAGED }] })
  })

  /** A small progressive JPEG that declares another size. */
  const hollowJpeg = async (width: number, height: number) => {
    const bytes = await plain(16, 16).jpeg({ progressive: true }).toBuffer()
    // The height and the width follow the marker of the frame, its length and the number of bits.
    const at = bytes.indexOf(Buffer.from([0xff, 0xc2])) + 5
    bytes.writeUInt16BE(height, at)
    bytes.writeUInt16BE(width, at + 2)
    return bytes
  }

  /** A small AVIF that declares another size. */
  const hollowAvif = async (width: number, height: number) => {
    const bytes = await plain(16, 16).avif({ effort: 0 }).toBuffer()
    const at = bytes.indexOf('ispe') + 8
    bytes.writeUInt32BE(width, at)
    bytes.writeUInt32BE(height, at + 4)
    return bytes
  }

  const BASELINE = 'or 50 million in a JPEG that is not progressive'
  test.each([
    ['long rows', hollowPng(16_384, 16), 'has 16384 × 16 pixels; the maximum is 16383 on each side'],
    ['long columns', hollowPng(16, 16_384), 'has 16 × 16384 pixels; the maximum is 16383 on each side'],
    ['many pixels', hollowPng(7100, 7100), 'has 7100 × 7100 pixels; the maximum is 50 million'],
    ['16 bits', hollowPng(5400, 5400, [16, 6, 0, 0, 0]), `the maximum is 28.1 million, ${BASELINE}`],
    ['interlacing', hollowPng(5500, 5500, [8, 2, 0, 0, 1]), `the maximum is 30 million, ${BASELINE}`],
    ['scans', hollowJpeg(5500, 5500), `the maximum is 30 million, ${BASELINE}`],
    ['a format that is decoded whole', hollowAvif(3600, 3600), `is 12.5 million, ${BASELINE}`],
  ])('a picture that needs too much memory, by %s', async (_why, bytes, message) => {
    expect(await rejected({ bytes: await bytes })).toMatchObject({
      status: 422,
      issues: [{ path: 'file.0', message: expect.stringContaining(message) }],
    })
  })

  test('more than 20 MB, and more than 21 MB in all', async () => {
    const picture = await jpeg(90, 90)
    const large = Buffer.concat([picture, Buffer.alloc(20 * MIB + 1 - picture.length)])
    expect(await rejected({ bytes: large })).toMatchObject({ status: 413, code: 'payload_too_large' })
    const half = Buffer.alloc(11 * MIB)
    const { status, body } = await rejection({ bytes: half }, { bytes: half })
    expect(status).toBe(413)
    expect(body.message).toBe('A picture can have at most 20 MB, and all of one upload at most 21 MB.')
  })

  test('one invalid picture among valid ones, and each invalid one is named', async () => {
    const good = await jpeg(91, 90)
    const bad = Buffer.from('no picture')
    const { status, issues } = await rejected({ bytes: good }, { bytes: bad }, { bytes: good }, { bytes: bad })
    expect([status, issues]).toEqual([
      422,
      [
        { path: 'file.1', message: UNKNOWN },
        { path: 'file.3', message: UNKNOWN },
      ],
    ])
  })

  test('a form without a file, with too many, in another field, or with invalid texts', async () => {
    const bytes = await jpeg(92, 90)
    const issueOf = async (...parts: Part[]) => {
      const { status, issues } = await rejected(...parts)
      expect(status).toBe(422)
      return issues
    }
    expect(await issueOf({ alt: 'x' })).toEqual([{ path: 'file', message: 'is missing' }])
    expect(await issueOf({ bytes, field: 'picture' })).toMatchObject([{ path: 'file' }])
    expect(await issueOf(...Array.from({ length: 11 }, () => ({ bytes })))).toMatchObject([{ path: 'file' }])
    expect(await issueOf({ bytes }, { alt: 'x'.repeat(501) })).toMatchObject([{ path: 'alt' }])
    for (const blank of ['', '  ', '\u00a0\t']) {
      const issues = [{ path: 'alt', message: 'must not be blank' }]
      expect(await issueOf({ bytes }, { alt: blank })).toEqual(issues)
      expect(await issueOf({ bytes }, { bytes }, { alt: 'A shirt' }, { alt: blank })).toEqual(issues)
    }
    expect(await issueOf({ bytes }, { alt: 'a\0b' })).toMatchObject([{ path: 'alt' }])
    expect(await issueOf({ bytes }, { alt: 'a' }, { alt: 'b' })).toMatchObject([{ path: 'alt' }])
    expect(await issueOf(...Array.from({ length: 40 }, () => ({ alt: 'a' })))).toMatchObject([{ path: '' }])
    expect((await rejected({ bytes, field: '__proto__' })).status).toBe(400)
  })

  test('a body that is not a form', async () => {
    const headers = { ...suite.headers.admin(), 'content-type': 'application/json' }
    const json = await post(inFolder, '{"file":"x"}', headers)
    expect([json.status, json.body.code]).toEqual([415, 'unsupported_media_type'])
    expect(json.body.detail).toEqual({ accepted: ['multipart/form-data'] })
    const type = { ...suite.headers.admin(), 'content-type': 'multipart/form-data' }
    expect((await post(inFolder, 'x', type)).status).toBe(400)
    const empty = await inFolder.app.inject({ method: 'POST', url: '/admin/media', headers: suite.headers.admin() })
    expect(empty.statusCode).toBe(415)
    // A form that is sent elsewhere is still unsupported.
    expect(
      (
        await fetch(`${inFolder.url}/admin/import`, {
          method: 'POST',
          headers: suite.headers.admin(),
          body: formOf([{ bytes: Buffer.from('x') }]),
        })
      ).status,
    ).toBe(415)
  })

  test('random bytes, with or without the beginning of a picture, cause no internal error', async () => {
    const beginnings = await Promise.all(
      (['jpeg', 'png', 'webp', 'avif', 'gif'] as const).map((format) => plain(30, 30)[format]().toBuffer()),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(Buffer.alloc(0), ...beginnings),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.uint8Array({ maxLength: 400 }),
        async (beginning, share, noise) => {
          const bytes = Buffer.concat([beginning.subarray(0, beginning.length * share), noise])
          const { status } = await post(inFolder, formOf([{ bytes }]))
          expect([201, 422]).toContain(status)
        },
      ),
      { numRuns: amount({ quick: 3, long: 60 }) },
    )
  })
})

describe('an incomplete upload', () => {
  /**
   * Sends raw bytes, closes the sending side if `end` is set, and collects the response until the service closes the
   * connection.
   */
  function raw(catalog: RunningCatalog, text: string, { end }: { end: boolean }): Promise<string> {
    const { hostname, port } = new URL(catalog.url)
    return new Promise((resolve, reject) => {
      let received = ''
      const socket = connect({ host: hostname, port: Number(port) }, () => {
        socket.write(text)
        if (end) socket.end()
      })
      socket.on('data', (chunk) => {
        received += String(chunk)
      })
      socket.on('close', () => resolve(received))
      socket.on('error', reject)
    })
  }
  const head = (length: number) =>
    [
      'POST /admin/media HTTP/1.1',
      'host: shop.test',
      'content-type: multipart/form-data; boundary=b',
      `content-length: ${length}`,
      `x-actor: ${suite.headers.admin()['x-actor']}`,
      'connection: close',
      '',
      '',
    ].join('\r\n')
  const beginning = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nhalf'
  function hold(catalog: RunningCatalog): Socket {
    const { hostname, port } = new URL(catalog.url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('error', () => {})
    socket.write(head(1000) + beginning)
    return socket
  }
  const leftovers = () => readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('/.'))

  test('whose form is cut off is rejected and leaves nothing', async () => {
    const before = readdirSync(join(folder, 'uploads'))
    expect(await raw(inFolder, head(beginning.length) + beginning, { end: false })).toMatch(
      /^HTTP\/1\.1 400 .*"bad_request"/s,
    )
    // The sender disconnects in the middle.
    await raw(inFolder, head(1000) + beginning, { end: true })
    expect(readdirSync(join(folder, 'uploads'))).toEqual(before)
    expect(leftovers()).toEqual([])
    expect((await post(inFolder, formOf([{ bytes: await jpeg(93, 90) }]))).status).toBe(201)
  })

  test('that takes too long is rejected, and makes room for others', async () => {
    const catalog = await startTestCatalog(suite, { MEDIA_DIR: folder, MEDIA_UPLOAD_TIMEOUT_MS: '250' })
    const slow = Array.from({ length: 6 }, () => raw(catalog, head(1000) + beginning, { end: false }))
    for (const response of await Promise.all(slow)) expect(response).toMatch(/^HTTP\/1\.1 400 .*took too long/s)
    const bytes = await jpeg(94, 90)
    // On a busy machine this upload may take too long as well, but there is room for it at once.
    const next = await waitFor('an upload in time', async () => {
      const { status } = await post(catalog, formOf([{ bytes }]))
      return status !== 400 && status
    })
    expect(next).toBe(201)
    await catalog.stop()
  })

  test('whose sender disconnected in the queue does not block the queue', async () => {
    const uploadMs = 120_000
    const catalog = await startTestCatalog(suite, { MEDIA_DIR: folder, MEDIA_UPLOAD_TIMEOUT_MS: String(uploadMs) })
    const connected = (count: number) =>
      waitFor(`${count} connections`, async () => {
        const now = await new Promise((resolve) => catalog.app.server.getConnections((_error, open) => resolve(open)))
        return now === count
      })
    const inside = Array.from({ length: 6 }, () => hold(catalog))
    await connected(6)
    const waiting = Array.from({ length: 6 }, () => hold(catalog))
    await connected(12)
    for (const socket of waiting) socket.destroy()
    await connected(6)
    const beganMs = performance.now()
    for (const socket of inside) socket.destroy()
    expect((await post(catalog, formOf([{ bytes: await jpeg(97, 90) }]))).status).toBe(201)
    expect(performance.now() - beganMs).toBeLessThan(uploadMs / 2)
    await catalog.stop()
  })

  test('too many at once are rejected with the time to retry', async () => {
    const bytes = await jpeg(95, 90)
    const slow = Array.from({ length: 48 }, () => hold(inFolder))
    onTestFinished(() => slow.forEach((socket) => socket.destroy()))
    // The first of them that is answered is one that found the queue full.
    await Promise.any(slow.map((socket) => once(socket, 'data')))
    const rejected = await post(inFolder, formOf([{ bytes }]))
    expect(rejected.status).toBe(503)
    expect(rejected.headers.get('retry-after')).toBe('2')
    for (const socket of slow) socket.destroy()
    await expect.poll(async () => (await post(inFolder, formOf([{ bytes }]))).status).toBe(201)
  })

  test('while the database fails leaves no files', async () => {
    const before = readdirSync(join(folder, 'uploads'))
    await suite.sql('alter table catalog.media rename to media_away')
    const { status } = await post(inFolder, formOf([{ bytes: await jpeg(96, 90) }]))
    await suite.sql('alter table catalog.media_away rename to media')
    expect(status).toBe(500)
    expect(readdirSync(join(folder, 'uploads'))).toEqual(before)
  })
})

describe('the list of uploads', () => {
  test('shows the newest first, in pages, and searches names', async () => {
    const own = await createSuite('catalog')
    const catalog = await startTestCatalog(own, { MEDIA_DIR: folder })
    const headers = own.headers.admin()
    for (const [index, name] of ['Red Shirt.jpg', '50%_off.png', 'blue shirt.webp'].entries()) {
      const { status } = await post(catalog, formOf([{ bytes: await jpeg(100 + index, 90), name }]), headers)
      expect(status).toBe(201)
    }
    const list = async (query: string) =>
      ListOfMedia.parse((await admin(catalog, 'GET', `/admin/media${query}`, headers)).json())
    const names = async (query: string) => (await list(query)).items.map(({ name }) => name)
    expect(await names('')).toEqual(['blue shirt.webp', '50%_off.png', 'Red Shirt.jpg'])
    expect(await list('?per_page=2&page=2')).toMatchObject({ total: 3, page: 2, perPage: 2 })
    expect(await names('?per_page=2&page=2')).toEqual(['Red Shirt.jpg'])
    expect(await names('?q=SHIRT')).toEqual(['blue shirt.webp', 'Red Shirt.jpg'])
    expect(await names('?q=%25_')).toEqual(['50%_off.png'])
    expect(await names('?q=_')).toEqual(['50%_off.png'])
    expect(await names('?q=%5C')).toEqual([])
    expect(await list('?per_page=1000&page=0')).toMatchObject({ page: 1, perPage: 100 })
    const [newest] = (await list('')).items
    const one = await admin(catalog, 'GET', `/admin/media/${newest?.id}`, headers)
    expect(Media.parse(one.json())).toEqual(newest)
    for (const query of ['page=two', 'per_page=1.5', `q=${'x'.repeat(201)}`, 'q=%00']) {
      expect((await admin(catalog, 'GET', `/admin/media?${query}`, headers)).statusCode, query).toBe(422)
    }
    for (const id of ['none', 'med_x', "'; --", '%00', '..%2f..', 'x'.repeat(300)]) {
      const response = await admin(catalog, 'GET', `/admin/media/${encodeURIComponent(id)}`, headers)
      expect([404, 422], id).toContain(response.statusCode)
    }
    await catalog.stop()
    await own.stop()
  })
})

describe('a picture in use', () => {
  test('is not deleted, and its uses are named; by force it is', async () => {
    const [byPath, byUrl, category] = await upload(
      inFolder,
      { bytes: await jpeg(110, 90) },
      { bytes: await jpeg(111, 90) },
      { bytes: await jpeg(112, 90) },
    )
    const images = (url: string | undefined) => ({ images: [{ url: url ?? '' }] })
    const imported = await importCatalogue(inFolder.app, suite, {
      categories: [{ slug: 'shirts', name: 'Shirts', image: { url: category?.path ?? '', alt: 'Shirts' } }],
      products: [
        ...Array.from({ length: 6 }, (_each, index) => shirt(`many-${index}`, images(byPath?.path))),
        shirt('one', images(byUrl?.sizes[0]?.url)),
      ],
    })
    expect(imported.statusCode, imported.body).toBe(200)
    const attempt = (id: string | undefined, query = '') => admin(inFolder, 'DELETE', `/admin/media/${id}${query}`)
    const many = await attempt(byPath?.id)
    expect([many.statusCode, many.json().code]).toEqual([409, 'conflict'])
    expect(many.json().detail).toMatchObject({ productCount: 6, places: [] })
    expect(many.json().detail.products).toHaveLength(5)
    expect(many.json().detail.products[0]).toEqual({ slug: 'many-0', title: 'Shirt many-0' })
    expect((await attempt(byUrl?.id)).json().detail).toMatchObject({ products: [{ slug: 'one' }], productCount: 1 })
    expect((await attempt(category?.id)).json().detail).toMatchObject({ productCount: 0, places: ['category shirts'] })
    expect((await attempt(byPath?.id, '?force=0')).statusCode).toBe(409)
    expect((await attempt(byPath?.id, '?force=maybe')).statusCode).toBe(422)
    expect((await show(inFolder, byPath?.url ?? '')).status).toBe(200)
    expect((await attempt(byPath?.id, '?force=1')).statusCode).toBe(200)
    expect((await show(inFolder, byPath?.url ?? '')).status).toBe(404)
  })
})

describe('permissions', () => {
  const routes = [
    ['POST', '/admin/media', 'catalog:write'],
    ['GET', '/admin/media', 'catalog:read'],
    ['GET', '/admin/media/none', 'catalog:read'],
    ['PATCH', '/admin/media/none', 'catalog:write'],
    ['DELETE', '/admin/media/none', 'catalog:write'],
  ] as const

  test.each(routes)('%s %s needs %s', async (method, url, permission) => {
    const as = async (headers: Record<string, string>) =>
      (await inFolder.app.inject({ method, url, headers })).statusCode
    expect(await as({})).toBe(401)
    expect(await as(suite.headers.anonymous())).toBe(401)
    expect(await as(suite.headers.customer('cus_1'))).toBe(403)
    expect(await as(suite.headers.admin(PERMISSIONS.filter((one) => one !== permission)))).toBe(403)
    expect([200, 404, 415, 422]).toContain(await as(suite.headers.admin([permission])))
  })
})

describe('the thumbnail of a picture', () => {
  const thumbnail = async (catalog: RunningCatalog, path: string) => {
    const response = await catalog.app.inject({ url: `/media/${thumbnailPath(path)}` })
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/jpeg'])
    const { format, width, height } = await sharp(response.rawPayload).metadata()
    expect({ format, width, height }).toEqual({ format: 'jpeg', ...THUMBNAIL })
    return response
  }

  beforeAll(async () => {
    await mkdir(join(folder, 'demo'), { recursive: true })
    await writeFile(join(folder, 'demo', 'drawn.svg'), DRAWING)
    await writeFile(join(folder, 'demo', 'small.png'), await plain(20, 10).png().toBuffer())
  })

  test('is a small JPEG of a drawing and of a photograph, cached permanently', async () => {
    for (const [path, color] of [
      ['demo/drawn.svg', RED],
      ['demo/small.png', RED],
      ['placeholder.svg', { r: 239, g: 236, b: 230 }],
    ] as const) {
      const { headers, rawPayload } = await thumbnail(inFolder, path)
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(headers['surrogate-key']).toBe('media')
      expect(rawPayload.length).toBeLessThan(20_000)
      expect(isNear(await firstPixel(rawPayload), color), path).toBe(true)
    }
  })

  test('exists for uploads, in a folder as in a bucket, and carries the key that purges it', async () => {
    for (const catalog of [inFolder, inBucket]) {
      const { id, url } = await uploadOne(catalog, await jpeg(300, 260, 77))
      const { headers, rawPayload } = await thumbnail(catalog, pathOf(url).slice('/media/'.length))
      expect(headers['surrogate-key']).toBe(`media media:${id}`)
      expect(isNear(await firstPixel(rawPayload), { ...RED, g: 107 })).toBe(true)
      await catalog.app.inject({ method: 'DELETE', url: `/admin/media/${id}`, headers: suite.headers.admin() })
    }
  })

  test('is made one at a time, and a request that arrives while too many wait is rejected with Retry-After', async () => {
    const requests = Array.from({ length: amount({ quick: 150, long: 400 }) }, () =>
      inFolder.app.inject({ url: `/media/${thumbnailPath('demo/drawn.svg')}` }),
    )
    const responses = await Promise.all(requests)
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 503]))
    const tooMany = responses.filter(({ statusCode }) => statusCode === 503)
    expect(tooMany.every(({ headers }) => headers['retry-after'] === '1')).toBe(true)
    await thumbnail(inFolder, 'demo/drawn.svg')
  })
})

describe('the addresses of pictures', () => {
  let outside: string

  beforeAll(async () => {
    await mkdir(join(folder, 'demo'), { recursive: true })
    await writeFile(join(folder, 'demo', 'shirt.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    await writeFile(join(folder, 'demo', 'damaged.png'), 'damaged')
    await mkdir(join(folder, 'uploads'), { recursive: true })
    await writeFile(join(folder, 'uploads', 'x.svg'), DRAWING)
    await writeFile(join(folder, '.hidden.svg'), DRAWING)
    await writeFile(join(folder, 'notes.txt'), 'text')
    await writeFile(join(folder, '..', 'outside.svg'), DRAWING)
    outside = await temporaryFolder('storefront-outside')
    await writeFile(join(outside, 'secret.svg'), DRAWING)
    await symlink(outside, join(folder, 'linked'))
    await symlink(join(outside, 'secret.svg'), join(folder, 'host.svg'))
  })
  afterAll(async () => {
    await rm(join(folder, '..', 'outside.svg'), { force: true })
    await rm(outside, { recursive: true, force: true })
  })

  test("the placeholder and the demo's pictures are still shown, whichever store uploads are in", async () => {
    for (const catalog of [inFolder, inBucket]) {
      for (const url of ['/media/placeholder.svg', '/media/demo/shirt.svg']) {
        const response = await catalog.app.inject({ url })
        expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/svg+xml'])
        expect(response.headers['content-security-policy']).toContain('sandbox')
      }
    }
  })

  test.each([
    'thumbnails/../outside.svg.jpg',
    'thumbnails/host.svg.jpg',
    'thumbnails/linked/secret.svg.jpg',
    'thumbnails/.hidden.svg.jpg',
    'thumbnails/notes.txt.jpg',
    'thumbnails/demo/none.svg.jpg',
    // It exists, and is not a picture that can be read.
    'thumbnails/demo/shirt.svg.jpg',
    'thumbnails/demo/damaged.png.jpg',
    'thumbnails/demo/shirt.svg',
    'thumbnails/placeholder.svg.png',
    `thumbnails/uploads/med_${'a'.repeat(32)}/320.webp.jpg`,
    'thumbnails/uploads/x.svg.jpg',
    'thumbnails/.jpg',
    '../outside.svg',
    '%2e%2e/outside.svg',
    '%2e%2e%2foutside.svg',
    '..%5coutside.svg',
    '..%255coutside.svg',
    'demo/..%2f..%2foutside.svg',
    'demo/%2e%2e/%2e%2e/outside.svg',
    '%2fetc%2fhostname',
    '/etc/hostname',
    'host.svg',
    'linked/secret.svg',
    '.hidden.svg',
    'demo%2fshirt.svg',
    'demo/shirt%2esvg',
    'demo//shirt.svg',
    'demo/./shirt.svg',
    'demo',
    'demo/',
    '',
    'notes.txt',
    'shirt.svg%00.jpg',
    'demo/shirt.svg%00',
    'placeholder.svg/',
    'uploads/../demo/shirt.svg',
    'uploads/x/320.svg',
    'uploads/med_x/320.webp',
    `uploads/med_${'a'.repeat(32)}/320.webp`,
    `uploads/med_${'a'.repeat(32)}/.320.webp.x`,
    `${'a/'.repeat(200)}x.svg`,
    `${'x'.repeat(400)}.svg`,
  ])('/media/%s is not found', async (path) => {
    // A raw request, because the client in tests would normalize the path.
    const { hostname, port } = new URL(inFolder.url)
    const status = await new Promise<number>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) }, () => {
        socket.write(`GET /media/${path} HTTP/1.1\r\nhost: shop.test\r\nconnection: close\r\n\r\n`)
      })
      let text = ''
      socket.on('data', (chunk) => {
        text += String(chunk)
      })
      socket.on('close', () => resolve(Number(text.split(' ')[1])))
      socket.on('error', reject)
    })
    // An invalid path may be rejected before it is looked up.
    expect(path.includes('%00') ? [404, 422] : [404]).toContain(status)
  })
})

describe('a bucket that fails', () => {
  // These tests run at once to share the pauses between attempts; each disturbs only requests about its own picture.
  test.concurrent('gets another request, and an upload succeeds on the second attempt', async () => {
    const bytes = await jpeg(400, 90, 50)
    let failures = 0
    s3.disturb((method) => (method === 'PUT' && failures++ % 2 === 0 ? 503 : undefined), mediaIdOf(bytes))
    const item = await uploadOne(inBucket, bytes)
    s3.disturb(undefined, mediaIdOf(bytes))
    expect(failures).toBeGreaterThan(item.sizes.length)
    expect((await show(inBucket, item.url)).status).toBe(200)
  })

  test.concurrent('permanently leaves no row, and neither response nor log contains the secret', async () => {
    const bytes = await jpeg(410, 90, 51)
    s3.disturb((method) => (method === 'PUT' ? 500 : undefined), mediaIdOf(bytes))
    const { status, body, headers } = await post(inBucket, formOf([{ bytes }]))
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '2'])
    expect(JSON.stringify(body)).not.toContain(S3_SECRET)
    expect(await suite.sql('select 1 from catalog.media where id = $1', [mediaIdOf(bytes)])).toEqual([])
    const store = openS3Store({ ...s3Options(), secretAccessKey: 'not-the-secret-at-all' })
    s3.disturb(undefined, mediaIdOf(bytes))
    const error: unknown = await store.put('uploads/x/1.webp', bytes, 'image/webp').catch((cause: unknown) => cause)
    const details = error instanceof Error ? `${error.stack} ${String(error.cause)}` : ''
    expect(details).toContain('403 (SignatureDoesNotMatch)')
    expect(details).not.toContain('not-the-secret-at-all')
    expect(details).not.toMatch(/Signature=|AWS4-HMAC/)
  })

  test.concurrent('to reply makes a picture a 503, not a broken image', async () => {
    const { id, path } = await uploadOne(inBucket, await jpeg(420, 90, 52))
    const store = openS3Store({ ...s3Options(), attemptMs: 50 })
    s3.disturb(() => 'silence', 'uploads/silent/')
    s3.disturb(() => 500, id)
    const [response] = await Promise.all([
      inBucket.app.inject({ url: path }),
      expect(store.read('uploads/silent/1.webp')).rejects.toMatchObject({ status: 503 }),
    ])
    s3.disturb(undefined, 'uploads/silent/')
    s3.disturb(undefined, id)
    expect([response.statusCode, response.headers['cache-control']]).toEqual([503, 'private, no-store'])
    expect((await inBucket.app.inject({ url: path })).statusCode).toBe(200)
  })

  test('to reply delays nothing beyond the deadline of a transaction', async () => {
    const store = openS3Store(s3Options())
    s3.disturb(() => 'silence')
    const begunMs = performance.now()
    const list = async (signal: AbortSignal) => {
      for await (const file of store.list('uploads/a/', signal)) expect(file).toBeUndefined()
    }
    const outcomes = await Promise.allSettled([
      store.put('uploads/a/1.webp', Buffer.from('x'), 'image/webp', AbortSignal.timeout(50)),
      list(AbortSignal.timeout(50)),
      store.remove('uploads/a/1.webp', AbortSignal.timeout(50)),
    ])
    s3.disturb(undefined)
    expect(outcomes).toMatchObject(Array.from({ length: 3 }, () => ({ reason: { status: 503 } })))
    // A single attempt takes four seconds when there is no deadline.
    expect(performance.now() - begunMs).toBeLessThan(4000)
  })

  test('while a picture is deleted: the row is deleted, the files with the next sweep', async () => {
    const item = await uploadOne(inBucket, await jpeg(430, 90, 53))
    // The first fails permanently at once, the others are tried again: they must have ended before the response.
    s3.disturb((method, url) => (method !== 'DELETE' ? undefined : url.endsWith('.jpg') ? 403 : 500))
    expect((await admin(inBucket, 'DELETE', `/admin/media/${item.id}`)).statusCode).toBe(200)
    s3.disturb(undefined)
    expect((await show(inBucket, item.url)).status).toBe(200)
    await sweepMediaOnce({
      db: db,
      media: storeOf(inBucket),
      clock: { now: () => new Date(Date.now() + 2 * DAY_MS) },
      log: suite.log,
    })
    expect((await show(inBucket, item.url)).status).toBe(404)
  })

  test('is not mistaken for an empty one when it does not exist', async () => {
    const store = openS3Store({ ...s3Options(), bucket: 'not-there' })
    await expect(store.read('uploads/a/1.webp')).rejects.toMatchObject({ status: 503 })
    await expect(store.put('uploads/a/1.webp', Buffer.from('x'), 'image/webp')).rejects.toMatchObject({ status: 503 })
    await expect(async () => {
      for await (const file of store.list('uploads/')) expect(file).toBeUndefined()
    }).rejects.toMatchObject({ status: 503 })
  })
})

describe('the configuration of the bucket', () => {
  test('is complete or absent, and an error never shows a value', () => {
    const base = suite.env('catalog')
    expect(() => readConfig(CatalogConfig, { ...base, MEDIA_S3_ENDPOINT: 'http://s3.test' })).toThrow(
      /MEDIA_S3_BUCKET is missing\n.*MEDIA_S3_ACCESS_KEY_ID is missing\n.*MEDIA_S3_SECRET_ACCESS_KEY is missing/,
    )
    const whole = { ...base, ...s3Env() }
    expect(readConfig(CatalogConfig, whole)).toMatchObject({
      MEDIA_S3_PREFIX: 'shop/one/',
      MEDIA_S3_REGION: 'us-east-1',
    })
    for (const wrong of [
      { MEDIA_S3_ENDPOINT: 'http://user:hunter2@s3.test' },
      { MEDIA_S3_ENDPOINT: 'hunter2' },
      { MEDIA_S3_BUCKET: 'Hunter2/..' },
      { MEDIA_S3_PREFIX: '../hunter2' },
      { MEDIA_S3_PREFIX: `${'hunter2'.repeat(100)}!` },
    ]) {
      expect(() => readConfig(CatalogConfig, { ...whole, ...wrong })).toThrow(/^(?!.*hunter2).*not valid/is)
    }
  })
})

describe('the sweep of a folder', () => {
  test('removes temporary files, and leaves files that are not uploads', async () => {
    const item = await uploadOne(inFolder, await jpeg(120, 90))
    const half = join(folder, 'uploads', item.id, '.120.webp.half')
    const fresh = join(folder, 'uploads', item.id, '.120.webp.fresh')
    const demo = join(folder, 'old.svg')
    const longAgo = new Date(Date.now() - 2 * DAY_MS)
    for (const path of [half, fresh, demo]) await writeFile(path, 'x')
    for (const path of [half, demo]) await utimes(path, longAgo, longAgo)
    await sweepMediaOnce({ db: db, media: storeOf(inFolder), clock: { now: () => new Date() }, log: suite.log })
    expect([half, fresh, demo].map((path) => existsSync(path))).toEqual([false, true, true])
    await rm(fresh)
    // A picture with a row is not removed, however old its files are.
    expect(await removeFiles({ db: db, media: storeOf(inFolder) }, item.id)).toBe(false)
    expect((await show(inFolder, item.url)).status).toBe(200)
  })
})

describe('the name of an upload', () => {
  test.each([
    ['shirt.jpg', 'shirt.jpg'],
    ['../../etc/passwd', 'passwd'],
    [String.raw`C:\fakepath\shirt.jpg`, 'shirt.jpg'],
    ['a\r\nset-cookie: x', 'a set-cookie: x'],
    ['a\u202Egpj.exe', 'a gpj.exe'],
    ['\0', 'picture'],
    ['/', 'picture'],
    ['', 'picture'],
    ['Cafe\u0301.png', 'Café.png'],
  ])('%j is stored as %j', (sent, kept) => {
    expect(readableName(sent)).toBe(kept)
  })

  test('is always short, visible and without a path', () => {
    fc.assert(
      fc.property(anyText(500), (sent) => {
        const name = readableName(sent)
        expect(Array.from(name).length).toBeGreaterThan(0)
        expect(Array.from(name).length).toBeLessThanOrEqual(200)
        expect(name).not.toMatch(/[\p{C}/\\]|^\s|\s$/u)
        expect(readableName(name)).toBe(name)
      }),
      { numRuns: amount({ quick: 10, long: 500 }) },
    )
  })
})
