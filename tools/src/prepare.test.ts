import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { deadLetterStream, eventsStream } from '@storefront/contracts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { forEachService } from './for-each-service.ts'
import { withNats } from './infrastructure/with-nats.ts'
import { prepareOtherVersion } from './prepare-other-version.ts'
import { prepare } from './prepare.ts'
import { resetExternal } from './reset-external.ts'
import { startNatsCluster, waitFor, type NatsCluster } from './testing/index.ts'
import { withClient } from './with-client.ts'

const { databaseAdminUrl, natsAdminUrl } = inject('servers')
const namespace = `p${randomBytes(5).toString('hex')}`
let cluster: NatsCluster

beforeAll(async () => {
  cluster = await startNatsCluster()
})

afterAll(async () => {
  await cluster.stop()
  await resetExternal({ env: { DATABASE_URL: databaseAdminUrl, NATS_URL: natsAdminUrl }, namespace, print: () => {} })
})

/** Prepares the servers. @returns how many replicas and bytes the streams may have, events first */
async function streamsOf(natsUrl: string, env: Record<string, string>) {
  const rolePasswords = forEachService(() => 'a')
  await prepare({ adminDatabaseUrl: databaseAdminUrl, natsUrl, namespace, rolePasswords, env })
  return withNats(natsUrl, {}, async (connection) => {
    const { streams } = await jetstreamManager(connection)
    const infos = await Promise.all([eventsStream, deadLetterStream].map((nameOf) => streams.info(nameOf(namespace))))
    return infos.map(({ config }) => ({ replicas: config.num_replicas, maxBytes: config.max_bytes }))
  })
}

/** The servers see each other a moment after they have a leader. */
function streamsOfCluster(env: Record<string, string>) {
  return waitFor('the streams', () => streamsOf(cluster.url, { STREAM_MAX_BYTES: '1048576', ...env }))
}

test('the streams of one server have the maximum size of the environment', async () => {
  expect(await streamsOf(natsAdminUrl, { STREAM_MAX_BYTES: '8388608' })).toEqual([
    { replicas: 1, maxBytes: 8_388_608 },
    { replicas: 1, maxBytes: 1_048_576 },
  ])
})

test('the streams of a cluster have three replicas, and keep them at a later start', async () => {
  const three = [
    { replicas: 3, maxBytes: 1_048_576 },
    { replicas: 3, maxBytes: 131_072 },
  ]
  expect(await streamsOfCluster({})).toEqual(three)
  expect(await streamsOfCluster({})).toEqual(three)
})

test('NATS_REPLICAS says how many replicas the streams of a cluster have', async () => {
  expect(await streamsOfCluster({ NATS_REPLICAS: '1' })).toMatchObject([{ replicas: 1 }, { replicas: 1 }])
})

test('the migrate step of another version runs from its folder, and the roles have their passwords', async () => {
  const folder = resolve(import.meta.dirname, '../..')
  const rolePasswords = forEachService((service) => `${service}-of-another-version`)
  const env = { STREAM_MAX_BYTES: '8388608' }
  const options = { adminDatabaseUrl: databaseAdminUrl, natsUrl: natsAdminUrl, namespace, rolePasswords, env }
  const printed: string[] = []
  const urls = await prepareOtherVersion(folder, { ...options, print: (line) => void printed.push(line) })
  expect(printed).toContain('Schemas, streams and consumers are up to date.')
  const { rows } = await withClient({ connectionString: urls.cart }, (client) =>
    client.query('select count(*) from carts'),
  )
  expect(rows).toHaveLength(1)
  await expect(prepareOtherVersion(resolve(folder, 'nowhere'), options)).rejects.toThrow('nowhere')
})
