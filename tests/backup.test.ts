import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Order } from '@storefront/contracts'
import { startInfrastructure, startPostgres } from '@storefront/tools/infrastructure'
import { launch, type RunningShop } from '@storefront/tools/launch'
import { restore } from '@storefront/tools/restore'
import {
  amount,
  builtProgram,
  findPostgresOfDebian,
  packageCache,
  startDebianPostgres,
  waitFor,
} from '@storefront/tools/testing'
import { codeBlocks } from './documents/code-blocks.ts'
import { holdLock } from './support/hold-lock.ts'
import { expectShopBalanced, stockOf } from './support/shop-balance.ts'
import { printSkipped } from './support/print-skipped.ts'
import { queryAt } from './support/query-at.ts'
import { runProgram } from './support/run-program.ts'
import { openShop, shopDatabase, type TestShop } from './support/shop.ts'
import { TestClient } from './support/test-client.ts'

const UNITS = 20
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAGUlEQVQokWM4ISdHEmIY1SA3GkonhmvSAADkYgQQjClmVwAAAABJRU5ErkJggg=='
/** A killed restore, two faults of a backup, and a server of another version are in `npm run test:long` only. */
const IS_LONG_RUN = amount({ quick: false, long: true })
const SCHEMAS = ['cart', 'catalog', 'identity', 'notifier', 'orders']

let folder: string
let programs: string
/** In the default set-up, where the shop starts all its servers itself. */
let shop: TestShop
let variantId: string
let picture: string
let client: TestClient
let kept: Order
let lost: Order
/** The id of an account that is deleted after the backup. */
let leaving: string
let backup: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storefront-backup-'))
  programs = join(folder, 'programs')
  await makePathWithoutPostgres()
  shop = await openShop({ ownServers: true })
  await sharePackages(shop.dataDir)
})

afterAll(async () => {
  await shop.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A PATH with the programs that a start as root runs by name, and with no program of PostgreSQL. */
async function makePathWithoutPostgres(): Promise<void> {
  await mkdir(programs)
  for (const file of ['/usr/bin/id', '/usr/sbin/useradd']) {
    await symlink(file, join(programs, file.split('/').at(-1) ?? ''))
  }
}

/** Packages that were downloaded for other tests are not downloaded again. */
async function sharePackages(dataDir: string): Promise<void> {
  await mkdir(packageCache(), { recursive: true })
  await symlink(packageCache(), join(dataDir, 'packages'))
}

/** Everything that no file name and no printed line of a backup may hold. */
async function secrets(): Promise<string[]> {
  const text = await readFile(join(shop.dataDir, 'secrets.json'), 'utf8')
  const values = Object.values(z.record(z.string(), z.string()).parse(JSON.parse(text)))
  expect(values.length).toBeGreaterThan(10)
  return [...values, client.token ?? '']
}

async function expectNoSecret(text: string): Promise<void> {
  expect((await secrets()).filter((secret) => text.includes(secret))).toEqual([])
}

type Environment = Record<string, string>

const environment = (changes: Environment = {}): Environment => ({
  PATH: programs,
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
  DATA_DIR: shop.dataDir,
  PORT: '0',
  STOREFRONT_URL: shop.receiver.url,
  ...changes,
})

const TOOLS = {
  backup: await builtProgram('tools/src/backup/backup-main.ts'),
  restore: await builtProgram('tools/src/backup/restore-main.ts'),
}

/** The command lines that were run, with FOLDER for a folder. */
const tried = new Set<string>()

/** Runs the command as an operator types it. @returns its output and its exit code */
async function run(
  name: 'backup' | 'restore',
  args: string[],
  changes: Environment = {},
): Promise<{ code: number; output: string }> {
  const shape = args.map((each) => (each.startsWith('--') ? each : 'FOLDER'))
  tried.add([`npm run ${name}`, ...(args.length > 0 ? ['--'] : []), ...shape].join(' '))
  const { code, stdout, stderr } = await runProgram([TOOLS[name], ...args], environment(changes))
  return { code, output: stdout + stderr }
}

/** What the command does with --replace, in this process. */
const restoreToReplace = (from: string, env: Environment): Promise<void> =>
  restore(from, {
    env,
    replace: true,
    newSecrets: false,
    lastInvoice: 0,
    progress: { reached: () => {}, print: () => {} },
    signal: new AbortController().signal,
  })

const databaseOf = (url: string) => url.replace(/\/postgres$/, '/shop')

/** Reads the database of a shop that is stopped. */
async function whileStopped<Result>(dataDir: string, look: (url: string) => Promise<Result>): Promise<Result> {
  const postgres = await startPostgres({ dataDir, env: {}, print: () => {} })
  try {
    return await look(databaseOf(postgres.url))
  } finally {
    await postgres.stop()
  }
}

/** The orders and schemas that a database holds. */
async function contentOf(url: string): Promise<{ orders: string[]; schemas: string[] }> {
  const orders = await queryAt<{ id: string }>(url, 'select id from orders.orders order by placed_at')
  const schemas = await queryAt<{ name: string }>(
    url,
    `select nspname as name from pg_namespace where nspname !~ '^(pg_|information_schema|public)' order by 1`,
  )
  return { orders: orders.map(({ id }) => id), schemas: schemas.map(({ name }) => name) }
}

const paid = async (client: TestClient, id: string) =>
  Order.parse((await client.get(`/orders/${id}`)).body).status === 'paid'

const numberOf = ({ number }: Order) => Number(/\d+$/.exec(number)?.[0])

/** @returns the path under which the shop serves it */
async function uploadPicture(): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([Buffer.from(PICTURE, 'base64')], { type: 'image/png' }), 'red.png')
  const response = await fetch(`${shop.shop.url}/admin/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.admin.token}` },
    body: form,
  })
  const body: unknown = await response.json()
  expect(response.status, JSON.stringify(body)).toBe(201)
  const [item] = z.object({ items: z.array(z.object({ path: z.string() })) }).parse(body).items
  return item?.path ?? ''
}

