import { execFile } from 'node:child_process'
import { cp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Order } from '@storefront/contracts'
import { launch, type RunningShop } from '@storefront/tools/launch'
import { packageCache, postgresFolder, startPostgresWithTools, waitFor } from '@storefront/tools/testing'
import { repository } from './repository/source-files.ts'
import { expectBooksBalanced, stockOf } from './support/books.ts'
import { openShop, type TestShop } from './support/shop.ts'
import { Visitor } from './support/visitor.ts'

const UNITS = 20
const folder = postgresFolder()
if (folder === undefined)
  console.warn('SKIPPED: backup and restore, because no PostgreSQL with its pg_dump is installed')

let postgres: { url: string; stop: () => Promise<void> }
let shop: TestShop
let again: RunningShop | undefined

const environment = () => ({ PATH: process.env['PATH'], DATA_DIR: shop.dataDir, DATABASE_URL: postgres.url, PORT: '0' })

/** As an operator types it. @returns everything it said, and how it ended */
async function run(name: 'backup' | 'restore', ...args: string[]): Promise<{ code: number; said: string }> {
  const tool = join(repository, `tools/src/backup/${name}-main.ts`)
  const options = { env: { ...environment(), STOREFRONT_URL: shop.receiver.url } }
  return promisify(execFile)(process.execPath, [tool, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, said: stdout + stderr }),
  )
}

async function destroyDatabase(): Promise<void> {
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('drop database shop with (force)')
  await client.end()
}

const paid = async (visitor: Visitor, id: string) =>
  Order.parse((await visitor.get(`/orders/${id}`)).body).status === 'paid'

beforeAll(async () => {
  if (folder === undefined) return
  postgres = await startPostgresWithTools(folder)
  shop = await openShop({ env: { DATABASE_URL: postgres.url } })
})

afterAll(async () => {
  if (folder === undefined) return
  await again?.stop()
  await shop.stop()
  await postgres.stop()
})

test.skipIf(folder === undefined)(
  'the database is destroyed and comes back from a backup: what was bought before it is there, and the shop sells on',
  async () => {
    const product = await shop.stockProduct('kept', UNITS)
    const variantId = product.variants[0]?.id ?? ''
    const visitor = shop.visitor()
    await visitor.register('kept@example.com')
    const kept = await visitor.buy(variantId, 2)
    await waitFor('the payment', () => paid(visitor, kept.id))

    const backup = join(shop.dataDir, 'copy')
    expect(await run('backup', backup)).toMatchObject({ code: 0, said: expect.stringContaining('holds 1 orders') })
    expect((await readdir(shop.dataDir)).filter((name) => name.endsWith('.part'))).toEqual([])
    expect(await run('backup', backup)).toMatchObject({ code: 1, said: expect.stringContaining('is there already') })

    const lost = await visitor.buy(variantId, 5)
    await waitFor('the payment', () => paid(visitor, lost.id))
    expect(await run('restore', backup, '--replace')).toMatchObject({
      code: 1,
      said: expect.stringContaining('Another shop'),
    })
    await shop.shop.stop()

    const damaged = join(shop.dataDir, 'damaged')
    await cp(backup, damaged, { recursive: true })
    await writeFile(join(damaged, 'database.dump'), 'not what was written')
    expect(await run('restore', damaged, '--replace')).toMatchObject({
      code: 1,
      said: expect.stringContaining('damaged (database.dump)'),
    })
    expect(await run('restore', backup)).toMatchObject({ code: 1, said: expect.stringContaining('say --replace') })

    await destroyDatabase()
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
    expect((await visitor.get('/me')).status, 'a token from before the backup').toBe(200)
    expect(await paid(visitor, kept.id)).toBe(true)
    expect((await visitor.get(`/orders/${lost.id}`)).status).toBe(404)

    const next = await visitor.buy(variantId, 3)
    expect(next.number).not.toBe(kept.number)
    await waitFor('the payment', () => paid(visitor, next.id))
    await waitFor('the webhook', () => shop.receiver.received.some((event) => event['orderId'] === next.id))
    await expectBooksBalanced({ ...shop, shop: running, admin }, new Map([[variantId, UNITS]]))
  },
)
