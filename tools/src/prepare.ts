import { fileURLToPath } from 'node:url'
import { escapeIdentifier } from 'pg'
import { migrateSchema } from '@storefront/postgres'
import { natsAddress, prepareStreams } from '@storefront/messaging'
import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { forEachService } from './for-each-service.ts'
import { withNats } from './infrastructure/with-nats.ts'
import { streamOptions } from './stream-settings.ts'
import { shopDatabaseUrl, withClient } from './with-client.ts'

export interface PrepareOptions {
  /** Address of PostgreSQL with a role that may create roles and databases. */
  adminDatabaseUrl: string
  /** The same for services whose schema is on a server of its own. */
  ownDatabaseUrls?: Partial<Record<ServiceName, string>>
  /** Address of NATS with a user that may administer JetStream; several are separated by commas. */
  natsUrl: string
  namespace: string
  rolePasswords: Record<ServiceName, string>
  /** NATS_REPLICAS and STREAM_MAX_BYTES, if they are set: see `streamOptions`. */
  env: NodeJS.ProcessEnv
  print?: (line: string) => void
}

export const SERVICES_WITH_DATA = SERVICE_NAMES.filter((name) => name !== 'gateway')

export function migrationsDirectory(service: ServiceName): string {
  return fileURLToPath(new URL(`../../services/${service}/migrations`, import.meta.url))
}

/**
 * The migrate step: creates the database, a schema and a role for each service, streams and consumers, and runs
 * migrations. It runs before the services start; running it again changes nothing.
 * @returns the address of the database with the role of each service
 */
export async function prepare(options: PrepareOptions): Promise<Record<ServiceName, string>> {
  const { namespace, rolePasswords, print = () => {} } = options
  const adminUrls = await prepareDatabases(options)
  for (const service of SERVICES_WITH_DATA) {
    const ran = await migrateSchema({
      adminUrl: adminUrls[service],
      schema: service,
      role: roleName(namespace, service),
      rolePassword: rolePasswords[service],
      directory: migrationsDirectory(service),
      print,
    })
    if (ran.length > 0) print(`${service}: ${ran.length} migrations`)
  }
  const isTls = natsAddress(options.natsUrl).servers.some((server) => server.startsWith('tls:'))
  await withNats(options.natsUrl, { timeout: 5000, ...(isTls ? { tls: {} } : {}) }, (connection) =>
    prepareStreams(connection, namespace, streamOptions(options.env, connection.info?.cluster)),
  )
  return serviceDatabaseUrls(adminUrls, options)
}

/**
 * @param adminUrls the addresses of the databases with another role
 * @returns the address of the database with the role of each service
 */
export function serviceDatabaseUrls(
  adminUrls: Record<ServiceName, string>,
  { namespace, rolePasswords }: Pick<PrepareOptions, 'namespace' | 'rolePasswords'>,
): Record<ServiceName, string> {
  return forEachService((service) => {
    const url = new URL(adminUrls[service])
    url.username = roleName(namespace, service)
    url.password = rolePasswords[service]
    return url.href
  })
}

export function roleName(namespace: string, service: ServiceName): string {
  return `${namespace}_${service}`
}

/** @returns the address of the database in which the schema of each service is */
async function prepareDatabases(options: PrepareOptions): Promise<Record<ServiceName, string>> {
  const { adminDatabaseUrl, ownDatabaseUrls = {}, namespace } = options
  const addressOf = (service: ServiceName): string => ownDatabaseUrls[service] ?? adminDatabaseUrl
  const prepared = new Map<string, string>()
  for (const address of new Set(SERVICES_WITH_DATA.map(addressOf))) {
    prepared.set(address, await prepareDatabase(address, namespace))
  }
  return forEachService((service) => prepared.get(addressOf(service)) ?? addressOf(service))
}

/**
 * Uses the database that the address names. Instead of the maintenance database `postgres`, which is not for tables, it
 * creates and uses a database named after the namespace.
 */
async function prepareDatabase(adminDatabaseUrl: string, namespace: string): Promise<string> {
  const url = shopDatabaseUrl(adminDatabaseUrl, namespace)
  if (url === new URL(adminDatabaseUrl).href) return url
  await withClient({ connectionString: adminDatabaseUrl }, async (client) => {
    const known = await client.query('select 1 from pg_database where datname = $1', [namespace])
    if (known.rowCount === 0) await client.query(`create database ${escapeIdentifier(namespace)}`)
  })
  return url
}
