import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { createSchemaAt } from '@storefront/postgres'
import { natsUsers } from '@storefront/contracts'
import { escapeIdentifier, type Client, type ClientConfig } from 'pg'
import { recoverAllEvents } from '../events/recover-events.ts'
import { startInfrastructure } from '../infrastructure/index.ts'
import { lockDataFolder } from '../launcher-lock.ts'
import { endLeftoverServices } from '../processes-file.ts'
import { ownDatabaseUrls, requireOneDatabase } from '../own-databases.ts'
import { migrationsDirectory, prepare, roleName, SERVICES_WITH_DATA } from '../prepare.ts'
import { resetExternal } from '../reset-external.ts'
import { secretsPath } from '../secrets.ts'
import { mediaDir } from '../service-environment.ts'
import { shopAddresses } from '../shop-addresses.ts'
import { readShopSecrets } from '../shop-secrets.ts'
import { readSettings } from '../shop-settings.ts'
import { messageOf, StartError } from '../start-error.ts'
import type { TransferProgress } from '../transfer/transfer-progress.ts'
import { urlOfDatabase, withClient } from '../with-client.ts'
import * as queries from './backup.queries.ts'
import { findDeletedAccounts, findErasedBuyers } from './deleted-since.queries.ts'
import { skipInvoiceNumbers, skipOrderNumbers } from './numbers.queries.ts'
import { checksumsOf } from './checksums.ts'
import { MEDIA_FOLDER, readManifest, type Manifest } from './manifest.ts'
import { readTables } from './read-tables.ts'

interface RestoreContext {
  env: NodeJS.ProcessEnv
  /** Replaces the shop in this database. Without it, a database that holds a shop is an error. */
  replace: boolean
  /** The secrets of the shop are lost: new ones are generated. */
  newSecrets: boolean
  /** The last number of an invoice that was sent, or 0 where the database has it. */
  lastInvoice: number
  progress: Pick<TransferProgress, 'reached' | 'print'>
  signal: AbortSignal
}

/**
 * Restores a backup into a stopped shop: the pictures and the database, then the migrations that are newer than the
 * backup, empty streams, an empty Redis, and the events of the last day before the backup that a consumer has no
 * receipt of.
 * @throws StartError when the backup is damaged, or the shop runs or is not empty; nothing is changed then
 */
export async function restore(folder: string, context: RestoreContext): Promise<void> {
  const { env, progress, signal } = context
  const { print } = progress
  requireOneDatabase(ownDatabaseUrls(env))
  const manifest = await readManifest(folder)
  await verify(folder, manifest)
  const { dataDir, namespace } = shopAddresses(env)
  if (!context.newSecrets) requireSecrets(dataDir)
  const release = await lockDataFolder(dataDir)
  try {
    await endLeftoverServices(dataDir)
    const secrets = readShopSecrets(dataDir, readSettings(env))
    print('Starting PostgreSQL, Redis and NATS.')
    const users = natsUsers(secrets.natsPasswords)
    const infrastructure = await startInfrastructure({ dataDir, env, print, users, signal })
    try {
      const { postgres, redis, nats } = infrastructure
      const servers = { ...env, DATABASE_URL: postgres.url, REDIS_URL: redis.url, NATS_URL: nats.url }
      const database = shopAddresses(servers).database
      await createDatabase(postgres.url, database)
      const media = env['MEDIA_DIR'] || mediaDir(dataDir)
      const target = { ...context, database, media, namespace }
      const lastInvoice = await replaceShop(folder, manifest, target)
      print('Emptying streams and Redis, which are rebuilt from the database.')
      await resetExternal({ env: { REDIS_URL: redis.url, NATS_URL: nats.url }, namespace, print: () => {} })
      await prepare({
        adminDatabaseUrl: postgres.url,
        natsUrl: nats.url,
        namespace,
        rolePasswords: secrets.rolePasswords,
        env,
        print,
      })
      // Again, because a backup may be from before the table of the counter.
      const numbers = { lastInvoice, replacesShop: false }
      await withClient(asRestore(database), (client) => skipInvoiceNumbers(client, numbers))
      print('Looking for events that a consumer has no receipt of.')
      await recoverAllEvents(servers, signal)
      await withClient(asRestore(database), (client) => queries.noteRestore(client, null))
    } finally {
      await infrastructure.stop()
    }
  } finally {
    release()
  }
}

/** Without the file, npm start would generate new secrets, and show a password that is not the one of the admin. */
function requireSecrets(dataDir: string): void {
  const path = secretsPath(dataDir)
  if (existsSync(path)) return
  throw new StartError(
    `${path} does not exist: copy the secrets.json of the shop there first. If it is lost, add --new-secrets: webhooks are then signed with another secret, and the admin's password stays what it was at the backup.`,
  )
}

async function verify(folder: string, manifest: Manifest): Promise<void> {
  const found = await checksumsOf(folder)
  const paths = new Set([...Object.keys(found), ...Object.keys(manifest.checksums)])
  const damaged = [...paths].filter((path) => found[path] !== manifest.checksums[path])
  if (damaged.length > 0) {
    throw new StartError(`The backup is damaged (${damaged.slice(0, 5).join(', ')}): restore another one.`)
  }
}

