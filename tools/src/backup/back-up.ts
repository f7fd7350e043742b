import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import type { Clock } from '@storefront/service'
import { Client } from 'pg'
import { isAlive } from '../infrastructure/process-identity.ts'
import { requireOneDatabase } from '../own-databases.ts'
import { SERVICES_WITH_DATA } from '../prepare.ts'
import { mediaDir } from '../service-environment.ts'
import type { ShopAddresses } from '../shop-addresses.ts'
import { messageOf, StartError } from '../start-error.ts'
import type { TransferProgress } from '../transfer/transfer-progress.ts'
import * as queries from './backup.queries.ts'
import { checksumsOf } from './checksums.ts'
import { copyPictures } from './copy-pictures.ts'
import { MANIFEST_FILE, MEDIA_FOLDER, type Manifest } from './manifest.ts'
import { writeTables } from './write-tables.ts'

type Uploads = Awaited<ReturnType<typeof queries.uploadsOf>>

interface BackupContext {
  env: Readonly<Record<string, string | undefined>>
  addresses: ShopAddresses
  clock: Clock
  progress: Pick<TransferProgress, 'reached' | 'print'>
  signal: AbortSignal
}

/**
 * Makes a backup of a running shop: the database as one snapshot, and the pictures in its folder. Everything in Redis
 * and NATS is rebuilt from these. A backup that fails deletes the files that it has written.
 * @returns the manifest of the backup, with the number of variants whose stock does not match its ledger
 * @throws StartError when the folder exists already, or the database holds no complete shop
 */
export async function backUp(folder: string, context: BackupContext): Promise<Manifest> {
  const { env, addresses, progress, signal } = context
  requireOneDatabase(addresses.ownDatabaseUrls)
  if (existsSync(folder)) throw new StartError(`${folder} exists already: name a new folder.`)
  const temporary = `${folder}.${hostname()}-${process.pid}.part`
  const client = await connect(addresses.database)
  try {
    await mkdir(dirname(folder), { recursive: true })
    await deleteLeftovers(dirname(folder))
    await mkdir(temporary, { mode: 0o700 })
    const { uploads, ...database } = await backUpDatabase(client, temporary, context)
    // After the database: a picture is stored before the row that names it. Only a deletion leaves a row without files.
    progress.print('Copying the pictures.')
    const pictures = join(temporary, MEDIA_FOLDER)
    await copyPictures(env['MEDIA_DIR'] || mediaDir(addresses.dataDir), pictures)
    // Those in a bucket are not copied.
    const lacking = env['MEDIA_S3_ENDPOINT'] ? 0 : await countLackingPictures(uploads, pictures)
    signal.throwIfAborted()
    const { namespace } = addresses
    const checksums = await checksumsOf(temporary)
    const manifest: Manifest = { format: 2, namespace, ...database, lackingPictures: lacking, checksums }
    const text = `${JSON.stringify(manifest, null, 2)}\n`
    await writeFile(join(temporary, MANIFEST_FILE), text, { mode: 0o600, flush: true })
    await rename(temporary, folder)
    return manifest
  } finally {
    await client.end()
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Deletes what killed backups of this machine have left: customers' data that would stay unnoticed. */
async function deleteLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const left = /-(\d+)\.part$/.exec(name)
    if (left === null || !name.slice(0, left.index).endsWith(`.${hostname()}`)) continue
    const pid = Number(left[1])
    if (pid === process.pid || !isAlive(pid, undefined)) await rm(join(parent, name), { recursive: true, force: true })
  }
}

async function connect(database: string): Promise<Client> {
  const client = new Client({ connectionString: database, application_name: 'backup', connectionTimeoutMillis: 10_000 })
  client.on('error', () => {}) // The next query fails with the reason.
  await client.connect().catch((error: unknown): never => {
    throw new StartError(
      `The database cannot be reached (${messageOf(error)}): start the shop, because a backup needs a running shop.`,
    )
  })
  return client
}

/** Counts uploads of the snapshot that have fewer files in the folder than they should have. */
async function countLackingPictures(uploads: Uploads, pictures: string): Promise<number> {
  let lacking = 0
  for (const { id, files } of uploads) {
    const names = await readdir(join(pictures, 'uploads', id)).catch(() => [])
    if (names.length < files) lacking++
  }
  return lacking
}

async function backUpDatabase(
  client: Client,
  folder: string,
  { clock, progress, signal }: Pick<BackupContext, 'clock' | 'progress' | 'signal'>,
): Promise<Omit<Manifest, 'format' | 'namespace' | 'lackingPictures' | 'checksums'> & { uploads: Uploads }> {
  await queries.normalizeSession(client)
  const postgres = await queries.serverVersion(client)
  const takenAt = clock.now().toISOString()
  await queries.beginSnapshot(client)
  const schemas = await queries.schemasOf(client, SERVICES_WITH_DATA)
  if (schemas.length < SERVICES_WITH_DATA.length)
    throw new StartError('There is no complete shop in this database: run the migrate step first (npm start does).')
  progress.print('Writing the database.')
  const tables = await writeTables(client, schemas, folder, {
    signal,
    reached: (done, total) => progress.reached('rows', done, total),
  })
  const rows = Object.values(tables.rows).reduce((sum, each) => sum + each, 0)
  progress.print(`Wrote ${rows.toLocaleString('en-US')} rows of ${Object.keys(tables.rows).length} tables.`)
  const database = {
    takenAt,
    postgres,
    migrations: await queries.migrationsOf(client, schemas),
    ...tables,
    // Last, because sequences are outside the snapshot. Skipping a number is harmless; using a number twice is not.
    sequences: await queries.sequencesOf(client, schemas),
    ledgerFaults: await queries.countLedgerFaults(client),
    uploads: await queries.uploadsOf(client),
  }
  // A migration waits for the end of this transaction: it need not wait for the pictures too.
  await client.query('commit')
  return database
}
