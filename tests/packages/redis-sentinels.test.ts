import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog, createRedis, openRedis, serverRunOf, type RedisClient } from '@storefront/service'
import { freePort } from '@storefront/tools/infrastructure'
import { startRedisWithSentinels, waitFor, type RedisWithSentinels } from '@storefront/tools/testing'

const PASSWORD = 'of the servers: & @'
const NAME = 'shop'

const log = createLog({ service: 'test', level: 'silent' })
let servers: RedisWithSentinels
let url: string
let redis: RedisClient

beforeAll(async () => {
  servers = await startRedisWithSentinels({ password: PASSWORD, name: NAME, sentinelPassword: false })
  const hosts = servers.sentinels.map((port) => `127.0.0.1:${port}`).join(',')
  url = `redis-sentinel://:${encodeURIComponent(PASSWORD)}@${hosts}/2#${NAME}`
  await waitFor('the sentinels', async () =>
    (await known()).every((each) => /num-slaves,1,.*num-other-sentinels,2/.test(each)),
  )
  redis = openRedis({ url, name: 'test', log })
  await waitFor('the client', () => redis.status === 'ready')
})
afterAll(async () => {
  redis.disconnect()
  await servers.stop()
})

/** What each sentinel reports about the primary. */
const known = () => Promise.all(servers.sentinels.map((port) => servers.call(port, 'sentinel', 'master', NAME)))
const portOf = async (client: RedisClient) => Number(/^tcp_port:(\d+)/m.exec(await client.info('server'))?.[1])

test('a client finds the primary by its sentinels, and the next one when it dies', async () => {
  await redis.set('order', 'of SF-1')
  const before = await portOf(redis)
  const run = await serverRunOf(redis)
  await redis.wait(1, 2000)
  await servers.kill(before)
  await waitFor('a write to the next primary', async () => {
    await redis.set('order', 'of SF-2')
    return true
  })
  expect(await portOf(redis)).not.toBe(before)
  expect(await serverRunOf(redis)).not.toBe(run)
  expect(await redis.get('order')).toBe('of SF-2')
})

test('a client passes a sentinel that accepts connections and does not reply', async () => {
  const hanging = createServer((socket) => socket.on('error', () => {}).resume())
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
  const { port }: Pick<AddressInfo, 'port'> = Object(hanging.address())
  const client = openRedis({ url: url.replace('@', `@127.0.0.1:${port},`), name: 'passing', log })
  await waitFor('the client', () => client.status === 'ready')
  expect(await portOf(client)).toBe(await portOf(redis))
  client.disconnect()
  await new Promise((resolve) => hanging.close(resolve))
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

test('a client notices a server that hangs while no command waits for it', async () => {
  const port = await portOf(redis)
  const single = openRedis({ url: `redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`, name: 'idle', log })
  await waitFor('the client', () => single.status === 'ready')
  const pid = Number(/^process_id:(\d+)/m.exec(await single.info('server'))?.[1])
  process.kill(pid, 'SIGSTOP')
  try {
    await expect.poll(() => single.status, { timeout: 10_000 }).not.toBe('ready')
  } finally {
    process.kill(pid, 'SIGCONT')
    single.disconnect()
  }
})

test('an address of sentinels in another form is rejected, without its password in the message', () => {
  const open = () => createRedis('redis-sentinel://:top-secret@127.0.0.1:26379', {})
  expect(open).toThrow('the address of sentinels looks like redis-sentinel://')
  expect(open).not.toThrow('top-secret')
})