/** A copy of the backup with something changed. */
async function copyOf(name: string, change: (folder: string) => Promise<void>): Promise<string> {
  const copy = join(folder, name)
  await cp(backup, copy, { recursive: true })
  await change(copy)
  return copy
}

async function rewrite(file: string, from: string | RegExp, to: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  const changed = text.replace(from, to)
  expect(changed, `${String(from)} in ${file}`).not.toBe(text)
  await writeFile(file, changed)
}

/** A folder in which this shop was never started, with its secrets. */
async function emptyDataFolder(name: string): Promise<string> {
  const dataDir = join(folder, name)
  await mkdir(dataDir)
  await cp(join(shop.dataDir, 'secrets.json'), join(dataDir, 'secrets.json'))
  await sharePackages(dataDir)
  return dataDir
}

const start = (env: Environment, dataDir: string): Promise<RunningShop> =>
  launch({
    env: { ...environment(env), RATE_LIMIT_GENERAL: '0', RATE_LIMIT_AUTH: '0', PASSWORD_HASH_COST: 'lowest' },
    dataDir,
    cacheDir: packageCache(),
    inThisProcess: true,
    seed: false,
    print: () => {},
  })

/** Starts the restored shop, checks the data of the backup, and buys. */
async function expectShopSellsOn(env: Environment, dataDir: string): Promise<RunningShop> {
  const running = await start(env, dataDir)
  expect(running.adminPassword).toBe(shop.shop.adminPassword)
  const admin = new TestClient(running.url)
  await admin.signInAsAdmin(running.adminEmail, running.adminPassword)
  const restored: TestShop = {
    ...shop,
    shop: running,
    admin,
    sql: (text, values) => queryAt(shopDatabase(running), text, values),
  }
  expect((await stockOf(restored, variantId)).onHand).toBe(UNITS - 2)
  expect((await fetch(`${running.url}${picture}`)).status, 'the picture').toBe(200)
  const later = new TestClient(running.url)
  later.token = client.token
  expect((await later.get('/me')).status, 'a token from before the backup').toBe(200)
  expect(await paid(later, kept.id)).toBe(true)
  expect((await later.get(`/orders/${lost.id}`)).status).toBe(404)

  const next = await later.buy(variantId, 3)
  expect(numberOf(next), 'a number that no other buyer can hold').toBeGreaterThan(numberOf(lost))
  await waitFor('the payment', () => paid(later, next.id))
  await waitFor('the webhook', () => shop.receiver.received.some((event) => event['orderId'] === next.id))
  await expectShopBalanced(restored, new Map([[variantId, UNITS]]))
  return running
}

