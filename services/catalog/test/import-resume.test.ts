import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { followRule } from '@storefront/postgres/testing'
import { createSuite, lockWaiters, temporaryFolder, waitFor, waitForLock, type Suite } from '@storefront/tools/testing'
import { ImportJob } from '@storefront/contracts'
import { RETENTION } from '../src/retention.ts'
import type { RunningCatalog } from '../src/start.ts'
import { keepImportsOnce } from '../src/transfer/process-imports.ts'
import { endFailed } from '../src/transfer/run-import.ts'
import { systemClock } from '@storefront/service'
import { FREQUENT_POLLS, shirt, startTestCatalog } from './catalog.ts'
import { spawnCatalog } from './catalog-process.ts'
import { startPictureServer } from './picture-server.ts'
import { openWriter } from './save-meanwhile.ts'

let suite: Suite
let catalog: RunningCatalog | undefined
let child: ChildProcess | undefined

beforeAll(async () => {
  suite = await createSuite('catalog')
})
afterAll(() => suite.stop())
beforeEach(async () => {
  await suite.sql('delete from catalog.import_jobs')
})
afterEach(async () => {
  await suite.sql('rollback')
  child?.kill('SIGKILL')
  await catalog?.stop()
  catalog = undefined
})

const PRODUCTS = 10
const linesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => JSON.stringify({ type: 'product', data: shirt(`s${index}`) })).join('\n')

async function upload(url: string): Promise<ImportJob> {
  const response = await fetch(`${url}/admin/import?async=1`, {
    method: 'POST',
    headers: { ...suite.headers.admin(), 'content-type': 'application/x-ndjson' },
    body: linesOf(PRODUCTS),
  })
  expect(response.status).toBe(202)
  return ImportJob.parse(await response.json())
}

async function statusOf(id: string): Promise<string | undefined> {
  const [job] = await suite.sql<{ status: string }>('select status from catalog.import_jobs where id = $1', [id])
  return job?.status
}

async function productCount(): Promise<number | undefined> {
  const [counted] = await suite.sql<{ count: number }>('select count(*)::int as count from catalog.products')
  return counted?.count
}

const stagedRows = () => suite.sql('select 1 from catalog.import_rows')

test('an import whose service is killed in the middle is finished by the next one, once', async () => {
  const { url, child: started } = await spawnCatalog(suite)
  child = started
  await waitFor('the service', async () => (await fetch(`${url}/readyz`)).ok)
  // The stock is locked late, when products are written already.
  await suite.sql('begin')
  await suite.sql('lock table catalog.variants in share mode')
  const { id } = await upload(url)
  await waitFor('the import to be applied', async () => {
    const waiting = await lockWaiters(suite)
    return (await statusOf(id)) === 'applying' && waiting.length > 0
  })
  child.kill('SIGKILL')
  await once(child, 'exit')
  await suite.sql('commit')
  expect(await productCount()).toBe(0)

  catalog = await startTestCatalog(suite, FREQUENT_POLLS)
  await waitFor('the import', async () => (await statusOf(id)) === 'done')
  expect(await productCount()).toBe(PRODUCTS)
  const audited = await suite.sql('select 1 from catalog.audit_entries where subject_id = $1', [id])
  expect(audited).toHaveLength(1)
})

test('an import in progress when the service stops is finished by the next one', async () => {
  catalog = await startTestCatalog(suite, FREQUENT_POLLS)
  await suite.sql('begin')
  await suite.sql('select 1 from catalog.settings for update')
  const { id } = await upload(catalog.url)
  await waitForLock(suite, 'settings')
  const stopped = catalog.stop()
  await suite.sql('commit')
  await stopped
  catalog = await startTestCatalog(suite, FREQUENT_POLLS)
  await waitFor('the import', async () => (await statusOf(id)) === 'done')
  expect(await productCount()).toBe(PRODUCTS)
})

test('an import whose service is killed while it fetches pictures continues with the missing ones', async () => {
  const other = await startPictureServer()
  const folder = await temporaryFolder('storefront-resume')
  try {
    const env = { MEDIA_DIR: folder, PICTURES_ALLOW_PRIVATE: 'true' }
    const { url, child: started } = await spawnCatalog(suite, env)
    child = started
    await waitFor('the service', async () => (await fetch(`${url}/readyz`)).ok)
    other.replies.set('/held.jpg', () => {})
    const pictures = ['/a.jpg', '/b.jpg', '/held.jpg', '/c.jpg', '/d.jpg']
    const reply = await fetch(`${url}/admin/import?async=1`, {
      method: 'POST',
      headers: { ...suite.headers.admin(), 'content-type': 'text/csv' },
      body: [
        'Handle,Title,Variant Price,Image Src',
        ...pictures.map((path, index) => `p${index},P,1,${other.origin}${path}`),
      ].join('\n'),
    })
    const { id } = ImportJob.parse(await reply.json())
    const fetched = () => suite.sql('select 1 from catalog.import_pictures where media is not null')
    await waitFor('the other pictures', async () => (await fetched()).length === 4)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await statusOf(id)).toBe('fetching')
    expect(await suite.sql('select 1 from catalog.media')).toEqual([])

    other.replies.clear()
    other.seen.splice(0)
    catalog = await startTestCatalog(suite, { ...FREQUENT_POLLS, ...env })
    // A process counts as dead a minute after its last heartbeat.
    await suite.sql(`update catalog.import_jobs set changed_at = changed_at - interval '2 minutes' where id = $1`, [id])
    await waitFor('the import', async () => (await statusOf(id)) === 'done')
    expect(other.seen).toEqual(['/held.jpg'])
    expect(await suite.sql('select 1 from catalog.media')).toHaveLength(5)
    const shown = await suite.sql(
      `select 1 from catalog.products where slug like 'p_' and document -> 'images' -> 0 ->> 'url' like '/media/uploads/%'`,
    )
    expect(shown).toHaveLength(5)
  } finally {
    await catalog?.stop()
    catalog = undefined
    await other.stop()
    await rm(folder, { recursive: true })
  }
})

