import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '@storefront/chassis'
import { Client } from 'pg'
import { SERVICES_WITH_DATA } from '../prepare.ts'
import { mediaDir } from '../service-environment.ts'
import type { ShopAddresses } from '../shop-addresses.ts'
import { StartError } from '../start-error.ts'
import * as queries from './backup.queries.ts'
import { checksumsOf } from './checksums.ts'
import { DUMP_FILE, MANIFEST_FILE, MEDIA_FOLDER, type Manifest } from './manifest.ts'
import { dumpDatabase, findPostgresTools } from './postgres-tools.ts'

interface BackupContext {
  env: Readonly<Record<string, string | undefined>>
  addresses: ShopAddresses
  clock: Clock
  say: (line: string) => void
}

/**
 * Makes a backup of a running or resting shop: the database as one snapshot, and the pictures in its folder. Redis and NATS
 * hold nothing that cannot be made again from these. A backup that breaks off leaves nothing behind.
 * @returns what it holds, with the number of variants whose books do not add up
 */
export async function backUp(folder: string, { env, addresses, clock, say }: BackupContext): Promise<Manifest> {
  if (existsSync(folder)) throw new StartError(`${folder} is there already: name a folder that is not.`)
  const temporary = `${folder}.${randomBytes(6).toString('hex')}.part`
  const client = new Client({ connectionString: addresses.database, application_name: 'backup' })
  client.on('error', () => {}) // Whoever asks next is told.
  await client.connect()
  try {
    await mkdir(dirname(folder), { recursive: true })
    await mkdir(temporary, { mode: 0o700 })
    const postgres = await queries.serverVersion(client)
    const tools = await findPostgresTools(env, postgres)
    const takenAt = clock.now().toISOString()
    const snapshot = await queries.openSnapshot(client)
    const schemas = await queries.schemasOf(client, SERVICES_WITH_DATA)
    if (schemas.length < SERVICES_WITH_DATA.length)
      throw new StartError('There is no whole shop in this database: run the migrate step first.')
    say('Writing the database.')
    await dumpDatabase(tools, addresses.database, { snapshot, schemas, file: join(temporary, DUMP_FILE) })
    const manifest = {
      format: 1 as const,
      takenAt,
      namespace: addresses.namespace,
      postgres,
      extensions: await queries.extensionsOf(client),
      migrations: await queries.migrationNames(client, schemas),
      rows: await queries.countRows(client, schemas),
      ledgerFaults: await queries.countLedgerFaults(client),
    }
    // After the database: a picture is stored before the row that names it, so every row has its file.
    const media = env['MEDIA_DIR'] || mediaDir(addresses.dataDir)
    if (existsSync(media)) {
      say('Copying the pictures.')
      await cp(media, join(temporary, MEDIA_FOLDER), { recursive: true })
    }
    const whole = { ...manifest, checksums: await checksumsOf(temporary) }
    await writeFile(join(temporary, MANIFEST_FILE), `${JSON.stringify(whole, null, 2)}\n`, { mode: 0o600, flush: true })
    await rename(temporary, folder)
    return whole
  } finally {
    await client.end()
    await rm(temporary, { recursive: true, force: true })
  }
}
