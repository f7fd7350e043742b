import { manualClock } from '@storefront/service/testing'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { systemClock } from '@storefront/service'
import { natsAddress } from '@storefront/messaging'
import {
  deadLetterStream,
  deadLetterSubject,
  durableName,
  eventsStream,
  eventSubject,
  OrderPaid,
} from '@storefront/contracts'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { forEachService } from '../for-each-service.ts'
import {
  findProgram,
  freePort,
  startNats,
  startRedis,
  type RunningNats,
  type RunningServer,
} from '../infrastructure/index.ts'
import { prepare } from '../prepare.ts'
import { recordRunningShop } from '../running-shop.ts'
import { shopAddresses } from '../shop-addresses.ts'
import { readSettings } from '../shop-settings.ts'
import { builtProgram, createSuite, waitFor, type Suite } from '../testing/index.ts'
import { memory, nodeVersion, openFilesIn } from './check-machine.ts'
import { doctorContext, type DoctorContext } from './doctor-context.ts'
import type { Finding } from './finding.ts'
import { runChecks } from './run-checks.ts'

const SERVICES = ['catalog', 'cart', 'orders', 'identity', 'notifier'] as const
const DOCTOR = await builtProgram('tools/src/doctor/main.ts')
const password = 'a-password-that-is-never-shown'

let suite: Suite
let dataDir: string
let redis: RunningServer
let nats: RunningNats
let env: Record<string, string>

beforeAll(async () => {
  const { cacheDir, databaseAdminUrl } = inject('servers')
  suite = await createSuite(...SERVICES)
  dataDir = await mkdtemp(join(tmpdir(), 'storefront-doctor-'))
  const options = { dataDir, cacheDir, env: {}, print: () => {} }
  redis = await startRedis(options)
  nats = await startNats({ ...options, users: [] })
  env = {
    DATA_DIR: dataDir,
    NAMESPACE: suite.namespace,
    DATABASE_URL: databaseAdminUrl,
    REDIS_URL: redis.url,
    NATS_URL: nats.url,
  }
  await migrate()
})

