import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { StartError } from '../start-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

const DEBIAN_FOLDER = '/usr/lib/postgresql'

/** Programs of PostgreSQL's client. They come with the server's package, and in its image. */
export interface PostgresTools {
  dump: string
  restore: string
}

/**
 * Finds a pg_dump that reads this server: it must not be older.
 * @param serverVersion the major one
 * @throws StartError that says where to get it
 */
export async function findPostgresTools(env: Environment, serverVersion: number): Promise<PostgresTools> {
  const debian = (await readdir(DEBIAN_FOLDER).catch(() => [])).map((version) => join(DEBIAN_FOLDER, version, 'bin'))
  const folders = env['POSTGRES_BIN'] ? [env['POSTGRES_BIN']] : ['', ...debian]
  const versions: number[] = []
  for (const folder of folders) {
    const dump = join(folder, 'pg_dump')
    const version = await versionOf(dump)
    if (version === undefined) continue
    if (version >= serverVersion) return { dump, restore: join(folder, 'pg_restore') }
    versions.push(version)
  }
  const found = versions.length === 0 ? 'there is none' : `here is ${Math.max(...versions)}`
  throw new StartError(
    `The database is PostgreSQL ${serverVersion} and needs its pg_dump or a later one (${found}): install postgresql-client-${serverVersion} (Debian and Ubuntu get each version from apt.postgresql.org), set POSTGRES_BIN to the folder of another, or run this in a container that has it.`,
  )
}

async function versionOf(program: string): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'])
    return Number(/(\d+)/.exec(stdout)?.[1])
  } catch {
    return undefined
  }
}

/** What libpq wants to know. The password goes by the environment: arguments are for everybody on the machine to see. */
function connectionOf(databaseUrl: string): { env: NodeJS.ProcessEnv; database: string } {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  const { PATH, LD_LIBRARY_PATH } = process.env
  return { database: url.href, env: { PATH, LD_LIBRARY_PATH, PGPASSWORD: password, PGCONNECT_TIMEOUT: '10' } }
}

/**
 * Writes a database in PostgreSQL's custom format, as this snapshot sees it.
 * @param snapshot as `pg_export_snapshot()` names it, of a transaction that is still open
 */
export async function dumpDatabase(
  tools: PostgresTools,
  databaseUrl: string,
  options: { snapshot: string; schemas: readonly string[]; file: string },
): Promise<void> {
  const { env, database } = connectionOf(databaseUrl)
  const schemas = options.schemas.flatMap((schema) => ['--schema', schema])
  const args = [
    '--format=custom',
    '--no-owner',
    '--no-privileges',
    '--snapshot',
    options.snapshot,
    ...schemas,
    '--dbname',
    database,
  ]
  const child = spawn(tools.dump, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  await Promise.all([
    pipeline(child.stdout, createWriteStream(options.file, { mode: 0o600, flush: true })),
    ended(child),
  ])
}

/** Reads such a file into a database, all of it or nothing. */
export async function restoreDatabase(tools: PostgresTools, databaseUrl: string, file: string): Promise<void> {
  const { env, database } = connectionOf(databaseUrl)
  const args = ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error', '--dbname', database]
  const child = spawn(tools.restore, args, { env, stdio: ['pipe', 'ignore', 'pipe'] })
  await Promise.all([pipeline(createReadStream(file), child.stdin).catch(() => {}), ended(child)])
}

async function ended(child: ReturnType<typeof spawn>): Promise<void> {
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new StartError(`${child.spawnfile} failed: ${said.trim()}`)
}
