import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { natsUsers } from '@storefront/contracts'
import { Client, escapeIdentifier } from 'pg'
import { recoverEvents } from '../events/recover-events.ts'
import { openShopStreams } from '../events/shop-streams.ts'
import { processTerminal } from '../events/terminal.ts'
import { startInfrastructure } from '../infrastructure/index.ts'
import { takeDataFolder } from '../launcher-lock.ts'
import { endLeftoverServices } from '../processes-file.ts'
import { prepare, roleName, SERVICES_WITH_DATA } from '../prepare.ts'
import { resetExternal } from '../reset-external.ts'
import { mediaDir } from '../service-environment.ts'
import { shopAddresses } from '../shop-addresses.ts'
import { readShopSecrets } from '../shop-secrets.ts'
import { readSettings } from '../shop-settings.ts'
import { StartError } from '../start-error.ts'
import * as queries from './backup.queries.ts'
import { checksumsOf } from './checksums.ts'
import { DUMP_FILE, MEDIA_FOLDER, readManifest, type Manifest } from './manifest.ts'
import { findPostgresTools, restoreDatabase } from './postgres-tools.ts'

interface RestoreContext {
  env: NodeJS.ProcessEnv
  /** What is there goes. Without it only an empty shop takes a backup. */
  replace: boolean
  say: (line: string) => void
  signal: AbortSignal
}

/**
 * Brings a backup back into a resting shop: the database, then the migrations that are younger than it, the pictures, empty
 * streams and an empty Redis, and the events of the last day before the backup that a hearer has no receipt of.
 * @throws StartError when the backup is damaged, the shop runs or is not empty; what is there stays as it is then
 */
export async function restore(folder: string, { env, replace, say, signal }: RestoreContext): Promise<void> {
  const manifest = await readManifest(folder)
  await verify(folder, manifest)
  const { dataDir, namespace } = shopAddresses(env)
  const release = takeDataFolder(dataDir)
  try {
    await endLeftoverServices(dataDir)
    const secrets = readShopSecrets(dataDir, readSettings(env))
    say('Starting PostgreSQL, Redis and NATS.')
    const users = natsUsers(secrets.natsPasswords)
    const infrastructure = await startInfrastructure({ dataDir, env, say, users, signal })
    try {
      const { postgres, redis, nats } = infrastructure
      const servers = { ...env, DATABASE_URL: postgres.url, REDIS_URL: redis.url, NATS_URL: nats.url }
      const database = shopAddresses(servers).database
      await createDatabase(postgres.url, database)
      await replaceDatabase(folder, manifest, { env, database, namespace, replace, say })
      say('Emptying streams and Redis, which are made again from the database.')
      await resetExternal({ env: { REDIS_URL: redis.url, NATS_URL: nats.url }, namespace, say: () => {} })
      await prepare({
        adminDatabaseUrl: postgres.url,
        natsUrl: nats.url,
        namespace,
        rolePasswords: secrets.rolePasswords,
        say,
      })
      if (existsSync(join(folder, MEDIA_FOLDER))) {
        say('Copying the pictures.')
        await cp(join(folder, MEDIA_FOLDER), env['MEDIA_DIR'] || mediaDir(dataDir), { recursive: true })
      }
      say('Looking for events that a hearer has no receipt of.')
      const streams = await openShopStreams(servers)
      try {
        const everything = { event: undefined, service: undefined, since: undefined, dryRun: false, yes: true }
        await recoverEvents(streams, everything, { terminal: processTerminal(), signal, databaseUrl: database })
      } finally {
        await streams.close()
      }
    } finally {
      await infrastructure.stop()
    }
  } finally {
    release()
  }
}

async function verify(folder: string, manifest: Manifest): Promise<void> {
  const found = await checksumsOf(folder)
  const paths = new Set([...Object.keys(found), ...Object.keys(manifest.checksums)])
  const damaged = [...paths].filter((path) => found[path] !== manifest.checksums[path])
  if (damaged.length > 0) {
    throw new StartError(`The backup is damaged (${damaged.slice(0, 5).join(', ')}): take another one.`)
  }
}

/** The server may be a new one. */
async function createDatabase(adminUrl: string, database: string): Promise<void> {
  const name = decodeURIComponent(new URL(database).pathname.slice(1))
  const maintenance = new URL(adminUrl)
  maintenance.pathname = '/postgres'
  await withClient(maintenance.href, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`)
  })
}

interface Target {
  env: NodeJS.ProcessEnv
  database: string
  namespace: string
  replace: boolean
  say: (line: string) => void
}

/** What was there is moved aside until the backup is in, so that a restore that fails costs nothing. */
async function replaceDatabase(folder: string, manifest: Manifest, target: Target): Promise<void> {
  const { env, database, namespace, replace, say } = target
  await withClient(database, async (client) => {
    const tools = await findPostgresTools(env, await queries.serverVersion(client))
    const roles = SERVICES_WITH_DATA.map((service) => roleName(namespace, service))
    const busy = await queries.connectedRoles(client, roles)
    if (busy.length > 0) {
      throw new StartError(`The shop is running (${busy.join(', ')} at the database): stop its services first.`)
    }
    const there = await queries.schemasOf(client, SERVICES_WITH_DATA)
    if (there.length > 0 && !replace) {
      throw new StartError('There is a shop in this database: say --replace when the backup is to take its place.')
    }
    await queries.createExtensions(client, manifest.extensions)
    await queries.moveAside(client, there)
    try {
      say(`Reading the database as of ${manifest.takenAt}.`)
      await restoreDatabase(tools, database, join(folder, DUMP_FILE))
      await compare(client, manifest)
      const replacesShop = there.includes('orders')
      const next = await queries.skipOrderNumbers(client, { takenAt: manifest.takenAt, replacesShop })
      say(`Orders go on with number ${next}, because those before it may have been given out after the backup.`)
    } catch (error) {
      await queries.moveBack(client, there)
      throw error
    }
    await queries.dropAside(client, there)
  })
}

async function compare(client: Client, manifest: Manifest): Promise<void> {
  const rows = await queries.countRows(client, SERVICES_WITH_DATA)
  const other = Object.keys(manifest.rows).filter((table) => rows[table] !== manifest.rows[table])
  if (other.length > 0) throw new StartError(`Rows are missing in ${other.join(', ')}: take another backup.`)
  const faults = await queries.countLedgerFaults(client)
  if (faults > manifest.ledgerFaults) {
    throw new StartError(`The books of ${faults} variants do not add up any more: take another backup.`)
  }
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'restore' })
  client.on('error', () => {}) // Whoever asks next is told.
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
