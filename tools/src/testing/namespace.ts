import { createHash, randomBytes } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import { Redis } from 'ioredis'
import { escapeIdentifier, Pool, type PoolClient } from 'pg'
import { migrateSchema } from '@storefront/postgres'
import { deadLetterStream, eventsStream, SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { withNats } from '../infrastructure/with-nats.ts'
import { migrationsDirectory, roleName, SERVICES_WITH_DATA } from '../prepare.ts'
import { urlOfDatabase } from '../with-client.ts'
import type { SharedServers } from './global-setup.ts'

/** Maximum size of the event stream of a suite, in bytes. */
export const STREAM_MAX_BYTES = 64 * 1024 * 1024

/**
 * Creates a database named after the namespace, with the schemas of these services, as a copy of a template that is
 * migrated once in a run: a hundred migrations take a second, a copy a tenth of that. All copies share their roles.
 * @returns the new namespace
 */
export async function createNamespace(servers: SharedServers, services: readonly ServiceName[]): Promise<string> {
  const namespace = `t${randomBytes(5).toString('hex')}`
  const withData = SERVICES_WITH_DATA.filter((name) => services.includes(name))
  const client = await poolOf(servers.databaseAdminUrl).connect()
  try {
    const template = await templateWith(client, servers, withData)
    // Lets the kernel copy the files: 35 ms of CPU time instead of 250. PostgreSQL before 18 rejects the setting.
    await client.query(`set file_copy_method = 'clone'`).catch(() => {})
    await client.query(
      `create database ${escapeIdentifier(namespace)} template ${escapeIdentifier(template)} strategy file_copy`,
    )
    // PostgreSQL does not copy the settings of roles with a database.
    await client.query(
      `insert into pg_db_role_setting
       select to_database.oid, setrole, setconfig
       from pg_db_role_setting join pg_database from_database on from_database.oid = setdatabase, pg_database to_database
       where from_database.datname = $1 and to_database.datname = $2`,
      [template, namespace],
    )
  } finally {
    client.release()
  }
  return namespace
}

let pool: { url: string; connections: Pool } | undefined

/** Connections that the suites of one process share, because opening one takes a fifth of the time of a copy. */
function poolOf(url: string): Pool {
  if (pool?.url === url) return pool.connections
  const connections = new Pool({ connectionString: url, max: 2, allowExitOnIdle: true, idleTimeoutMillis: 5000 })
  // A test may stop the server. The next query reports it.
  connections.on('error', () => {})
  pool = { url, connections }
  return connections
}

/** Deletes the streams, database and keys of a namespace. */
export async function deleteNamespace(servers: SharedServers, namespace: string): Promise<void> {
  await Promise.all([
    deleteStreams(servers.natsAdminUrl, namespace),
    dropDatabase(servers.databaseAdminUrl, namespace),
    deleteKeys(servers.redisUrl, namespace),
  ])
}

/** @returns the name of a migrated database, which is created when the first suite needs these services */
async function templateWith(
  client: PoolClient,
  servers: SharedServers,
  services: readonly ServiceName[],
): Promise<string> {
  if (services.length === 0) return 'template1'
  const name = `template_${services.join('_')}`
  // One at a time, because templates share their roles.
  await client.query(`select pg_advisory_lock(hashtext('templates'))`)
  try {
    const known = await client.query('select 1 from pg_database where datname = $1', [name])
    if (known.rowCount !== 0) return name
    const unfinished = `unfinished_${name}`
    await client.query(`drop database if exists ${escapeIdentifier(unfinished)}`)
    await client.query(`create database ${escapeIdentifier(unfinished)}`)
    const adminUrl = urlOfDatabase(servers.databaseAdminUrl, unfinished)
    for (const service of services) {
      await migrateSchema({
        adminUrl,
        schema: service,
        role: templateRole(service),
        rolePassword: templatePassword(servers),
        directory: migrationsDirectory(service),
      })
    }
    await client.query(`alter database ${escapeIdentifier(unfinished)} rename to ${escapeIdentifier(name)}`)
    return name
  } finally {
    await client.query(`select pg_advisory_unlock(hashtext('templates'))`)
  }
}

/** @returns the address of a database of `createNamespace`, with a role that has the rights of the service */
export function databaseUrlOf(servers: SharedServers, namespace: string, service: ServiceName): string {
  const url = new URL(servers.databaseAdminUrl)
  url.pathname = `/${namespace}`
  url.username = templateRole(service)
  url.password = templatePassword(servers)
  return url.href
}

const templateRole = (service: ServiceName): string => roleName('template', service)

/** The same in every process of a run, and different in each run. */
const templatePassword = ({ databaseAdminUrl }: SharedServers): string =>
  createHash('sha256').update(databaseAdminUrl).digest('hex').slice(0, 24)

async function deleteStreams(natsUrl: string, namespace: string): Promise<void> {
  await withNats(natsUrl, {}, async (connection) => {
    const manager = await jetstreamManager(connection)
    await manager.streams.delete(eventsStream(namespace))
    await manager.streams.delete(deadLetterStream(namespace))
  })
}

async function dropDatabase(adminUrl: string, namespace: string): Promise<void> {
  const roles = SERVICE_NAMES.map((service) => escapeIdentifier(roleName(namespace, service)))
  await poolOf(adminUrl).query(`drop database ${escapeIdentifier(namespace)} with (force)`)
  await poolOf(adminUrl).query(`drop role if exists ${roles.join(', ')}`)
}

async function deleteKeys(redisUrl: string, namespace: string): Promise<void> {
  const redis = new Redis(redisUrl)
  const keys = await redis.keys(`${namespace}:*`)
  if (keys.length > 0) await redis.del(...keys)
  redis.disconnect()
}
