import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startInfrastructure, type Infrastructure } from '@storefront/tools/infrastructure'
import { builtProgram, packageCache, waitFor } from '@storefront/tools/testing'
import { openMailReceiver, type MailReceiver } from './support/mail-receiver.ts'
import { runProgram } from './support/run-program.ts'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'

const PASSWORD = 'the-password-of-the-mail-server'
/** An address at which no server listens. */
const NO_STOREFRONT = 'http://127.0.0.1:1'
const Findings = z.array(z.object({ check: z.string(), state: z.enum(['ok', 'warn', 'fault']), found: z.string() }))

let folder: string
let servers: Infrastructure
let mailServer: MailReceiver
let shop: TestShop

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storefront-doctor-'))
  const env = { PATH: process.env['PATH'] }
  servers = await startInfrastructure({ dataDir: folder, cacheDir: packageCache(), env, users: [], print: () => {} })
  mailServer = await openMailReceiver(() => PASSWORD)
  shop = await openShopOfProcesses({
    ownServers: true,
    env: {
      DATABASE_URL: servers.postgres.url,
      REDIS_URL: servers.redis.url,
      NATS_URL: servers.nats.url,
      SMTP_URL: `smtp://shop:${PASSWORD}@127.0.0.1:${mailServer.port}`,
      STOREFRONT_URL: NO_STOREFRONT,
    },
  })
})

afterAll(async () => {
  await shop.stop()
  await mailServer.stop()
  await servers.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the doctor as an operator does who knows only the folder of the shop. */
async function examine(): Promise<{ code: number; findings: z.output<typeof Findings>; output: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: shop.dataDir }
  const tool = await builtProgram('tools/src/doctor/main.ts')
  const { code, stdout: output } = await runProgram([tool, '--json'], env)
  return { code, findings: Findings.parse(JSON.parse(output)), output }
}

test('the doctor finds no fault in a shop that runs on servers and a mail server of its operator', async () => {
  const { code, findings, output } = await examine()
  expect(findings.filter(({ state }) => state === 'fault')).toEqual([])
  expect(code).toBe(0)
  for (const check of ['PostgreSQL', 'Redis', 'NATS', 'mail server', 'gateway', 'notifier', 'ledger']) {
    expect(findings, check).toContainEqual(expect.objectContaining({ check, state: 'ok' }))
  }
  expect(output).not.toContain(PASSWORD)
  expect(output).not.toContain(new URL(servers.postgres.url).password)
})

test('the doctor warns about a storefront that has received no webhook since the start', async () => {
  await shop.stockProduct('announced', 1)
  await waitFor('an attempt', async () => {
    const [row] = await shop.sql<{ failures: number }>('select failures from notifier.endpoints where failures > 0')
    return row !== undefined
  })
  const { code, findings } = await examine()
  expect(findings).toContainEqual({
    check: 'webhooks to 127.0.0.1:1 (whe_storefront)',
    state: 'warn',
    found: expect.stringMatching(/^nothing has arrived since the shop was started at \S+Z, \d+ attempts failed$/),
  })
  expect(code).toBe(0)
})

test('the settings of a start are deleted when the shop stops, because they contain passwords', async () => {
  const note = join(shop.dataDir, 'run/shop.json')
  await access(note)
  await shop.shop.stop()
  await expect(access(note)).rejects.toThrow('ENOENT')
})