async function killBackup(path: string): Promise<void> {
  // The backup waits for this table, and so has not ended before it is killed.
  const release = await holdLock(shop, 'lock table orders.draft_orders in access exclusive mode')
  try {
    const made = spawn(process.execPath, [TOOLS.backup, path], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = once(made, 'exit')
    for await (const text of made.stdout) if (String(text).includes('Writing the database')) made.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])
  } finally {
    await release()
  }
}

/** Begins a restore, and kills it when the rows are committed, and streams and Redis are not yet empty. */
async function killAfterCommit(dataDir: string, options: string[]): Promise<void> {
  const restoring = spawn(process.execPath, [TOOLS.restore, backup, ...options], {
    env: environment({ DATA_DIR: dataDir }),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(restoring, 'exit')
  for await (const text of restoring.stdout) if (String(text).includes('Emptying streams')) restoring.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
}

describe('in the default set-up, with no program of PostgreSQL except its server', () => {
  test('a backup of a running shop counts its orders, and shows no secret', async () => {
    const product = await shop.stockProduct('kept', UNITS)
    variantId = product.variants[0]?.id ?? ''
    picture = await uploadPicture()
    client = shop.client()
    await client.register('kept@example.com')
    kept = await client.buy(variantId, 2)
    await waitFor('the payment', () => paid(client, kept.id))
    await waitFor('the buyer to be counted', async () => (await shop.sql('select 1 from orders.buyers')).length === 1)
    const visitor = shop.client()
    await visitor.register('leaving@example.com')
    leaving = z.object({ id: z.string() }).parse((await visitor.get('/me')).body).id

    await killBackup(join(folder, 'killed'))
    const parts = async () => (await readdir(folder)).filter((name) => name.endsWith('.part'))
    expect(await parts()).toHaveLength(1)
    const others = [`a.${hostname()}-${process.pid}.part`, `b.elsewhere-${2 ** 30}.part`]
    for (const name of others) await mkdir(join(folder, name))
    backup = join(folder, 'backup')
    const made = await run('backup', [backup])
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining('holds 1 orders') })
    expect(made.output).toMatch(/^rows +0[^]*^Wrote \d+ rows of \d+ tables\.$/m)
    const files = await readdir(backup, { recursive: true })
    expect(files).toContain('database/orders.orders.copy.gz')
    await expectNoSecret([...files, made.output].join('\n'))
    expect((await stat(join(backup, 'database/orders.orders.copy.gz'))).mode & 0o077).toBe(0)
    expect(await parts(), 'those of other machines, and of processes that run').toEqual(others)
    expect(await run('backup', [join(shop.dataDir, 'secrets.json', 'a', 'b')])).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^No backup was made: ENOTDIR: .*\. Name a folder .* npm run backup -- FOLDER\.$/m),
    })
    expect(await run('backup', [backup])).toMatchObject({ code: 1, output: expect.stringContaining('exists already') })
    expect(made.output).not.toContain('are missing')
    await rm(join(shop.dataDir, dirname(picture)), { recursive: true })
    expect(await run('backup', [])).toMatchObject({
      code: 0,
      output: expect.stringContaining('Pictures without their files: 1. They were deleted meanwhile'),
    })
    await cp(join(backup, dirname(picture)), join(shop.dataDir, dirname(picture)), { recursive: true })
  })

  test('a backup that cannot be restored changes nothing', async () => {
    lost = await client.buy(variantId, 5)
    await waitFor('the payment', () => paid(client, lost.id))
    expect(await run('restore', [backup, '--replace'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('Another shop'),
    })
    // The highest number, after which those of the next test continue.
    await shop.sql(`select setval('orders.order_numbers', 5000000)`)
    // The backup has no row of this counter, because the first invoice was printed later.
    await shop.sql('insert into orders.invoice_counter (last_number) values (47)')
    expect((await shop.admin.call('DELETE', `/admin/customers/${leaving}`)).status).toBe(200)
    const isKnown = async () => (await shop.sql('select 1 from orders.deleted_customers')).length === 1
    await waitFor('orders to know of the deleted account', isKnown)
    // What the deletion of a guest's data leaves in the audit.
    await shop.sql(
      `insert into orders.audit_entries (at, actor, action, subject_kind, subject_id)
       select now(), 'usr_owner', 'erase', 'buyer', id from orders.buyers`,
    )
    await shop.shop.stop()
    expect(await run('backup', [join(folder, 'of-nothing')])).toMatchObject({
      code: 1,
      output: expect.stringMatching(/The database cannot be reached \(.*ECONNREFUSED.*\): start the shop/),
    })

    const table = 'database/orders.orders.copy.gz'
    const damaged = await copyOf('damaged', (copy) => writeFile(join(copy, table), 'not this'))
    const nothing = await copyOf('nothing', (copy) => writeFile(join(copy, 'manifest.json'), '{}'))
    const earlier = await copyOf('earlier', (copy) =>
      rewrite(join(copy, 'manifest.json'), '"format": 2', '"format": 1'),
    )
    const lacking = await copyOf('lacking', (copy) =>
      rewrite(join(copy, 'manifest.json'), '"orders.orders": 1', '"orders.orders": 2'),
    )
    const newer = await copyOf('newer', (copy) =>
      rewrite(join(copy, 'manifest.json'), '"0001_orders.sql"', '"9999_future.sql"'),
    )
    const foreign = await copyOf('foreign', (copy) =>
      rewrite(join(copy, 'manifest.json'), '"identity.customers": [', '"identity.customers": [ "made_up",'),
    )
    const faults: [string, RegExp][] = [
      [nothing, /is not a backup of a shop \(✖ /],
      [damaged, /damaged \(database\/orders\.orders\.copy\.gz\)/],
      [earlier, /made by an earlier version of npm run backup: read its database\.dump with pg_restore/],
      [lacking, /Rows are missing in orders\.orders/],
      ...amount<[string, RegExp][]>({
        quick: [],
        long: [
          [newer, /migrations of orders that this code does not have: 9999_future\.sql/],
          [foreign, /other columns in identity\.customers/],
        ],
      }),
    ]
    // These run in this process, on servers that are already up: the command would start servers each time.
    const servers = await startInfrastructure({ dataDir: shop.dataDir, env: {}, users: [], print: () => {} })
    try {
      const { postgres, redis, nats } = servers
      const given = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, NATS_URL: nats.url }
      const env = environment(given)
      for (const [copy, fault] of faults) await expect(restoreToReplace(copy, env)).rejects.toThrow(fault)
      expect(await run('restore', [backup], given)).toMatchObject({
        code: 1,
        output: expect.stringContaining('add --replace'),
      })
      const content = await contentOf(databaseOf(postgres.url))
      expect(content).toEqual({ orders: [kept.id, lost.id], schemas: SCHEMAS })
    } finally {
      await servers.stop()
    }
  })

  test('a restore with --replace replaces the data, and numbers of orders and invoices continue after the highest', async () => {
    const replaced = await run('restore', [backup, '--replace'])
    expect(replaced).toMatchObject({ code: 0, output: expect.stringContaining('The backup is restored') })
    expect(replaced.output).toContain('deleted after the backup are there again: delete them again')
    expect(replaced.output).toContain(`after the restore (DELETE /admin/customers/ID): ${leaving}\n`)
    expect(replaced.output).toMatch(/after the restore \(DELETE \/admin\/buyers\/ID\): buyer_\w+$/m)
    expect(replaced.output).toMatch(/^rows .* 0 %  0 of \d+$/m)
    expect(replaced.output).toContain('Order numbers continue at 5000001,')
    expect(replaced.output).toContain('The next invoice is number 48.')
    await expectNoSecret(replaced.output)
    await whileStopped(shop.dataDir, async (url) => {
      expect(await contentOf(url)).toEqual({ orders: [kept.id], schemas: SCHEMAS })
      expect(await queryAt(url, 'select last_number::int as last from orders.invoice_counter')).toEqual([{ last: 47 }])
    })
    const running = await expectShopSellsOn({}, shop.dataDir)
    await running.stop()
  })

  test.runIf(IS_LONG_RUN)(
    'a killed restore to an empty folder is reported, finished without its options, and the shop keeps selling',
    async () => {
      const without = join(folder, 'without-secrets')
      expect(await run('restore', [backup], { DATA_DIR: without })).toMatchObject({
        code: 1,
        output: expect.stringMatching(/secrets\.json does not exist: copy the secrets\.json of the shop there first/),
      })
      const dataDir = await emptyDataFolder('empty')
      await killAfterCommit(dataDir, ['--last-invoice', '60'])
      expect(await readdir(join(dataDir, 'media', 'uploads'))).toHaveLength(1)
      await expect(start({ DATA_DIR: dataDir }, dataDir)).rejects.toThrow(
        `The restore of ${backup} was not finished: run npm run restore -- ${backup} again.`,
      )
      // The rows of a backup from before this table are committed without it: the migrations of a later step create it.
      await whileStopped(dataDir, (url) => queryAt(url, 'drop table orders.invoice_counter'))
      const restored = await run('restore', [backup], { DATA_DIR: dataDir })
      expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('The backup is restored') })
      expect(restored.output).toContain('The next invoice is number 61.')
      const running = await expectShopSellsOn({ DATA_DIR: dataDir }, dataDir)
      await running.stop()
    },
  )
})

