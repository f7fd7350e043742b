import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql, type Kysely } from 'kysely'
import { setTimeout } from 'node:timers/promises'
import { Client, escapeIdentifier, escapeLiteral, type ClientBase } from 'pg'
import { MINUTE_MS } from '@storefront/service'
import { isLockFailure } from './database-errors.ts'

interface Migration {
  name: string
  text: string
  checksum: string
}

/** A migration waits this long for a lock, because every statement of the shop on that table waits behind it. */
const LOCK_MS = 1000
const PAUSE_MS = 2000
/** As long as a backup may read a table. */
const TRY_FOR_MS = 30 * MINUTE_MS
const CONNECT_MS = 10_000
/** A migration may take long, so that only this ends the wait for a server that was lost with its machine. */
const KEEP_ALIVE_MS = 10_000

const SHARED_MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, name), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function migrationsOf(directory: string): Promise<Migration[]> {
  return [...(await readMigrations(SHARED_MIGRATIONS)), ...(await readMigrations(directory))]
}

/**
 * Brings one service's schema up to date: creates its role and schema, runs the missing migrations, each in a
 * transaction, and grants the role the rights it needs on this schema and no others. Forward only. A table that another
 * transaction holds, such as a backup, is tried again for half an hour.
 * @param options.adminUrl a role that may create roles and schemas in this database
 * @returns the names of the migrations that ran
 * @throws Error when a migration that already ran has changed since, or fails
 */
export async function migrateSchema(options: {
  adminUrl: string
  schema: string
  role: string
  rolePassword: string
  directory: string
  /** Gets a line when a migration has to wait. */
  print?: (line: string) => void
}): Promise<string[]> {
  const { schema, role, print = () => {} } = options
  const client = new Client({
    connectionString: options.adminUrl,
    application_name: 'migrate',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  })
  client.on('error', () => {}) // The query fails with the reason.
  await client.connect()
  try {
    // One migrate step at a time on a database: two that change a role at once fail.
    await client.query(`select pg_advisory_lock(hashtext('storefront migrate'))`)
    await prepareRole(client, role, options.rolePassword, schema)
    await createMigrationsTable(client, schema)
    const applied = await appliedMigrations(client, schema)
    const ran: string[] = []
    for (const migration of await migrationsOf(options.directory)) {
      const checksum = applied.get(migration.name)
      if (checksum === migration.checksum) continue
      if (checksum !== undefined) throw new Error(`migration ${migration.name} of ${schema} was changed after it ran`)
      await runMigration(client, schema, migration, print)
      ran.push(migration.name)
    }
    await grantUse(client, schema, role)
    return ran
  } finally {
    await client.end()
  }
}

/**
 * Creates a service's schema as these migrations left it, for a restore that fills it afterwards. It runs in the
 * transaction of the caller and grants no rights: `migrateSchema` does that, and continues from there.
 * @param client a role that may create schemas, and extensions where migrations create some
 * @param options.applied checksums by name, from the schema's table of migrations
 * @throws Error that names migrations that this code does not know, or that were changed after they ran
 */
export async function createSchemaAt(
  client: ClientBase,
  options: { schema: string; directory: string; applied: Readonly<Record<string, string>> },
): Promise<void> {
  const { schema, applied } = options
  const known = await migrationsOf(options.directory)
  const wanted = known.filter(({ name }) => name in applied)
  const other = Object.keys(applied).filter(
    (name) => !known.some((migration) => migration.name === name && migration.checksum === applied[name]),
  )
  if (other.length > 0) throw new Error(`migrations of ${schema} that this code does not have: ${other.join(', ')}`)
  await client.query(`create schema ${escapeIdentifier(schema)}`)
  await createMigrationsTable(client, schema)
  for (const migration of wanted) await applyMigration(client, schema, migration)
  await client.query('set local search_path to default')
}

async function prepareRole(client: Client, role: string, password: string, schema: string): Promise<void> {
  const name = escapeIdentifier(role)
  const known = await client.query('select 1 from pg_roles where rolname = $1', [role])
  if (known.rowCount === 0) await client.query(`create role ${name} login`)
  await client.query(
    `alter role ${name} with login nosuperuser nocreatedb nocreaterole password ${escapeLiteral(password)}`,
  )
  const { rows } = await client.query<{ database: string }>('select current_database() as database')
  const database = escapeIdentifier(rows[0]?.database ?? '')
  await client.query(`revoke all on database ${database} from public`)
  await client.query(`grant connect on database ${database} to ${name}`)
  await client.query(`create schema if not exists ${escapeIdentifier(schema)}`)
  await client.query(
    `alter role ${name} in database ${database} set search_path to ${escapeIdentifier(schema)}, public`,
  )
  // For tables in memory or on flash: the default makes an index look four times as expensive as it is.
  await client.query(`alter role ${name} in database ${database} set random_page_cost to 1.1`)
  // A plan that merely looks expensive would be compiled for tens of milliseconds, to run for a few.
  await client.query(`alter role ${name} in database ${database} set jit to off`)
  // No parallel workers either: they take longer to start than our statements to run, and occupy the cores of others.
  await client.query(`alter role ${name} in database ${database} set max_parallel_workers_per_gather to 0`)
}

