import { readdir, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { systemClock } from '@storefront/service'
import { createSuite, temporaryFolder, waitFor, type Suite } from '@storefront/tools/testing'
import { ImportJob, ImportResult } from '@storefront/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openFolderStore } from '../src/media/folder-store.ts'
import { removeFiles } from '../src/media/remove-files.ts'
import type { MediaStore } from '../src/media/store.ts'
import type { RunningCatalog } from '../src/start.ts'
import { fetchPictures } from '../src/transfer/fetch-pictures.ts'
import { createPictureSource } from '../src/transfer/picture-source.ts'
import { importCatalogue, importFile, issueTextsOf, pageOf, PUBLIC_URL, startTestCatalog } from './catalog.ts'
import { startPictureServer, type PictureServer } from './picture-server.ts'
import { hollowPng } from './pictures.ts'
import { openWriter } from './save-meanwhile.ts'

let suite: Suite
let folder: string
let catalog: RunningCatalog
let other: PictureServer

beforeAll(async () => {
  suite = await createSuite('catalog')
  folder = await temporaryFolder('storefront-pictures')
  catalog = await startTestCatalog(suite, { MEDIA_DIR: folder, PICTURES_ALLOW_PRIVATE: 'true' })
})
afterAll(async () => {
  await suite.stop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  other = await startPictureServer()
  await importCatalogue(catalog.app, suite, { mode: 'replace', settings: {} })
  await suite.sql('delete from catalog.import_jobs')
  await suite.sql('delete from catalog.media')
  await rm(join(folder, 'uploads'), { recursive: true, force: true })
  return () => other.stop()
})

function send(rows: readonly string[], query = '', from = catalog) {
  const header = 'Handle,Title,Variant Price,Image Src,Image Position,Image Alt Text,Variant Image'
  return importFile(from.app, suite, [header, ...rows].join('\n'), { query })
}

function resultOf(reply: Awaited<ReturnType<typeof send>>): ImportResult {
  expect(reply.statusCode, reply.payload).toBe(200)
  return ImportResult.parse(reply.json())
}

const imagesOf = async (slug: string) => (await pageOf(catalog.app, slug)).images

async function jobOf(id: string): Promise<ImportJob> {
  return ImportJob.parse(
    (await catalog.app.inject({ url: `/admin/import/${id}`, headers: suite.headers.admin() })).json(),
  )
}

const files = () => readdir(join(folder, 'uploads')).catch(() => [])
const media = () => suite.sql<{ id: string; name: string }>('select id, name from catalog.media order by name')
const products = () => suite.sql('select 1 from catalog.products')

describe('the pictures of a product CSV', () => {
  test('are stored in the shop, and none is left on the other server', async () => {
    const done = resultOf(
      await send([
        `shirt,Shirt,1,${other.origin}/files/front.jpg?v=17,2,Front,${other.origin}/files/red.jpg`,
        `shirt,,,${other.origin}/files/back%20side.jpg,1,,`,
        `twin,Twin,1,${other.origin}/files/front.jpg?v=17,,,`,
      ]),
    )
    expect(done).toMatchObject({ products: 2, pictures: 3 })
    const images = await imagesOf('shirt')
    expect(images.map(({ alt }) => alt)).toEqual(['Shirt', 'Front', 'Shirt'])
    for (const { url, width, height } of images) {
      expect(url).toMatch(new RegExp(`^${PUBLIC_URL}/media/uploads/med_[0-9a-f]{32}/${width}\\.webp$`))
      const picture = await catalog.app.inject({ url: url.slice(PUBLIC_URL.length) })
      expect(picture.statusCode).toBe(200)
      // The server's pictures are lower. An image of unknown size would have a height of 1500.
      expect(height).toBeLessThan(120)
    }
    expect((await imagesOf('twin'))[0]?.url).toBe(images[1]?.url)
    expect((await media()).map(({ name }) => name)).toEqual(['back side.jpg', 'front.jpg', 'red.jpg'])
    const exported = await catalog.app.inject({ url: '/admin/export', headers: suite.headers.admin(['catalog:read']) })
    expect(exported.payload).toContain('/media/uploads/')
    expect(exported.payload).not.toContain(other.origin)
    const [audited] = await suite.sql<{ after: { pictures: number } }>(
      `select after from catalog.audit_entries where subject_kind = 'import' order by id desc limit 1`,
    )
    expect(audited?.after.pictures).toBe(3)
  })

  test('are the same the second time: nothing changes, and none is stored again', async () => {
    const rows = [`shirt,Shirt,1,${other.origin}/a.jpg,,,${other.origin}/b.jpg`]
    resultOf(await send(rows))
    const before = await media()
    const dry = resultOf(await send(rows, '?dry_run=1'))
    expect(dry.counts.products).toMatchObject({ updated: 0, unchanged: 1 })
    expect(resultOf(await send(rows)).counts.products).toMatchObject({ updated: 0, unchanged: 1 })
    expect(await media()).toEqual(before)
  })

  test('are checked by a dry run, which stores none', async () => {
    other.replies.set('/bad.jpg', (_request, response) => response.end('<html>'))
    const rows = [`shirt,Shirt,1,${other.origin}/a.jpg,,,`]
    expect(resultOf(await send(rows, '?dry_run=1'))).toMatchObject({ dryRun: true, pictures: 1 })
    expect(issueTextsOf(await send([...rows, `hat,Hat,1,${other.origin}/bad.jpg,,,`], '?dry_run=1'))).toEqual([
      `row 3: Image Src: ${other.origin}/bad.jpg is not a JPEG, PNG, WebP, AVIF or GIF picture`,
    ])
    expect([await files(), await media(), await products()]).toEqual([[], [], []])
  })

  test('are reported when they cannot be fetched, each by its cell and together with all other errors', async () => {
    const gone = (path: string, status: number) =>
      other.replies.set(path, (_request, response) => response.writeHead(status).end())
    gone('/gone.jpg', 404)
    gone('/gone-too.jpg', 403)
    other.replies.set('/empty.jpg', (_request, response) => response.end())
    const rows = [
      `one,One,1,${other.origin}/a.jpg,,,`,
      `one,,,${other.origin}/gone.jpg,,,`,
      `two,,dear,${other.origin}/b.jpg,,,${other.origin}/gone-too.jpg`,
      `three,Three,1,${other.origin}/empty.jpg,,,`,
      `one,One,1,,,,`,
      `four,Four,1,ftp://files.example/c.jpg,,,`,
    ]
    for (const query of ['', '?dry_run=1']) {
      expect(issueTextsOf(await send(rows, query)), query).toEqual([
        expect.stringMatching(/^row 4: Variant Price: /),
        'row 4: Title: must not be blank',
        expect.stringMatching(/^row 7: Image Src: must be an http/),
        'row 6: Handle: one occurs twice in this import',
        `row 3: Image Src: ${other.origin}/gone.jpg could not be fetched: the server replied with status 404`,
        `row 4: Variant Image: ${other.origin}/gone-too.jpg could not be fetched: the server replied with status 403`,
        `row 5: Image Src: ${other.origin}/empty.jpg is empty`,
      ])
    }
    expect([await files(), await media(), await products()]).toEqual([[], [], []])
    const queued = await send(rows, '?async=1')
    expect(queued.statusCode).toBe(202)
    const failed = await waitFor('the import to fail', async () => {
      const job = await jobOf(ImportJob.parse(queued.json()).id)
      return job.status === 'failed' && job
    })
    expect(failed.issueCount).toBe(7)
    expect(failed.issues).toHaveLength(7)
  })

  test('are not stored for an import with an error that only a comparison with the shop can find', async () => {
    resultOf(await send([`kept,Kept,1,,,,`]))
    await suite.sql(`update catalog.variants set sku = 'SHOP'`)
    const reply = await catalog.app.inject({
      method: 'POST',
      url: '/admin/import',
      headers: { ...suite.headers.admin(), 'content-type': 'text/csv' },
      payload: `Handle,Title,Variant Price,Variant SKU,Image Src\none,One,1,SHOP,${other.origin}/a.jpg`,
    })
    expect(issueTextsOf(reply)).toEqual(['row 2: Variant SKU: SKU SHOP belongs to another product'])
    expect(other.seen).toEqual(['/a.jpg'])
    expect(await files()).toEqual([])
  })

  test('keep their addresses when the merchant requests it', async () => {
    resultOf(await send([`shirt,Shirt,1,${other.origin}/a.jpg,,,`], '?keep_picture_links=1'))
    expect((await imagesOf('shirt')).map(({ url }) => url)).toEqual([`${other.origin}/a.jpg`])
    expect(other.seen).toEqual([])
    resultOf(await send([`shirt,Shirt,1,${other.origin}/a.jpg,,,`]))
    expect((await imagesOf('shirt'))[0]?.url).toContain('/media/uploads/')
  })

  test('of this shop are not fetched', async () => {
    resultOf(await send([`shirt,Shirt,1,${PUBLIC_URL}/media/a.svg,,,`, `shirt,,,/media/b.svg,,,`]))
    const images = await imagesOf('shirt')
    expect(images.map(({ url }) => url)).toEqual([`${PUBLIC_URL}/media/a.svg`, `${PUBLIC_URL}/media/b.svg`])
    const [stored] = await suite.sql<{ url: string }>(
      `select document -> 'images' -> 0 ->> 'url' as url from catalog.products`,
    )
    expect(stored?.url).toBe('/media/a.svg')
  })

  test('on a private address are not fetched, unless the operator allows it', async () => {
    const strict = await startTestCatalog(suite, { MEDIA_DIR: folder })
    try {
      const reply = await send(
        [`one,One,1,${other.origin}/a.jpg,,,`, `two,Two,1,http://localhost:${new URL(other.origin).port}/b.jpg,,,`],
        '',
        strict,
      )
      expect(issueTextsOf(reply)).toEqual([
        `row 2: Image Src: ${other.origin}/a.jpg leads to a private address`,
        expect.stringMatching(/^row 3: Image Src: http:\/\/localhost:\d+\/b\.jpg leads to a private address$/),
      ])
      expect(other.seen).toEqual([])
    } finally {
      await strict.stop()
    }
  })

  test('are reported when they would need too much memory, in a dry run too', async () => {
    other.replies.set('/bomb.png', (_request, response) => response.end(hollowPng(3_000_001, 16)))
    for (const query of ['', '?dry_run=1']) {
      expect(issueTextsOf(await send([`one,One,1,${other.origin}/bomb.png,,,`], query)), query).toEqual([
        `row 2: Image Src: ${other.origin}/bomb.png has 3000001 × 16 pixels; the maximum is 16383 on each side`,
      ])
    }
  })

  test('are fetched a few at a time, and not all from a host that does not reply', async () => {
    let open = 0
    let most = 0
    const slow = Array.from({ length: 12 }, (_, index) => `/slow${index}.jpg`)
    for (const path of slow) {
      other.replies.set(path, (_request, response) => {
        most = Math.max(most, ++open)
        // Each response is late enough for all other requests that are allowed at once to arrive.
        setTimeout(() => {
          open--
          response.writeHead(404).end()
        }, 50)
      })
    }
    await send(slow.map((path, index) => `s${index},S,1,${other.origin}${path},,,`))
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(4)
    const dead = await startPictureServer()
    await dead.stop()
    const issues = issueTextsOf(await send(slow.map((path, index) => `s${index},S,1,${dead.origin}${path},,,`)))
    expect(issues.filter((issue) => issue.endsWith('could not be reached')).length).toBeGreaterThanOrEqual(8)
    expect(issues.at(-1)).toMatch(/was not fetched: 127\.0\.0\.1:\d+ did not reply \d+ times in a row$/)
    expect(issues).toHaveLength(12)
  })

  test('may not be more than five thousand', async () => {
    const rows = Array.from({ length: 5001 }, (_, index) => {
      const [title, price] = index % 20 === 0 ? ['S', 1] : ['', '']
      return `s${Math.floor(index / 20)},${title},${price},${other.origin}/${index}.jpg,,,`
    })
    expect(issueTextsOf(await send(rows))).toEqual([
      'pictures: must not be more than 5000; split the file, or import with keep_picture_links=1',
    ])
    expect(other.seen).toEqual([])
  })
})

describe('an import that waits for its pictures', () => {
  const rows = () => [`one,One,1,${other.origin}/a.jpg,,,`, `two,Two,1,${other.origin}/held.jpg,,,`]

  /** Holds one picture back until it is released, by default with a 404. */
  function hold(): (reply?: (response: ServerResponse) => void) => void {
    const waiting: ServerResponse[] = []
    other.replies.set('/held.jpg', (_request, response) => void waiting.push(response))
    return (reply = (response) => response.writeHead(404).end()) => {
      for (const response of waiting) reply(response)
    }
  }

  /** What a process needs to fetch pictures. */
  function fetching() {
    const db = openWriter(suite)
    const resolve = () => {
      throw new Error('there is no name')
    }
    const pictures = createPictureSource({ isPrivate: () => false, resolve, timeoutMs: 1000 })
    const context = { db, clock: systemClock, log: suite.log, media: openFolderStore(folder), pictures }
    const close = async () => {
      await pictures.close()
      await db.destroy()
    }
    return { context, close }
  }

  test('shows their number, and does not delay other imports', async () => {
    const release = hold()
    const { id } = ImportJob.parse((await send(rows(), '?async=1')).json())
    await waitFor('the first picture', async () => (await jobOf(id)).progress.picturesFetched === 1)
    expect(await jobOf(id)).toMatchObject({ status: 'fetching', progress: { rowsRead: 2, pictures: 2 } })
    expect(resultOf(await send(['hat,Hat,1,,,,'])).counts.products.created).toBe(1)
    release()
    await waitFor('the import to fail', async () => (await jobOf(id)).status === 'failed')
    expect((await jobOf(id)).issues).toEqual([
      { path: 'row 3: Image Src', message: expect.stringContaining('/held.jpg could not be fetched') },
    ])
  })

  test('can be canceled, and leaves nothing visible', async () => {
    const release = hold()
    const { id } = ImportJob.parse((await send(rows(), '?async=1')).json())
    await waitFor('the first picture', async () => (await jobOf(id)).progress.picturesFetched === 1)
    const cancelled = await catalog.app.inject({
      method: 'DELETE',
      url: `/admin/import/${id}`,
      headers: suite.headers.admin(),
    })
    expect(cancelled.statusCode).toBe(200)
    release()
    await waitFor('the pictures to be dropped', async () => {
      return (await suite.sql('select 1 from catalog.import_pictures')).length === 0
    })
    expect([await media(), await products()]).toEqual([[], []])
    expect((await jobOf(id)).status).toBe('cancelled')
  })

  test('fails when they take too long together', async () => {
    const { id } = ImportJob.parse((await send(rows(), '?async=1&dry_run=1')).json())
    await waitFor('the import to be done', async () => (await jobOf(id)).status === 'done')
    // A job that is done deletes its rows, which would be those of this test.
    await waitFor('its rows to be deleted', async () => {
      const left = await suite.sql('select from catalog.import_pictures where job_id = $1', [id])
      return left.length === 0
    })
    await suite.sql(
      `update catalog.import_jobs set status = 'fetching', finished_at = null, result = null, picture_worker = 'test',
        attended = true, changed_at = now() where id = $1`,
      [id],
    )
    await suite.sql(
      `insert into catalog.import_pictures (job_id, url, place, path) values ($1, $2, 1, 'row 2: Image Src')`,
      [id, `${other.origin}/a.jpg`],
    )
    const { context, close } = fetching()
    const options = { worker: 'test', deadlineMs: 0, isStopping: () => false, isAttended: true }
    expect(await fetchPictures(context, id, { ...options, worker: 'another' })).toBe('busy')
    expect(await fetchPictures(context, id, options)).toMatchObject({ id, status: 'queued' })
    await close()
    const [job] = await suite.sql<{ issues: unknown }>('select issues from catalog.import_jobs where id = $1', [id])
    expect(job?.issues).toEqual([
      {
        path: 'pictures',
        message: '1 of 2 were not fetched in time; import with async=1, or with keep_picture_links=1',
      },
    ])
  })

  test('keeps its files when a merchant uploads and deletes the same picture', async () => {
    const release = hold()
    const { id } = ImportJob.parse((await send(rows(), '?async=1')).json())
    await waitFor('the first picture', async () => (await jobOf(id)).progress.picturesFetched === 1)
    const [picture = ''] = await files()
    const db = openWriter(suite)
    // The deletion does this after it has deleted the row.
    expect(await removeFiles({ db, media: openFolderStore(folder) }, picture)).toBe(false)
    release((response) => response.writeHead(302, { location: '/b.jpg' }).end())
    await waitFor('the import', async () => (await jobOf(id)).status === 'done')
    const [shown] = await imagesOf('one')
    expect(shown?.url).toContain(picture)
    expect((await catalog.app.inject({ url: shown?.url.slice(PUBLIC_URL.length) ?? '' })).statusCode).toBe(200)
    await db.destroy()
  })

  test('fetches a picture again when its files were removed before that', async () => {
    await suite.sql(
      `insert into catalog.import_jobs (id, created_at, changed_at, actor, mode, dry_run, attended, status, pictures)
       values ('imp_test', now(), now(), '{"kind":"anonymous"}', 'merge', false, true, 'fetching', 1)`,
    )
    await suite.sql(
      `insert into catalog.import_pictures (job_id, url, place, path) values ('imp_test', $1, 1, 'row 2: Image Src')`,
      [`${other.origin}/a.jpg`],
    )
    const { context, close } = fetching()
    const store = context.media
    let lists = 0
    const media: MediaStore = {
      ...store,
      async *list(folderPath) {
        if (lists++ === 0) await rm(join(folder, 'uploads'), { recursive: true })
        yield* store.list(folderPath)
      },
    }
    const options = { worker: 'test', deadlineMs: 60_000, isStopping: () => false, isAttended: true }
    expect(await fetchPictures({ ...context, media }, 'imp_test', options)).toMatchObject({ status: 'queued' })
    await close()
    expect([lists, other.seen]).toEqual([2, ['/a.jpg', '/a.jpg']])
    expect(await files()).toHaveLength(1)
  })

  test('fails with a message when the shop lost a picture that it had', async () => {
    resultOf(await send([`old,Old,1,${other.origin}/a.jpg,,,`]))
    const release = hold()
    const { id } = ImportJob.parse((await send(rows(), '?async=1')).json())
    await waitFor('the first picture', async () => (await jobOf(id)).progress.picturesFetched === 1)
    await suite.sql('delete from catalog.media')
    release((response) => response.writeHead(302, { location: '/b.jpg' }).end())
    const failed = await waitFor('the import to fail', async () => {
      const job = await jobOf(id)
      return job.status === 'failed' && job
    })
    expect(failed.failure).toBe('The rows of this import were lost. Nothing was changed. Please send the file again.')
    expect(await products()).toHaveLength(1)
    expect(await media()).toEqual([])
  })
})