afterAll(async () => {
  await redis.stop()
  await nats.stop()
  await suite.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function migrate(): Promise<void> {
  const { namespace } = suite
  await prepare({
    adminDatabaseUrl: inject('servers').databaseAdminUrl,
    natsUrl: nats.url,
    namespace,
    rolePasswords: forEachService(() => password),
    env: {},
  })
}

/** Runs all checks, with these changes of the environment and the context. */
async function examine(changes: Record<string, string> = {}, more: Partial<DoctorContext> = {}): Promise<Finding[]> {
  const changed = { ...env, ...changes }
  return runChecks({ ...doctorContext(changed), addresses: shopAddresses(changed), ...more })
}

const about = (findings: Finding[], check: string) => findings.find((one) => one.check === check)

async function streams() {
  const connection = await connect(natsAddress(nats.url))
  return { connection, manager: await jetstreamManager(connection) }
}

function withPassword(url: string): string {
  const address = new URL(url)
  address.password = password
  return address.href
}

test('a healthy shop has no fault', async () => {
  const findings = await examine()
  expect(findings.filter(({ state }) => state === 'fault')).toEqual([])
  for (const check of [
    'PostgreSQL',
    'Redis',
    'NATS',
    'ledger',
    'consumers',
    'migrations of orders',
    'outbox of orders',
  ]) {
    expect(about(findings, check), check).toMatchObject({ state: 'ok' })
  }
})

test('a wrong password is distinguished from a server that is down, and never shown', async () => {
  const rejected = await examine({
    REDIS_URL: withPassword(redis.url),
    NATS_URL: withPassword(nats.url),
    DATABASE_URL: withPassword(env['DATABASE_URL'] ?? ''),
  })
  for (const [check, variable] of [
    ['PostgreSQL', 'DATABASE_URL'],
    ['Redis', 'REDIS_URL'],
    ['NATS', 'NATS_URL'],
  ] as const) {
    expect(about(rejected, check)).toMatchObject({
      state: 'fault',
      found: 'rejects the password',
      advice: expect.stringContaining(variable),
    })
  }
  expect(JSON.stringify(rejected)).not.toContain(password)
  const port = await freePort()
  const away = await examine({
    REDIS_URL: `redis://127.0.0.1:${port}`,
    NATS_URL: `nats://127.0.0.1:${port}`,
    DATABASE_URL: `postgres://shop:${password}@127.0.0.1:${port}/shop`,
  })
  for (const check of ['PostgreSQL', 'Redis', 'NATS']) {
    expect(about(away, check)).toMatchObject({
      state: 'fault',
      found: expect.stringContaining('does not respond'),
      advice: expect.stringMatching(/^Start .*, or correct /),
    })
  }
  expect(JSON.stringify(away)).not.toContain(password)
})

test('a folder without a shop is reported with how to start one', async () => {
  const findings = await examine({ DATABASE_URL: '', REDIS_URL: '', NATS_URL: '', DATA_DIR: join(dataDir, 'nothing') })
  expect(about(findings, 'PostgreSQL')).toMatchObject({
    state: 'fault',
    advice: expect.stringContaining('npm start first'),
  })
})

test('a shop without its secrets is distinguished from no shop', async () => {
  const folder = join(dataDir, 'without-secrets')
  await mkdir(join(folder, 'run'), { recursive: true })
  await writeFile(join(folder, 'run/postgres.json'), JSON.stringify({ kind: 'machine', port: 5432 }))
  const findings = await examine({ DATABASE_URL: '', REDIS_URL: '', NATS_URL: '', DATA_DIR: folder })
  expect(about(findings, 'PostgreSQL')).toMatchObject({
    state: 'fault',
    advice: expect.stringMatching(/secrets\.json lacks the password of postgres: restore that file from a backup/),
  })
})

test('a shop with external servers is found by its folder as long as it runs', async () => {
  const folder = join(dataDir, 'given-servers')
  const mailServer = createServer((socket) => socket.end('220 mail.example ESMTP\r\n')).listen(0, '127.0.0.1')
  await once(mailServer, 'listening')
  const { port } = z.object({ port: z.number() }).parse(mailServer.address())
  const given = {
    DATABASE_URL: env['DATABASE_URL'],
    REDIS_URL: redis.url,
    NATS_URL: nats.url,
    SMTP_URL: `smtp://shop:${password}@127.0.0.1:${port}`,
    SECRETS_KEY: `key-${password}`,
  }
  const nothingHere = { DATABASE_URL: '', REDIS_URL: '', NATS_URL: '', DATA_DIR: folder }
  const expected = { POSTGRES_STANDBYS: '1' }
  const remove = recordRunningShop(folder, readSettings(given), systemClock.now(), expected)

  const findings = await examine(nothingHere)
  for (const check of ['PostgreSQL', 'Redis', 'NATS', 'mail server']) {
    expect(about(findings, check), check).toMatchObject({ state: 'ok' })
  }
  expect(about(findings, 'PostgreSQL standbys')).toMatchObject({ state: 'fault', found: '0 of 1 connected' })
  const note = join(folder, 'run/shop.json')
  expect((await stat(note)).mode & 0o077).toBe(0)
  expect(await readFile(note, 'utf8')).not.toContain(password)
  mailServer.close()

  remove()
  expect(about(await examine(nothingHere), 'Redis')).toMatchObject({ state: 'fault', found: 'not found' })
})

test('all invalid variables are named at once, for npm start and for a service', async () => {
  const own = await examine({ PORT: 'eighty', LOG_LEVEL: 'loud' })
  expect(about(own, 'configuration')).toMatchObject({
    state: 'fault',
    found: expect.stringMatching(/PORT[^]*LOG_LEVEL|LOG_LEVEL[^]*PORT/),
  })
  const context = doctorContext({ ...env, CART_TTL_DAYS: '0', DATABASE_POOL: '1' })
  expect(about(await runChecks(context, 'cart'), 'configuration of cart')).toMatchObject({
    state: 'fault',
    found: expect.stringMatching(/ACTOR_PUBLIC_KEY[^]*DATABASE_POOL[^]*CART_TTL_DAYS/),
  })
})

test('a migration that is missing, changed or from newer code is a fault', async () => {
  const removed = await suite.sql<{ name: string; checksum: string }>(
    `delete from cart.migrations where name like '0005%' returning name, checksum`,
  )
  const [unchanged] = await suite.sql<{ checksum: string }>(
    `select checksum from orders.migrations where name = '0001_orders.sql'`,
  )
  await suite.sql(`update orders.migrations set checksum = 'other' where name like '0001_orders%'`)
  await suite.sql(`insert into identity.migrations (name, checksum) values ('9999_future.sql', 'x')`)
  const findings = await examine()
  expect(about(findings, 'migrations of cart')).toMatchObject({
    state: 'fault',
    found: 'missing: 0005_discount_imports.sql',
    advice: expect.stringContaining('Run the migrate step'),
  })
  expect(about(findings, 'migrations of orders')).toMatchObject({
    state: 'fault',
    found: 'changed after they ran: 0001_orders.sql',
    advice: expect.stringContaining('write a new migration'),
  })
  expect(about(findings, 'migrations of identity')).toMatchObject({
    state: 'fault',
    found: 'newer than this code: 9999_future.sql',
    advice: expect.stringContaining('Deploy the version'),
  })
  expect(about(findings, 'migrations of catalog')).toMatchObject({ state: 'ok' })
  for (const { name, checksum } of removed) {
    await suite.sql(`insert into cart.migrations (name, checksum) values ($1, $2)`, [name, checksum])
  }
  await suite.sql(`delete from identity.migrations where name = '9999_future.sql'`)
  await suite.sql(`update orders.migrations set checksum = $1 where name = '0001_orders.sql'`, [unchanged?.checksum])
})

test('a restore that was not finished is a fault, with the command that finishes it', async () => {
  await suite.sql(`comment on schema orders is 'unfinished restore of /mnt/backups/monday'`)
  try {
    expect(about(await examine(), 'restore')).toEqual({
      check: 'restore',
      state: 'fault',
      found: 'that of /mnt/backups/monday was not finished',
      advice: 'Run npm run restore -- /mnt/backups/monday again.',
    })
  } finally {
    await suite.sql('comment on schema orders is null')
  }
  expect(about(await examine(), 'restore')).toBeUndefined()
})

test('a role with access to data of another service is a fault', async () => {
  const role = `${suite.namespace}_cart`
  await suite.sql(`grant usage on schema orders to ${role}`)
  expect(about(await examine(), `role ${role}`)).toMatchObject({
    state: 'fault',
    found: 'has too many rights: schema orders',
    advice: expect.stringContaining(`Revoke these rights from ${role}`),
  })
  await suite.sql(`revoke usage on schema orders from ${role}`)
  expect(about(await examine(), `role ${role}`)).toMatchObject({ state: 'ok' })
})

test('a waiting event in the outbox and a ledger that does not add up are found', async () => {
  await suite.sql(`insert into orders.outbox (event_id, name, payload) values ('evt_1', 'order.paid', $1)`, [
    JSON.stringify({ id: 'evt_1', name: 'order.paid', at: new Date(systemClock.now().getTime() - 300_000), data: {} }),
  ])
  await suite.sql(
    `insert into catalog.stock_movements (variant_id, on_hand_delta, reserved_delta, kind, at)
     values ('var_lost', 3, 0, 'adjusted', now())`,
  )
  const findings = await examine()
  expect(about(findings, 'outbox of orders')).toMatchObject({
    state: 'warn',
    found: expect.stringMatching(/^1 wait, the oldest for 3\d\d s$/),
    advice: expect.stringContaining('log of orders'),
  })
  expect(about(findings, 'ledger')).toMatchObject({ state: 'fault', found: '1 variants do not add up' })
  await suite.sql(`delete from orders.outbox`)
})

test('a missing consumer, a changed or missing stream, and dead letters are found', async () => {
  const { connection, manager } = await streams()
  const stream = eventsStream(suite.namespace)
  const durable = durableName('notifier', OrderPaid)
  await manager.consumers.delete(stream, durable)
  await manager.streams.update(stream, { max_age: 3600 * 1_000_000_000 })
  const subject = deadLetterSubject(suite.namespace, 'notifier', 'order.paid')
  connection.publish(subject, 'unreadable')
  await connection.flush()
  const findings = await examine()
  expect(about(findings, `consumer ${durable}`)).toMatchObject({
    state: 'fault',
    found: 'is not there',
    advice: expect.stringContaining('Run the migrate step'),
  })
  expect(about(findings, `stream ${stream}`)).toMatchObject({
    state: 'fault',
    found: 'differs in max_age',
    advice: expect.stringContaining('Run the migrate step'),
  })
  expect(about(findings, 'dead letters')).toMatchObject({
    state: 'warn',
    found: '1 wait',
    advice: expect.stringContaining('npm run events -- dead-letters'),
  })

  await manager.streams.delete(stream)
  expect(about(await examine(), `stream ${stream}`)).toMatchObject({
    state: 'fault',
    advice: expect.stringContaining('npm run events -- recover'),
  })

  await manager.streams.delete(deadLetterStream(suite.namespace))
  await migrate()
  for (let nth = 0; nth < 1000; nth++) connection.publish(eventSubject(suite.namespace, OrderPaid), '{}')
  await connection.flush()
  expect(about(await examine(), `consumer ${durable}`)).toMatchObject({
    state: 'warn',
    found: '1000 events wait',
    advice: expect.stringContaining('notifier'),
  })
  await connection.close()
})

test('a Redis that evicts keys is a fault', async () => {
  const client = new Redis(redis.url)
  await client.config('SET', 'maxmemory-policy', 'allkeys-lru')
  await client.config('SET', 'hash-max-listpack-value', '64')
  client.disconnect()
  const findings = await examine()
  expect(about(findings, 'Redis eviction')).toMatchObject({
    state: 'fault',
    found: 'allkeys-lru',
    advice: expect.stringContaining('noeviction'),
  })
  expect(about(findings, 'Redis hashes')).toMatchObject({
    state: 'warn',
    advice: expect.stringContaining('hash-max-listpack-value to 1024'),
  })
})

test('a clock that is ahead, a nearly full disk, too little memory and an old Node are found', async () => {
  const late = manualClock(new Date(systemClock.now().getTime() - 60_000))
  const skewed = await examine({}, { clock: late })
  for (const name of ['PostgreSQL', 'Redis', 'NATS']) {
    expect(about(skewed, `clock of ${name}`)).toMatchObject({
      state: 'fault',
      found: expect.stringMatching(/^\d+\.\d s ahead of this machine$/),
      advice: expect.stringContaining('time server'),
    })
  }
  const full = await examine({}, { diskOf: () => Promise.resolve({ freeBytes: 10 * 1024 ** 2 }) })
  expect(about(full, `disk of ${dataDir}`)).toMatchObject({
    state: 'fault',
    advice: expect.stringContaining('Free some space now'),
  })
  expect(memory(1024)).toMatchObject({ state: 'warn' })
  expect(nodeVersion('20.19.0')).toMatchObject({ state: 'fault' })
  expect(openFilesIn('Max open files            256                  4096                 files')).toMatchObject({
    state: 'warn',
  })
})

test('a NATS with a low message limit, a nearly full storage or no JetStream is found', async () => {
  const password = 'nats-password'
  const configuration = join(dataDir, 'accounts.conf')
  const port = await freePort()
  const user = (name: string) => [{ user: name, password }]
  await writeFile(
    configuration,
    JSON.stringify({
      listen: `127.0.0.1:${port}`,
      max_payload: 65_536,
      jetstream: { store_dir: join(dataDir, 'accounts') },
      accounts: {
        FULL: { users: user('full'), jetstream: { max_file: 1024 ** 2 } },
        OFF: { users: user('off') },
      },
    }),
  )
  const program = await findProgram(
    { title: 'NATS', name: 'nats-server', least: [2, 9], variable: 'NATS_URL' },
    { cacheDir: inject('servers').cacheDir, env: {}, dataDir, print: () => {} },
  )
  const server = spawn(program.file, ['-c', configuration], {
    env: { LD_LIBRARY_PATH: program.libraryPath },
    stdio: 'ignore',
  })
  const ended = once(server, 'exit')
  const url = (name: string) => `nats://${name}:${password}@127.0.0.1:${port}`
  const connection = await waitFor('NATS', () => connect(natsAddress(url('full'))).catch(() => undefined))
  const manager = await jetstreamManager(connection)
  await manager.streams.add({ name: 'FILLED', subjects: ['filled'] })
  for (let nth = 0; nth < 15; nth++) await jetstream(connection).publish('filled', new Uint8Array(60_000))
  const full = await examine({ NATS_URL: url('full') })
  expect(about(full, 'NATS max_payload')).toMatchObject({
    state: 'fault',
    found: '65536 bytes',
    advice: expect.stringContaining('Set max_payload to 1MB'),
  })
  expect(about(full, 'JetStream storage')).toMatchObject({
    state: 'warn',
    found: '1 MiB used of 1',
    advice: expect.stringContaining('Raise the storage'),
  })
  const off = await examine({ NATS_URL: url('off') })
  expect(about(off, 'JetStream')).toMatchObject({
    state: 'fault',
    advice: expect.stringContaining('Enable JetStream'),
  })
  expect(JSON.stringify(off)).not.toContain(password)
  await connection.close()
  server.kill('SIGTERM')
  await ended
})

test('encrypted credentials without a key, findings of the reconciliation and an old report are found', async () => {
  await suite.sql(
    `insert into identity.credentials (key, sealed, is_set, updated_at) values ('stripeSecretKey', 'x', true, now())`,
  )
  expect(about(await examine(), 'SECRETS_KEY')).toMatchObject({
    state: 'warn',
    found: '1 credentials are encrypted, and it is not set here',
    advice: expect.stringContaining('Set SECRETS_KEY'),
  })
  expect(about(await examine({ SECRETS_KEY: password }), 'SECRETS_KEY')).toMatchObject({ state: 'ok' })

  const report = (total: number, ageMs: number) => ({
    checkedAt: new Date(systemClock.now().getTime() - ageMs).toISOString(),
    total,
    items: [],
    repaired: [],
    unasked: [],
    ok: total === 0,
    durationMs: 1,
  })
  const reports = [
    [report(2, 0), { state: 'fault', found: '2 findings', advice: expect.stringContaining('/admin/reconciliation') }],
    [report(0, 3_600_000), { state: 'warn', advice: expect.stringContaining('Check whether orders runs') }],
    [report(0, 0), { state: 'ok' }],
  ] as const
  for (const [kept, finding] of reports) {
    await suite.sql(
      `insert into orders.reconciliation (report, checked_until, disagreeing) values ($1, now(), '{}')
       on conflict (only_row) do update set report = excluded.report`,
      [JSON.stringify(kept)],
    )
    expect(about(await examine(), 'reconciliation')).toMatchObject(finding)
  }
})

test('an endpoint without a delivery since the start, one that fails for long and one that is disabled are found', async () => {
  const folder = join(dataDir, 'endpoints')
  const now = systemClock.now()
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  await suite.sql(
    `insert into notifier.endpoints (id, url, enabled, disabled_reason, disabled_by, failing_since, failures, deleted_at) values
       ('whe_storefront', 'http://localhost:5173/api/revalidate?key=hidden', true, null, null, $1, 3, null),
       ('whe_worked', 'http://worked.example/hook', true, null, null, $1, 1, null),
       ('whe_long', 'http://long.example/hook', true, null, null, $2, 9, null),
       ('whe_off', 'http://off.example/hook', false, 'the endpoint is gone (410)', 'service', null, 0, null),
       ('whe_by_hand', 'http://by-hand.example/hook', false, null, 'adm_1', null, 0, null),
       ('whe_deleted', 'http://deleted.example/hook', true, null, null, $2, 9, now())`,
    [ago(5), ago(60)],
  )
  await suite.sql(
    `insert into notifier.deliveries
       (id, endpoint_id, event_id, type, body, subject, mergeable, status, next_attempt_at, created_at, settled_at)
     select 'del_' || id, id, 'evt_1', 'order.paid', '{}', 'order:1', false, 'delivered', $1, $1, $1
     from notifier.endpoints where id in ('whe_worked', 'whe_long')`,
    [ago(9)],
  )
  const remove = recordRunningShop(folder, readSettings({}), ago(10))
  const findings = await examine({ DATA_DIR: folder })
  const webhooks = findings.filter(({ check }) => check.startsWith('webhooks'))
  expect(webhooks).toEqual([
    expect.objectContaining({
      check: 'webhooks to long.example (whe_long)',
      state: 'warn',
      found: `have failed since ${ago(60).toISOString()}`,
    }),
    expect.objectContaining({
      check: 'webhooks to off.example (whe_off)',
      state: 'warn',
      found: 'are disabled (the endpoint is gone (410))',
    }),
    {
      check: 'webhooks to localhost:5173 (whe_storefront)',
      state: 'warn',
      found: `nothing has arrived since the shop was started at ${ago(10).toISOString()}, 3 attempts failed`,
      advice: expect.stringContaining('STOREFRONT_URL'),
    },
  ])
  expect(JSON.stringify(findings)).not.toContain('hidden')
  remove()

  // Without the time of the start, an endpoint is reported when nothing has ever arrived there.
  const never = about(await examine(), 'webhooks to localhost:5173 (whe_storefront)')
  expect(never).toMatchObject({ state: 'warn', found: 'nothing has ever arrived, 3 attempts failed' })
  await suite.sql('delete from notifier.deliveries')
  await suite.sql('delete from notifier.endpoints')
  expect(about(await examine(), 'webhooks')).toMatchObject({ state: 'ok' })
})

test('a service with a wrong clock and one that is not ready are found', async () => {
  const gateway = createHttpServer((_request, response) => {
    response.writeHead(200, { date: new Date(systemClock.now().getTime() - 60_000).toUTCString() }).end()
  }).listen(0, '127.0.0.1')
  const cart = createHttpServer((_request, response) => response.writeHead(503).end()).listen(0, '127.0.0.1')
  const urlOf = (server: typeof gateway) =>
    `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`
  await Promise.all([once(gateway, 'listening'), once(cart, 'listening')])
  const findings = await examine({ SHOP_URL: urlOf(gateway), CART_URL: urlOf(cart) })
  gateway.close()
  cart.close()
  expect(about(findings, 'clock of gateway')).toMatchObject({
    state: 'fault',
    found: expect.stringMatching(/^\d+\.\d s behind this machine$/),
  })
  expect(about(findings, 'cart')).toMatchObject({
    state: 'fault',
    found: 'is not ready (503)',
    advice: expect.stringContaining('log of cart'),
  })
})

test('a service that is down and a server that does not speak SMTP are found', async () => {
  const port = await freePort()
  const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const place = server.address()
  const mailPort = typeof place === 'object' ? place?.port : undefined
  const findings = await examine({ SHOP_URL: `http://127.0.0.1:${port}`, SMTP_URL: `smtp://127.0.0.1:${mailPort}` })
  server.close()
  expect(about(findings, 'gateway')).toMatchObject({ state: 'fault', advice: expect.stringContaining('Start gateway') })
  expect(about(findings, 'mail server')).toMatchObject({
    state: 'fault',
    found: 'does not speak SMTP',
    advice: expect.stringContaining('SMTP_URL'),
  })
  expect(about(findings, 'backup')).toMatchObject({ state: 'warn', advice: expect.stringContaining('npm run backup') })
})

test('the command exits with 1 when there is a fault, and prints it as JSON or as a table', async () => {
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [DOCTOR, ...args], {
      env: { ...env, REDIS_URL: 'redis://127.0.0.1:1' },
    }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
    )
  const json = await run('--json')
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toContainEqual(expect.objectContaining({ check: 'Redis', state: 'fault' }))
  expect((await run()).stdout).toMatch(/^FAULT\s+Redis\s+does not respond .*Start Redis/m)
  expect((await run('--what')).code).toBe(2)
})