/** A new server has no database of the shop yet. */
async function createDatabase(adminUrl: string, database: string): Promise<void> {
  const name = decodeURIComponent(new URL(database).pathname.slice(1))
  await withClient(asRestore(urlOfDatabase(adminUrl, 'postgres')), async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`)
  })
}

interface Target extends Pick<RestoreContext, 'replace' | 'lastInvoice' | 'progress' | 'signal'> {
  database: string
  /** The folder of the pictures. */
  media: string
  namespace: string
}

/**
 * The old schemas are renamed in the transaction that fills the new tables, so that a restore that fails changes
 * nothing, except that pictures may be left which the shop does not know. With the rows it commits the note that the
 * following steps are not done, and the last number of an invoice for a restore that repeats them.
 * @returns the last number of an invoice
 */
async function replaceShop(folder: string, manifest: Manifest, target: Target): Promise<number> {
  const { database, media, namespace, replace, progress, signal } = target
  return withClient(asRestore(database), async (client) => {
    await queries.normalizeSession(client)
    const roles = SERVICES_WITH_DATA.map((service) => roleName(namespace, service))
    const busy = await queries.connectedRoles(client, roles)
    if (busy.length > 0) {
      throw new StartError(`The shop is running (${busy.join(', ')} at the database): stop its services first.`)
    }
    const existing = await queries.schemasOf(client, SERVICES_WITH_DATA)
    const unfinished = await queries.unfinishedRestore(client)
    if (existing.length > 0 && !replace && unfinished === null) {
      throw new StartError('There is a shop in this database: add --replace to replace it with the backup.')
    }
    const lastInvoice = await queries.inTransaction(client, async () => {
      await queries.renameReplacedSchemas(client, existing)
      await makeSchemas(client, manifest)
      progress.print(`Restoring the database as of ${manifest.takenAt}.`)
      const tables = await readTables(
        client,
        SERVICES_WITH_DATA,
        { folder, manifest },
        {
          signal,
          reached: (done, total) => progress.reached('rows', done, total),
        },
      )
      await queries.gatherStatistics(client, tables)
      await checkLedger(client, manifest)
      const replacesShop = existing.includes('orders')
      const next = await skipOrderNumbers(client, { takenAt: manifest.takenAt, lastOrder: 0, replacesShop })
      progress.print(`Order numbers continue at ${next}, because earlier ones may have been used after the backup.`)
      // A restore that ended early has dropped the counter of the shop that it replaced.
      const known = Math.max(target.lastInvoice, unfinished?.lastInvoice ?? 0)
      const last = await skipInvoiceNumbers(client, { lastInvoice: known, replacesShop })
      progress.print(`The next invoice is number ${last + 1}.`)
      if (replacesShop) await printDeletedSince(client, progress.print)
      if (existsSync(join(folder, MEDIA_FOLDER))) {
        progress.print('Copying the pictures.')
        await cp(join(folder, MEDIA_FOLDER), media, { recursive: true })
      }
      await queries.noteRestore(client, { folder, lastInvoice: last })
      return last
    })
    await queries.dropReplacedSchemas(client, existing)
    return lastInvoice
  })
}

/** The tables come from the migrations of this code, so a manipulated backup can insert rows but run no commands. */
async function makeSchemas(client: Client, { migrations }: Manifest): Promise<void> {
  for (const schema of SERVICES_WITH_DATA) {
    const options = { schema, directory: migrationsDirectory(schema), applied: migrations[schema] ?? {} }
    await createSchemaAt(client, options).catch((error: unknown): never => {
      throw new StartError(
        `The tables of the backup cannot be created (${messageOf(error)}): restore it with the version of the shop that made it, or a later one.`,
      )
    })
  }
}

async function checkLedger(client: Client, manifest: Manifest): Promise<void> {
  const faults = await queries.countLedgerFaults(client)
  if (faults > manifest.ledgerFaults) {
    throw new StartError(`The stock of ${faults} variants does not match its ledger any more: restore another backup.`)
  }
}

/**
 * Prints all ids of those whose data the replaced shop had deleted, however many, because nothing has them after its
 * schemas are dropped. Called before the commit, because a run that repeats the steps after it has no replaced shop.
 */
async function printDeletedSince(client: Client, print: RestoreContext['progress']['print']): Promise<void> {
  const accounts = await findDeletedAccounts(client)
  const buyers = await findErasedBuyers(client)
  if (accounts.length > 0)
    print(`Accounts to delete again after the restore (DELETE /admin/customers/ID): ${accounts.join(', ')}`)
  if (buyers.length > 0)
    print(`Guests to delete again after the restore (DELETE /admin/buyers/ID): ${buyers.join(', ')}`)
}

function asRestore(connectionString: string): ClientConfig {
  return { connectionString, application_name: 'restore' }
}