test('an upload that is cut off leaves no row, and its job fails with a message', async () => {
  catalog = await startTestCatalog(suite, FREQUENT_POLLS)
  const { port } = new URL(catalog.url)
  const sending = request({
    port,
    method: 'POST',
    path: '/admin/import',
    headers: { ...suite.headers.admin(), 'content-type': 'application/x-ndjson', 'content-length': '9000000' },
  })
  sending.on('error', () => {})
  const lines = linesOf(40)
  sending.write(`${lines}\n`)
  for (let part = 0; part < 30; part++) sending.write(`${lines.replaceAll('"s', `"${part}-s`)}\n`)
  await waitFor('rows to arrive', async () => (await stagedRows()).length > 0)
  sending.destroy()
  const [job] = await waitFor('the job to fail', async () => {
    const jobs = await suite.sql<{ failure: string }>(`select failure from catalog.import_jobs where status = 'failed'`)
    return jobs.length > 0 && jobs
  })
  expect(job?.failure).toBe('The file did not arrive completely. Nothing was changed.')
  await waitFor('the rows to be deleted', async () => (await stagedRows()).length === 0)
})

test('an upload that still arrives is not lost, however long its rows take', async () => {
  let nowMs = Date.now()
  const clock = { now: () => new Date(nowMs) }
  catalog = await startTestCatalog(suite, FREQUENT_POLLS, clock)
  const db = openWriter(suite)
  const sending = request({
    port: new URL(catalog.url).port,
    method: 'POST',
    path: '/admin/import',
    headers: { ...suite.headers.admin(), 'content-type': 'application/x-ndjson' },
  })
  sending.on('error', () => {})
  sending.write('\n')
  // The actor of a request is valid for a short time, so the clock advances only after the request is accepted.
  await waitFor('the job', async () => (await suite.sql('select from catalog.import_jobs')).length > 0)
  await waitFor('the upload to arrive', async () => {
    nowMs += 60_000
    sending.write('\n')
    return (await suite.sql('select from catalog.import_jobs where changed_at > created_at')).length > 0
  })
  for (const line of linesOf(3).split('\n')) {
    nowMs += 4 * 60_000
    sending.write(`${line}\n`)
    await waitFor('the arrival to be stored', async () => {
      return (await suite.sql('select from catalog.import_jobs where changed_at = $1', [clock.now()])).length > 0
    })
  }
  await keepImportsOnce({ db, clock })
  await db.destroy()
  const statuses = () => suite.sql('select status, rows_read from catalog.import_jobs')
  expect(await statuses()).toEqual([{ status: 'receiving', rows_read: 0 }])
  sending.end()
  await waitFor('the import', async () => {
    return (await suite.sql(`select from catalog.import_jobs where status = 'done'`)).length > 0
  })
  expect(await statuses()).toEqual([{ status: 'done', rows_read: 3 }])
})

test('jobs that lost their process or cannot succeed are ended, their rows are deleted, and the jobs after a month', async () => {
  const insert = `insert into catalog.import_jobs (id, created_at, changed_at, finished_at, actor, mode, dry_run, attended, status)
    values ($1, now() - $2::interval, now() - $2::interval, $3, '{"kind":"anonymous"}', 'merge', false, true, $4)`
  await suite.sql(insert, ['imp_lost', '10 minutes', null, 'applying'])
  await suite.sql(insert, ['imp_alive', '10 seconds', null, 'receiving'])
  await suite.sql(insert, ['imp_old', '31 days', new Date(Date.now() - 31 * 24 * 3600 * 1000), 'done'])
  await suite.sql(
    `insert into catalog.import_rows (job_id, type, place, path, data) values ('imp_lost', 'product', 0, '', '{}')`,
  )
  const db = openWriter(suite)
  await keepImportsOnce({ db, clock: systemClock })
  await followRule(RETENTION['old imports'], { db, clock: systemClock })
  expect(await statusOf('imp_lost')).toBe('failed')
  expect(await statusOf('imp_alive')).toBe('receiving')
  expect(await statusOf('imp_old')).toBeUndefined()
  expect(await stagedRows()).toEqual([])

  await suite.sql(insert, ['imp_late', '25 hours', null, 'applying'])
  const end = (id: string, code: string) =>
    endFailed({ db, clock: systemClock, log: suite.log }, id, Object.assign(new Error('failed'), { code }), {
      isStopping: () => false,
      isAttended: false,
    })
  // Another transaction may hold the products for a while, but not for a day.
  await end('imp_alive', '55P03')
  await end('imp_alive', '40P01')
  await end('imp_late', '55P03')
  expect([await statusOf('imp_alive'), await statusOf('imp_late')]).toEqual(['receiving', 'failed'])
  // A statement that takes too long would do so at every try.
  await end('imp_alive', '57014')
  expect(await statusOf('imp_alive')).toBe('failed')
  await db.destroy()
})
