import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { durableName, OrderPlaced, Product, Reconciliation } from '@storefront/contracts'
import { startPostgres } from '@storefront/tools/infrastructure'
import {
  builtProgram,
  expectLedgerBalanced,
  findPostgresOfDebian,
  packageCache,
  startDebianPostgres,
  startDebianStandby,
  temporaryFolder,
  waitFor,
  type DebianPostgres,
} from '@storefront/tools/testing'
import { waitForPayment } from './support/paid-order.ts'
import { queryAt } from './support/query-at.ts'
import { runProgram } from './support/run-program.ts'
import { openShop, type TestShop } from './support/shop.ts'

const UNITS = 5

type Server = Pick<DebianPostgres, 'url' | 'stop'>

const programs = await findPostgresOfDebian()
const servers = new Map<'catalog' | 'orders', Server>()
let standby: DebianPostgres | undefined
let shop: TestShop

/** Catalog and orders have a server each; cart, identity and notifier share that of DATABASE_URL. */
beforeAll(async () => {
  const start = async () =>
    startPostgres({
      dataDir: await temporaryFolder('storefront-server'),
      env: {},
      print: () => {},
      cacheDir: packageCache(),
    })
  const [catalog, orders] = await Promise.all([startCatalogServers(start), start()])
  servers.set('catalog', catalog).set('orders', orders)
  // The servers of Debian trust everyone.
  const standbyUrl = standby && `postgres://shop_catalog:unused@127.0.0.1:${standby.port}/shop`
  shop = await openShop({
    ownServers: true,
    env: { CATALOG_DATABASE_URL: catalog.url, ORDERS_DATABASE_URL: orders.url },
    ...(standbyUrl !== undefined && { serviceEnvironment: { catalog: { DATABASE_STANDBY_URL: standbyUrl } } }),
  })
})

/** A primary and a standby where Debian's PostgreSQL is. */
async function startCatalogServers(start: () => Promise<Server>): Promise<Server> {
  if ('fault' in programs) return start()
  const primary = await startDebianPostgres(programs)
  standby = await startDebianStandby(programs, primary, 'standby')
  return primary
}

afterAll(async () => {
  await shop.stop()
  await standby?.stop()
  await Promise.all([...servers.values()].map((server) => server.stop()))
})

/** Runs SQL in the database of the shop on the server of this schema. */
async function sqlOf<Row>(schema: 'catalog' | 'orders', text: string): Promise<Row[]> {
  return queryAt<Row>(new URL('/shop', servers.get(schema)?.url).href, text)
}

const SCHEMAS = `select nspname::text as name from pg_namespace
  where nspname in ('catalog', 'cart', 'orders', 'identity', 'notifier') order by 1`

const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name)

const EVENTS_TOOL = await builtProgram('tools/src/events/main.ts')
const DOCTOR = await builtProgram('tools/src/doctor/main.ts')
const BACKUP = await builtProgram('tools/src/backup/backup-main.ts')

/** Runs a tool beside the running shop, which has stored its addresses. */
function runBeside(tool: string, args: string[], addresses: Record<string, string> = {}) {
  const { NODE_COMPILE_CACHE } = process.env
  return runProgram([tool, ...args], { DATA_DIR: shop.dataDir, NODE_COMPILE_CACHE, ...addresses })
}
const Findings = z.array(z.object({ check: z.string(), state: z.string() }))

/** Runs `npm run events` with these arguments. @returns what it prints */
async function runEvents(args: string[], addresses: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runBeside(EVENTS_TOOL, args, addresses)
  expect(code, stderr).toBe(0)
  return stdout
}

test('catalog, orders and cart on three servers sell, and their ledgers agree', async () => {
  expect(namesOf(await sqlOf('catalog', SCHEMAS))).toEqual(['catalog'])
  expect(namesOf(await sqlOf('orders', SCHEMAS))).toEqual(['orders'])
  expect(namesOf(await shop.sql(SCHEMAS))).toEqual(['cart', 'identity', 'notifier'])

  const product = await shop.stockProduct('three-servers', UNITS)
  const client = shop.client()
  const order = await client.buy(product.variants[0]?.id ?? '', 2)
  await waitForPayment(client, `/orders/${order.id}`)
  await waitFor('the mail', async () => (await shop.mailsFor(order.number)).length > 0)
  await waitFor('the webhook', () =>
    shop.receiver.received.find(({ type, orderId }) => type === 'order.paid' && orderId === order.id),
  )
  await waitFor('the sale', async () => {
    const [stock] = await sqlOf<{ onHand: number; reserved: number }>(
      'catalog',
      'select on_hand as "onHand", reserved from catalog.stock',
    )
    return stock?.onHand === UNITS - 2 && stock.reserved === 0
  })
  await expectLedgerBalanced({ sql: (text) => sqlOf('catalog', text) })
  const response = await shop.admin.post('/admin/reconciliation', { settledAfterSeconds: 0 })
  expect(Reconciliation.parse(response.body)).toMatchObject({ ok: true, items: [], total: 0, unasked: [] })
})

