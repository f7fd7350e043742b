import { jetstreamManager } from '@nats-io/jetstream'
import { deadLetterStream, eventsStream, SERVICE_NAMES } from '@storefront/contracts'
import { errorCode } from '@storefront/service'
import { withNats } from './infrastructure/with-nats.ts'
import { withRedis } from './infrastructure/with-redis.ts'
import { OWN_DATABASE_VARIABLES } from './own-databases.ts'
import { messageOf, StartError } from './start-error.ts'
import { shopDatabaseUrl, withClient } from './with-client.ts'

const TIMEOUT_MS = 5_000

interface External {
  env: NodeJS.ProcessEnv
  namespace: string
  print: (line: string) => void
}

/** Removes the shop's data from servers of the environment, and nothing else that is there. */
export async function resetExternal({ env, namespace, print }: External): Promise<void> {
  const places = [
    ['DATABASE_URL', 'schemas', dropSchemas],
    ...Object.values(OWN_DATABASE_VARIABLES).map((variable) => [variable, 'schemas', dropSchemas] as const),
    ['NATS_URL', 'event streams', deleteStreams],
    ['REDIS_URL', 'keys', deleteKeys],
  ] as const
  for (const [variable, what, remove] of places) {
    const url = env[variable]
    if (!url) continue
    print(`Removing the shop's ${what} from the server at ${variable}.`)
    await remove(url, namespace).catch((error: unknown): never => {
      throw new StartError(
        `The shop's ${what} could not be removed (${messageOf(error)}): correct or unset ${variable}.`,
      )
    })
  }
}

async function dropSchemas(databaseUrl: string, namespace: string): Promise<void> {
  const connectionString = shopDatabaseUrl(databaseUrl, namespace)
  await withClient({ connectionString, connectionTimeoutMillis: TIMEOUT_MS }, async (client) => {
    for (const name of SERVICE_NAMES) await client.query(`drop schema if exists ${name} cascade`)
  }).catch((error: unknown) => {
    // The database does not exist: the shop was never started there.
    if (errorCode(error) !== '3D000') throw error
  })
}

async function deleteStreams(natsUrl: string, namespace: string): Promise<void> {
  await withNats(natsUrl, { timeout: TIMEOUT_MS }, async (connection) => {
    const { streams } = await jetstreamManager(connection)
    const ours = [eventsStream(namespace), deadLetterStream(namespace)]
    for await (const name of streams.names()) if (ours.includes(name)) await streams.delete(name)
  })
}

async function deleteKeys(redisUrl: string, namespace: string): Promise<void> {
  await withRedis(redisUrl, { timeoutMs: TIMEOUT_MS }, async (redis) => {
    let cursor = '0'
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${namespace}:*`, 'COUNT', 1_000)
      if (keys.length > 0) await redis.unlink(...keys)
      cursor = next
    } while (cursor !== '0')
  })
}
