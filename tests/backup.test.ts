import { execFile } from 'node:child_process'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Order } from '@storefront/contracts'
import { launch, type RunningShop } from '@storefront/tools/launch'
import { findPostgresWithTools, packageCache, startPostgresWithTools, waitFor } from '@storefront/tools/testing'
import { codeBlocks } from './documents/code-blocks.ts'
import { repository } from './repository/source-files.ts'
import { expectBooksBalanced, stockOf } from './support/books.ts'
import { saySkipped } from './support/say-skipped.ts'
import { openShop, type TestShop } from './support/shop.ts'
import { Visitor } from './support/visitor.ts'

const UNITS = 20
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAGUlEQVQokWM4ISdHEmIY1SA3GkonhmvSAADkYgQQjClmVwAAAABJRU5ErkJggg=='

const programs = await findPostgresWithTools()
if ('fault' in programs) saySkipped('backup and restore', programs.fault)

let postgres: { url: string; stop: () => Promise<void> }
let shop: TestShop
let again: RunningShop | undefined
let variantId: string
let picture: string
let visitor: Visitor
let kept: Order
let lost: Order
let backup: string

beforeAll(async () => {
  if ('fault' in programs) return
  postgres = await startPostgresWithTools(programs)
  shop = await openShop({ env: { DATABASE_URL: postgres.url } })
})

afterAll(async () => {
  if ('fault' in programs) return
  await again?.stop()
  await shop.stop()
  await postgres.stop()
})

const environment = () => ({ PATH: process.env['PATH'], DATA_DIR: shop.dataDir, DATABASE_URL: postgres.url, PORT: '0' })

/** The command lines that were tried, with FOLDER for a folder. */
const tried = new Set<string>()

/** As an operator types it. @returns everything it said, and how it ended */
async function run(name: 'backup' | 'restore', ...args: string[]): Promise<{ code: number; said: string }> {
  const shape = args.map((each) => (each.startsWith('--') ? each : 'FOLDER'))
  tried.add([`npm run ${name}`, ...(args.length > 0 ? ['--'] : []), ...shape].join(' '))
  const tool = join(repository, `tools/src/backup/${name}-main.ts`)
  const tools = 'fault' in programs ? {} : { POSTGRES_BIN: programs.folder, LD_LIBRARY_PATH: programs.libraryPath }
  const options = { env: { ...environment(), ...tools, STOREFRONT_URL: shop.receiver.url } }
  return promisify(execFile)(process.execPath, [tool, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, said: stdout + stderr }),
  )
}

async function inDatabase<Row>(name: string, text: string): Promise<Row[]> {
  const address = new URL(postgres.url)
  address.pathname = `/${name}`
  const client = new Client({ connectionString: address.href })
  await client.connect()
  try {
    return (await client.query<Row & Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

const ordersThere = async () =>
  (await inDatabase<{ id: string }>('shop', 'select id from orders.orders order by placed_at')).map(({ id }) => id)

const schemasThere = async () =>
  (
    await inDatabase<{ name: string }>(
      'shop',
      `select nspname as name from pg_namespace where nspname !~ '^(pg_|information_schema|public)' order by 1`,
    )
  ).map(({ name }) => name)

const SCHEMAS = ['cart', 'catalog', 'identity', 'notifier', 'orders']

const paid = async (visitor: Visitor, id: string) =>
  Order.parse((await visitor.get(`/orders/${id}`)).body).status === 'paid'

const numberOf = ({ number }: Order) => Number(/\d+$/.exec(number)?.[0])

/** @returns the path under which the shop shows it */
async function uploadPicture(): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([Buffer.from(PICTURE, 'base64')], { type: 'image/png' }), 'red.png')
  const answer = await fetch(`${shop.shop.url}/admin/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.admin.token}` },
    body: form,
  })
  const body: unknown = await answer.json()
  expect(answer.status, JSON.stringify(body)).toBe(201)
  const [item] = z.object({ items: z.array(z.object({ path: z.string() })) }).parse(body).items
  return item?.path ?? ''
}

/** The same backup with something changed. */
async function copyOf(backup: string, name: string, change: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(shop.dataDir, name)
  await cp(backup, folder, { recursive: true })
  await change(folder)
  return folder
}