test('events are recovered from the servers of publisher and consumer', async () => {
  const addresses = {
    DATABASE_URL: shop.shop.databaseAdminUrl,
    NATS_URL: shop.shop.infrastructure.nats.url,
    CATALOG_DATABASE_URL: servers.get('catalog')?.url ?? '',
    ORDERS_DATABASE_URL: servers.get('orders')?.url ?? '',
  }
  const all = 'Every consumer has a receipt of every event.\n'
  await waitFor('all receipts', async () => (await runEvents(['recover', '--dry-run'], addresses)) === all)
  // Cart is on another server than orders, which published the event.
  const consumer = durableName('cart', OrderPlaced)
  const receipts = () => shop.sql('select from cart.inbox where consumer = $1', [consumer])
  expect(await receipts()).toHaveLength(1)
  await shop.sql('delete from cart.inbox where consumer = $1', [consumer])
  expect(await runEvents(['recover', '--dry-run', '--event', 'order.placed'], addresses)).toMatch(/order\.placed +1\n/)

  // As if it had been published four minutes ago: the shop finds it without a command.
  await sqlOf('orders', `update orders.sent_events set sent_at = sent_at - interval '4 minutes'`)
  await sqlOf(
    'orders',
    `insert into orders.receipt_checks (consumer, checked_until) values ('cart', '2020-01-01')
     on conflict (consumer) do update set checked_until = excluded.checked_until`,
  )
  await waitFor('the receipt', async () => (await receipts()).length > 0)
  expect(await runEvents(['recover', '--dry-run'], addresses)).toBe(all)
})

test('the doctor looks at the servers of all schemas of the running shop', async () => {
  const { stdout } = await runBeside(DOCTOR, ['--json'])
  const findings = Findings.parse(JSON.parse(stdout)).filter(({ check }) => check.includes('(server of '))
  const faults = findings.filter(({ state }) => state === 'fault')
  expect(faults).toEqual([])
  const checks = findings.map(({ check }) => check)
  expect(checks).toEqual(
    expect.arrayContaining([
      'PostgreSQL (server of catalog)',
      'PostgreSQL (server of orders)',
      'PostgreSQL (server of cart, identity, notifier)',
      'ledger (server of catalog)',
      'reconciliation (server of orders)',
      'outbox of cart (server of cart, identity, notifier)',
    ]),
  )
})

test('a backup of one of several servers is not made', async () => {
  const { stderr } = await runBeside(BACKUP, [join(shop.dataDir, 'backup')])
  expect(stderr).toContain('on a server of its own')
  expect(existsSync(join(shop.dataDir, 'backup'))).toBe(false)
})

describe.skipIf('fault' in programs)('the pages of shoppers', () => {
  async function onStandby<Row extends Record<string, unknown>>(text: string): Promise<Row[]> {
    const client = new Client({ connectionString: `postgres://postgres:unused@127.0.0.1:${standby?.port}/shop` })
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }
  const titleOf = async (slug: string) => Product.parse((await shop.client().get(`/products/${slug}`)).body).title

  test('are read from a standby of catalog', async () => {
    await shop.stockProduct('seen-on-standby', UNITS)
    const reads = await waitFor('a read on the standby', async () => {
      // Each request is for another list, which the gateway has not cached.
      await shop.client().get(`/products?max_price=${Date.now()}`)
      const rows = await onStandby(
        `select from pg_stat_activity where application_name = 'catalog-reads' and query like '%product_responses%'`,
      )
      return rows.length > 0 ? rows.length : undefined
    })
    expect(reads).toBeGreaterThan(0)
  })

  test('immediately show a change that the standby does not have, and keep showing it', async () => {
    const { id } = await shop.stockProduct('changed-on-primary', UNITS)
    await waitFor('the product on the standby', async () => {
      return (await onStandby(`select from catalog.products where slug = 'changed-on-primary'`)).length > 0
    })
    await onStandby('select pg_wal_replay_pause()')
    const changed = await shop.admin.call('PATCH', `/admin/products/${id}`, { title: 'Changed' })
    expect(changed.status).toBe(200)
    // Longer than a changed product is read from the primary in any case: six seconds (`ON_STANDBYS_AFTER_MS`).
    const untilMs = performance.now() + 8000
    while (performance.now() < untilMs) {
      expect(await titleOf('changed-on-primary')).toBe('Changed')
      // Each request is for another list, which no cache has.
      const { body } = await shop.client().get(`/products?sort=newest&max_price=${Date.now()}`)
      expect(JSON.stringify(body)).toContain('"Changed"')
      await setTimeout(200)
    }
    await onStandby('select pg_wal_replay_resume()')
    expect(await titleOf('changed-on-primary')).toBe('Changed')
  })
})