/** @returns the checksums of the migrations that have run, by name, in the order of the names */
export async function appliedMigrations(client: ClientBase, schema: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `select name, checksum from ${escapeIdentifier(schema)}.migrations order by name`,
  )
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

async function createMigrationsTable(client: ClientBase, schema: string): Promise<void> {
  await client.query(
    `create table if not exists ${escapeIdentifier(schema)}.migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
  )
}

/** Runs a migration in the transaction of the caller, which has the search path of the schema afterwards. */
async function applyMigration(client: ClientBase, schema: string, migration: Migration): Promise<void> {
  await client.query(`set local search_path to ${escapeIdentifier(schema)}, public`)
  await client.query(migration.text)
  await client.query(`insert into ${escapeIdentifier(schema)}.migrations (name, checksum) values ($1, $2)`, [
    migration.name,
    migration.checksum,
  ])
}

async function runMigration(
  client: Client,
  schema: string,
  migration: Migration,
  print: (line: string) => void,
): Promise<void> {
  const name = `migration ${migration.name} of ${schema}`
  const end = performance.now() + TRY_FOR_MS
  for (let waited = 0; ; waited++) {
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = ${LOCK_MS}`)
      await applyMigration(client, schema, migration)
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => {}) // The connection may be lost, which is the error already.
      if (!isLockFailure(error) || performance.now() > end)
        throw new Error(`${name} failed: ${error instanceof Error ? error.message : ''}`, { cause: error })
      if (waited === 0) print(`${name} waits for another transaction on its table, such as a backup.`)
      await setTimeout(PAUSE_MS)
    }
  }
}

/**
 * Grants rights on rows, not on tables: the service's role changes data and never a definition. Tables with the comment
 * `append only` can be read and added to, but their rows cannot be changed or deleted.
 */
async function grantUse(client: Client, schema: string, role: string): Promise<void> {
  const [schemaName, roleName] = [escapeIdentifier(schema), escapeIdentifier(role)]
  await client.query(`grant usage on schema ${schemaName} to ${roleName}`)
  await client.query(`grant select, insert, update, delete on all tables in schema ${schemaName} to ${roleName}`)
  await client.query(`grant usage on all sequences in schema ${schemaName} to ${roleName}`)
  await client.query(`revoke insert, update, delete on ${schemaName}.migrations from ${roleName}`)
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'p') and obj_description(c.oid, 'pg_class') = 'append only'`,
    [schema],
  )
  for (const { name } of rows) {
    await client.query(`revoke update, delete on ${schemaName}.${escapeIdentifier(name)} from ${roleName}`)
  }
}

/**
 * Fails when a schema is older than the code.
 * @throws Error that names the missing migrations and the command to run
 */
export async function assertMigrated<Schema>(db: Kysely<Schema>, directory: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db)
  const applied = new Set(rows.map((row) => row.name))
  const missing = (await migrationsOf(directory)).map(({ name }) => name).filter((name) => !applied.has(name))
  if (missing.length > 0) {
    throw new Error(`the database is older than this code: run the migrate step first (missing ${missing.join(', ')})`)
  }
}

/**
 * Compares the migrations of a schema with those of the code, and changes nothing.
 * @param client a role that may read the schema's table of migrations
 * @returns names: not run yet, changed after they ran, and those that only newer code knows
 */
export async function compareMigrations(
  client: ClientBase,
  schema: string,
  directory: string,
): Promise<{ missing: string[]; changed: string[]; unknown: string[] }> {
  const applied = await appliedMigrations(client, schema)
  const known = await migrationsOf(directory)
  const names = new Set(known.map(({ name }) => name))
  return {
    missing: known.filter(({ name }) => !applied.has(name)).map(({ name }) => name),
    changed: known
      .filter(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
      .map(({ name }) => name),
    unknown: [...applied.keys()].filter((name) => !names.has(name)),
  }
}