test.skipIf('fault' in programs)(
  'a backup takes the place of what is there, and one that cannot be restored changes nothing',
  async () => {
    const product = await shop.stockProduct('kept', UNITS)
    variantId = product.variants[0]?.id ?? ''
    picture = await uploadPicture()
    visitor = shop.visitor()
    await visitor.register('kept@example.com')
    kept = await visitor.buy(variantId, 2)
    await waitFor('the payment', () => paid(visitor, kept.id))

    backup = join(shop.dataDir, 'copy')
    expect(await run('backup', backup)).toMatchObject({ code: 0, said: expect.stringContaining('holds 1 orders') })
    expect((await readdir(shop.dataDir)).filter((name) => name.endsWith('.part'))).toEqual([])
    expect(await run('backup', backup)).toMatchObject({ code: 1, said: expect.stringContaining('is there already') })

    expect(await run('backup')).toMatchObject({ code: 0 })

    lost = await visitor.buy(variantId, 5)
    await waitFor('the payment', () => paid(visitor, lost.id))
    expect(await run('restore', backup, '--replace')).toMatchObject({
      code: 1,
      said: expect.stringContaining('Another shop'),
    })
    await shop.shop.stop()

    // What cannot be restored changes nothing.
    const damaged = await copyOf(backup, 'damaged', (folder) => writeFile(join(folder, 'database.dump'), 'not this'))
    expect(await run('restore', damaged, '--replace')).toMatchObject({
      code: 1,
      said: expect.stringContaining('damaged (database.dump)'),
    })
    const nothing = await copyOf(backup, 'nothing', (folder) => writeFile(join(folder, 'manifest.json'), '{}'))
    expect(await run('restore', nothing, '--replace')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/is no backup of a shop \(✖ Invalid input: expected /),
    })
    const lacking = await copyOf(backup, 'lacking', async (folder) => {
      const manifest = join(folder, 'manifest.json')
      const text = await readFile(manifest, 'utf8')
      await writeFile(manifest, text.replace('"orders.orders": 1', '"orders.orders": 2'))
    })
    expect(await run('restore', lacking, '--replace')).toMatchObject({
      code: 1,
      said: expect.stringContaining('Rows are missing in orders.orders'),
    })
    expect(await run('restore', backup)).toMatchObject({ code: 1, said: expect.stringContaining('say --replace') })
    expect(await ordersThere()).toEqual([kept.id, lost.id])
    expect(await schemasThere()).toEqual(SCHEMAS)

    // In the place of what is there. Its numbers had gone further than anybody would guess.
    await inDatabase('shop', `select setval('orders.order_numbers', 5000000)`)
    const replaced = await run('restore', backup, '--replace')
    expect(replaced).toMatchObject({ code: 0, said: expect.stringContaining('The backup is back') })
    expect(replaced.said).toContain('Orders go on with number 5000001,')
    expect(await ordersThere()).toEqual([kept.id])
    expect(await schemasThere()).toEqual(SCHEMAS)
  },
)

test.skipIf('fault' in programs)(
  'the database is destroyed and comes back on an empty server: what was bought before the backup is there, and the shop sells on',
  async () => {
    await inDatabase('postgres', 'drop database shop with (force)')
    await rm(join(shop.dataDir, 'media'), { recursive: true })
    expect(await run('restore', backup)).toMatchObject({ code: 0, said: expect.stringContaining('The backup is back') })

    again = await launch({
      env: { ...environment(), STOREFRONT_URL: shop.receiver.url, RATE_LIMIT_GENERAL: '0', RATE_LIMIT_AUTH: '0' },
      dataDir: shop.dataDir,
      cacheDir: packageCache(),
      seed: false,
      quiet: true,
      say: () => {},
    })
    const running = again
    expect(running.adminPassword).toBe(shop.shop.adminPassword)
    const admin = new Visitor(running.url)
    await admin.signInAsAdmin(running.adminEmail, running.adminPassword)
    expect((await stockOf(shop, variantId)).onHand).toBe(UNITS - 2)
    expect((await fetch(`${running.url}${picture}`)).status, 'the picture').toBe(200)
    const later = new Visitor(running.url)
    later.token = visitor.token
    expect((await later.get('/me')).status, 'a token from before the backup').toBe(200)
    expect(await paid(later, kept.id)).toBe(true)
    expect((await later.get(`/orders/${lost.id}`)).status).toBe(404)

    const next = await later.buy(variantId, 3)
    expect(numberOf(next), 'a number that no other buyer can hold').toBeGreaterThan(numberOf(lost))
    await waitFor('the payment', () => paid(later, next.id))
    await waitFor('the webhook', () => shop.receiver.received.some((event) => event['orderId'] === next.id))
    await expectBooksBalanced({ ...shop, shop: running, admin }, new Map([[variantId, UNITS]]))
  },
)

test.skipIf('fault' in programs)('the documented commands are among those that were tried', () => {
  const lines = codeBlocks('docs/operations.md', 'sh backup').flatMap(({ text }) => text.trim().split('\n'))
  const documented = lines.map((line) => line.replace(/\s*#.*$/, '').replace(/ \/\S+/, ' FOLDER'))
  expect(documented.length).toBeGreaterThan(2)
  expect(documented.filter((line) => !tried.has(line))).toEqual([])
})
