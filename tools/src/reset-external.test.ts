import { jetstreamManager } from '@nats-io/jetstream'
import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { expect, inject, it } from 'vitest'
import { withNats } from './infrastructure/with-nats.ts'
import { prepare } from './prepare.ts'
import { resetExternal } from './reset-external.ts'
import { urlOfDatabase, withClient } from './with-client.ts'

const { databaseAdminUrl, natsAdminUrl, redisUrl } = inject('servers')
const namespace = `r${randomBytes(5).toString('hex')}`
const env = { DATABASE_URL: databaseAdminUrl, NATS_URL: natsAdminUrl, REDIS_URL: redisUrl }
const passwords = { gateway: 'a', catalog: 'a', cart: 'a', orders: 'a', identity: 'a', notifier: 'a' }
const print = (): void => {}

it('a reset deletes the data of the shop in shared servers, and leaves other data', async () => {
  const servers = { adminDatabaseUrl: databaseAdminUrl, natsUrl: natsAdminUrl }
  await prepare({ ...servers, namespace, rolePasswords: passwords, env: {} })
  const redis = new Redis(redisUrl)
  await redis.mset({ [`${namespace}:board:settings`]: 'ours', [`not-${namespace}:x`]: 'theirs' })
  expect(await schemas()).toContain('catalog')
  expect(await streams()).toEqual([`${namespace}_DEAD`, `${namespace}_EVENTS`])

  await resetExternal({ env, namespace, print })

  expect(await schemas()).toEqual(['public'])
  expect(await streams()).toEqual([])
  expect(await redis.mget(`${namespace}:board:settings`, `not-${namespace}:x`)).toEqual([null, 'theirs'])
  await redis.unlink(`not-${namespace}:x`)
  await redis.quit()
})

it('a reset succeeds where the shop has no data', async () => {
  await expect(resetExternal({ env, namespace: 'never_was', print })).resolves.toBeUndefined()
})

async function schemas(): Promise<string[]> {
  return withClient({ connectionString: urlOfDatabase(databaseAdminUrl, namespace) }, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select nspname as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' order by 1`,
    )
    return rows.map(({ name }) => name)
  })
}

async function streams(): Promise<string[]> {
  const names: string[] = []
  await withNats(natsAdminUrl, {}, async (connection) => {
    for await (const name of (await jetstreamManager(connection)).streams.names()) names.push(name)
  })
  return names.filter((name) => name.startsWith(namespace)).toSorted()
}
