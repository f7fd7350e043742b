import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog, createRedis, openRedis, serverRunOf, type RedisClient } from '@storefront/service'
import { findProgram, freePort } from '@storefront/tools/infrastructure'
import { packageCache, temporaryFolder, waitFor } from '@storefront/tools/testing'

const PASSWORD = 'of the servers: & @'
const NAME = 'shop'

const log = createLog({ service: 'test', level: 'silent' })
const children: ChildProcess[] = []
const servers = new Map<number, ChildProcess>()
const sentinelPorts: number[] = []
let url: string
let redis: RedisClient

/** Two servers, one a replica of the other, and three sentinels that replace the primary after a second. */
beforeAll(async () => {
  const folder = await temporaryFolder('storefront-sentinels')
  const { file, libraryPath } = await findProgram(
    { title: 'Redis', name: 'redis-server', alternatives: ['valkey-server'], least: [7, 0], variable: 'REDIS_URL' },
    { dataDir: folder, cacheDir: packageCache(), env: process.env, print: () => {} },
  )
  const start = async (port: number, lines: string[], options: string[] = []): Promise<ChildProcess> => {
    const place = join(folder, String(port))
    await mkdir(place)
    const common = ['bind 127.0.0.1', `port ${port}`, `dir "${place}"`, 'save ""']
    await writeFile(join(place, 'redis.conf'), [...common, ...lines, ''].join('\n'))
    const env = { LC_ALL: 'C', LD_LIBRARY_PATH: libraryPath }
    const child = spawn(file, [join(place, 'redis.conf'), ...options], { env, stdio: 'ignore' })
    children.push(child)
    return child
  }
  const [primary, replica] = [await freePort(), await freePort()]
  const secret = [`requirepass "${PASSWORD}"`, `masterauth "${PASSWORD}"`]
  servers.set(primary, await start(primary, secret))
  servers.set(replica, await start(replica, [...secret, `replicaof 127.0.0.1 ${primary}`]))
  await waitFor('the replica', async () => (await infoOf(replica)).includes('master_link_status:up'))
  for (let sentinel = 0; sentinel < 3; sentinel++) {
    const port = await freePort()
    sentinelPorts.push(port)
    const lines = [
      `sentinel monitor ${NAME} 127.0.0.1 ${primary} 2`,
      `sentinel auth-pass ${NAME} "${PASSWORD}"`,
      `sentinel down-after-milliseconds ${NAME} 1000`,
      `sentinel failover-timeout ${NAME} 4000`,
    ]
    await start(port, lines, ['--sentinel'])
  }
  const hosts = sentinelPorts.map((port) => `127.0.0.1:${port}`).join(',')
  url = `redis-sentinel://:${encodeURIComponent(PASSWORD)}@${hosts}/2#${NAME}`
  await waitFor('the sentinels', async () =>
    (await known()).every((each) => /num-slaves,1,.*num-other-sentinels,2/.test(each)),
  )
  redis = openRedis({ url, name: 'test', log })
  await waitFor('the client', () => redis.status === 'ready')
})
afterAll(async () => {
  redis.disconnect()
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(
    children
      .filter((child) => child.exitCode === null && child.signalCode === null)
      .map((child) => once(child, 'exit')),
  )
})

async function ask<Reply>(
  port: number,
  work: (client: RedisClient) => Promise<Reply>,
  password?: string,
): Promise<Reply> {
  const client = createRedis(`redis://127.0.0.1:${port}`, {
    ...(password !== undefined && { password }),
    retryStrategy: () => null,
    lazyConnect: true,
    disconnectTimeout: 50,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    client.disconnect()
  }
}

const infoOf = (port: number) => ask(port, (client) => client.info('replication'), PASSWORD).catch(() => '')
/** What each sentinel knows of the primary. */
const known = () =>
  Promise.all(
    sentinelPorts.map((port) =>
      ask(port, async (client) => String(await client.call('sentinel', 'master', NAME))).catch(() => ''),
    ),
  )
const portOf = async (client: RedisClient) => Number(/^tcp_port:(\d+)/m.exec(await client.info('server'))?.[1])

test('a client finds the primary by its sentinels, and the next one when it dies', async () => {
  await redis.set('order', 'of SF-1')
  const before = await portOf(redis)
  const run = await serverRunOf(redis)
  await redis.wait(1, 2000)
  servers.get(before)?.kill('SIGKILL')
  await waitFor('a write to the next primary', async () => {
    await redis.set('order', 'of SF-2')
    return true
  })
  expect(await portOf(redis)).not.toBe(before)
  expect(await serverRunOf(redis)).not.toBe(run)
  expect(await redis.get('order')).toBe('of SF-2')
})

test('a client leaves a server that became a replica', async () => {
  const port = await portOf(redis)
  const follower = createRedis(`redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`, {})
  const single = openRedis({ url: `redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`, name: 'single', log })
  await waitFor('the client', () => single.status === 'ready')
  let connections = 0
  single.on('connect', () => connections++)
  await follower.replicaof('127.0.0.1', await freePort())
  await expect(single.set('order', 'of SF-3')).rejects.toThrow('READONLY')
  await waitFor('a new connection', () => connections > 0)
  single.disconnect()
  follower.disconnect()
})

test('an address of sentinels in another form is rejected, without its password in the message', () => {
  const open = () => createRedis('redis-sentinel://:top-secret@127.0.0.1:26379', {})
  expect(open).toThrow('the address of sentinels looks like redis-sentinel://')
  expect(open).not.toThrow('top-secret')
})