const debian = await findPostgresOfDebian()
if ('fault' in debian && IS_LONG_RUN) printSkipped('backup and restore between versions of PostgreSQL', debian.fault)

describe.skipIf('fault' in debian || !IS_LONG_RUN)('on a server of another version', () => {
  let postgres: { url: string; stop: () => Promise<void> }
  let dataDir: string

  beforeAll(async () => {
    if ('fault' in debian) return
    postgres = await startDebianPostgres(debian)
    dataDir = await emptyDataFolder('external')
  })

  afterAll(async () => {
    if (!('fault' in debian)) await postgres.stop()
  })

  test('a backup is restored, the shop keeps selling, and another backup is made', async () => {
    const env = { DATA_DIR: dataDir, DATABASE_URL: postgres.url }
    expect(await run('restore', [backup], env)).toMatchObject({ code: 0 })
    const running = await expectShopSellsOn(env, dataDir)
    const made = await run('backup', [join(folder, 'of-external')], env)
    await running.stop()
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining('holds 2 orders') })
  })

  test('a restore that is killed leaves the shop unchanged', async () => {
    const database = databaseOf(postgres.url)
    const before = await contentOf(database)
    const blocker = new Client({ connectionString: database })
    await blocker.connect()
    // The restore renames the other schemas of the shop first, then waits for this name.
    await blocker.query('begin; create schema orders_replaced')
    const restoring = spawn(process.execPath, [TOOLS.restore, backup, '--replace'], {
      env: environment({ DATA_DIR: dataDir, DATABASE_URL: postgres.url }),
      stdio: 'ignore',
    })
    const ended = once(restoring, 'exit')
    await waitFor('the restore to wait', async () => {
      const waiting = `select 1 from pg_stat_activity where application_name = 'restore' and wait_event_type = 'Lock'`
      return (await queryAt(database, waiting)).length > 0
    })
    restoring.kill('SIGKILL')
    await ended
    await blocker.end()
    await waitFor('its connection to end', async () => {
      return (await queryAt(database, `select 1 from pg_stat_activity where application_name = 'restore'`)).length === 0
    })
    expect(await contentOf(database)).toEqual(before)
  })
})

test('the documented commands are among those that were run', () => {
  const lines = codeBlocks('docs/operations.md', 'sh backup').flatMap(({ text }) => text.trim().split('\n'))
  const documented = lines.map((line) => line.replace(/\s*#.*$/, '').replace(/ \/\S+/, ' FOLDER'))
  expect(documented.length).toBeGreaterThan(2)
  expect(documented.filter((line) => !tried.has(line))).toEqual([])
})
