import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withClient } from '../with-client.ts'
import { startInfrastructure, type Infrastructure } from './index.ts'
import { isAlive } from './process-identity.ts'
import { waitUntil } from './wait-until.ts'
import { withNats } from './with-nats.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'storefront-infrastructure-'))
const cacheDir = join(tmpdir(), 'storefront-packages')
const permissions = {
  publish: { allow: ['shop.events.orders.>'] },
  subscribe: { allow: ['_INBOX.>'] },
  allow_responses: { max: 1, expires: '30s' },
}
const users = [{ name: 'orders', password: '7 digits first', permissions }]
const printed: string[] = []
const start = (): Promise<Infrastructure> =>
  startInfrastructure({
    dataDir,
    cacheDir,
    env: { PATH: process.env['PATH'] },
    print: (line) => printed.push(line),
    users,
  })

let infrastructure: Infrastructure

beforeAll(async () => {
  infrastructure = await start()
})

afterAll(async () => {
  await infrastructure.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('the infrastructure', () => {
  it('keeps the data of PostgreSQL when the server is stopped and started', async () => {
    const { postgres } = infrastructure
    await query(postgres.url, 'create table kept as select 42 as answer')
    await postgres.stop()
    await expect(query(postgres.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
    await postgres.start()
    expect(await query(postgres.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  it('keeps what PostgreSQL committed when the server is killed', async () => {
    const { postgres } = infrastructure
    await query(postgres.url, 'create table committed as select 43 as answer')
    await postgres.kill()
    await postgres.start()
    expect(await query(postgres.url, 'select answer from committed')).toEqual([{ answer: 43 }])
  })

  it('rejects connections to PostgreSQL and Redis without the password', async () => {
    const address = new URL(infrastructure.postgres.url)
    address.password = 'guessed'
    await expect(query(address.href, 'select 1')).rejects.toThrow(/password authentication failed/)
    const { host } = new URL(infrastructure.redis.url)
    await expect(withRedis(`redis://${host}`, (redis) => redis.set('a', 'b'))).rejects.toThrow(/NOAUTH/)
  })

  it('keeps the data of Redis when the server is stopped and started', async () => {
    const { redis } = infrastructure
    await withRedis(redis.url, (client) => client.set('kept', 'yes'))
    await redis.stop()
    await redis.start()
    expect(await withRedis(redis.url, (client) => client.get('kept'))).toBe('yes')
  })

  it('keeps the entry of a variant compact in Redis, before and after a restart', async () => {
    const { redis } = infrastructure
    const encoding = (): Promise<unknown> => withRedis(redis.url, (client) => client.object('ENCODING', 'entry'))
    await withRedis(redis.url, (client) => client.hset('entry', { facts: 'x'.repeat(1000), stock: 10 }))
    expect(await encoding()).toBe('listpack')
    await redis.stop()
    await redis.start()
    expect(await encoding()).toBe('listpack')
  })

  it('keeps the messages of JetStream when NATS is stopped and started', async () => {
    const { nats } = infrastructure
    await withNats(nats.url, {}, async (connection) => {
      const manager = await jetstreamManager(connection)
      await manager.streams.add({ name: 'kept', subjects: ['shop.events.>'] })
      await manager.jetstream().publish('shop.events.orders.placed', 'one')
    })
    await nats.stop()
    await nats.start()
    const { messages } = await withNats(nats.url, {}, async (connection) => {
      const { state } = await (await jetstreamManager(connection)).streams.info('kept')
      return state
    })
    expect(messages).toBe(1)
  })

  it('lets a NATS user publish its own subjects and nothing else', async () => {
    await withNats(infrastructure.nats.urlFor('orders'), {}, async (connection) => {
      const error = firstError(connection)
      connection.publish('shop.events.orders.placed')
      connection.publish('shop.events.catalog.changed')
      await connection.flush()
      expect(await error).toContain('shop.events.catalog.changed')
    })
  })

  it('rejects a data folder that another process uses', async () => {
    await expect(start()).rejects.toThrow(`Another shop (process ${process.pid}) is using ${dataDir}`)
  })

  it('restarts a server that died, and prints that', async () => {
    const { redis } = infrastructure
    const { pid } = redis
    if (pid === undefined) throw new Error('Redis does not run on this machine')
    process.kill(pid, 'SIGKILL')
    expect(await waitUntil(() => redis.pid !== undefined && redis.pid !== pid, { timeoutMs: 10_000 })).toBe(true)
    expect(await withRedis(redis.url, (client) => client.get('kept'))).toBe('yes')
    expect(printed).toContain('Redis ended (SIGKILL): restarting it.')
  })

  it('keeps its secrets readable by its owner only', () => {
    for (const file of ['secrets.json', 'redis/redis.conf', 'nats/nats.conf', 'logs/postgres.log']) {
      expect(statSync(join(dataDir, file)).mode & 0o077).toBe(0)
    }
  })

  it('leaves no server behind when the process that started it is killed, and starts on the same data again', async () => {
    await infrastructure.stop()
    const script = `
      import { startInfrastructure } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))}
      const options = { ...${JSON.stringify({ dataDir, cacheDir, users })}, env: process.env, print: () => {} }
      const { postgres, redis, nats } = await startInfrastructure(options)
      console.log(JSON.stringify([postgres.pid, redis.pid, nats.pid]))
      setInterval(() => {}, 1000)`
    const launcher = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(launcher.stdout, 'data')
    const pids = String(line).match(/\d+/g)?.map(Number) ?? []
    expect(pids).toHaveLength(3)
    launcher.kill('SIGKILL')
    expect(await waitUntil(() => pids.every((pid) => !isAlive(pid, undefined)), { timeoutMs: 15_000 })).toBe(true)
    infrastructure = await start()
    expect(await query(infrastructure.postgres.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  })
})

function query(url: string, text: string): Promise<unknown[]> {
  return withClient({ connectionString: url }, async (client) => (await client.query(text)).rows)
}

async function withRedis<Result>(url: string, use: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(url, { retryStrategy: () => null, disconnectTimeout: 50, enableReadyCheck: false })
  redis.on('error', () => {})
  try {
    return await use(redis)
  } finally {
    redis.disconnect()
  }
}

async function firstError(connection: NatsConnection): Promise<string> {
  for await (const status of connection.status()) {
    if (status.type === 'error') return status.error.message
  }
  return ''
}
