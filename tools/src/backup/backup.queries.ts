import { appliedMigrations } from '@storefront/postgres'
import { escapeIdentifier, escapeLiteral, type ClientBase } from 'pg'
import { ledgerFaults } from '../ledger.queries.ts'

/** A table or a sequence, by its names without quotes. */
export interface Named {
  schema: string
  name: string
}

export interface Table extends Named {
  /** Without generated columns. */
  columns: string[]
  /** From PostgreSQL's statistics; 0 when it has none. */
  estimatedRows: number
  hasTriggers: boolean
}

/** Makes the text of values independent of the settings of server, role and database, and removes all timeouts. */
export async function normalizeSession(client: ClientBase): Promise<void> {
  await client.query(`
    set client_encoding = 'UTF8'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC';
    set extra_float_digits = 3; set bytea_output = 'hex'; set row_security = off;
    set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`)
}

/** All reads until the end of the transaction see the database as of one moment. */
export async function beginSnapshot(client: ClientBase): Promise<void> {
  await client.query('begin isolation level repeatable read read only')
}

/** Runs the work in a transaction, and rolls it back when the work fails. */
export async function inTransaction<Result>(client: ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {}) // The connection may be gone, and the transaction with it.
    throw error
  }
}

export async function serverVersion(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  )
  return rows[0]?.version ?? 0
}

/** Those of these schemas that exist. */
export async function schemasOf(client: ClientBase, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select nspname as name from pg_namespace where nspname = any($1) order by 1',
    [names],
  )
  return rows.map(({ name }) => name)
}

export async function tablesOf(client: ClientBase, schemas: readonly string[]): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname::text as schema, c.relname::text as name, greatest(c.reltuples, 0)::float8 as "estimatedRows",
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         order by a.attnum) as columns,
       exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as "hasTriggers"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind = 'r' order by 1, 2`,
    [schemas],
  )
  return rows
}

/** The foreign keys between tables. */
export async function referencesOf(
  client: ClientBase,
  schemas: readonly string[],
): Promise<{ from: Named; to: Named }[]> {
  const { rows } = await client.query<{ schema: string; name: string; toSchema: string; toName: string }>(
    `select n.nspname::text as schema, c.relname::text as name, tn.nspname::text as "toSchema", tc.relname::text as "toName"
     from pg_constraint f
       join pg_class c on c.oid = f.conrelid join pg_namespace n on n.oid = c.relnamespace
       join pg_class tc on tc.oid = f.confrelid join pg_namespace tn on tn.oid = tc.relnamespace
     where f.contype = 'f' and n.nspname = any($1)`,
    [schemas],
  )
  return rows.map(({ schema, name, toSchema, toName }) => ({
    from: { schema, name },
    to: { schema: toSchema, name: toName },
  }))
}

/** The last value of each sequence, by `schema.sequence`; null for one that is unused. */
export async function sequencesOf(
  client: ClientBase,
  schemas: readonly string[],
): Promise<Record<string, string | null>> {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    `select schemaname || '.' || sequencename as name, last_value::text as last
     from pg_sequences where schemaname = any($1) order by 1`,
    [schemas],
  )
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}

/** Continues a sequence after that number. */
export async function setSequence(client: ClientBase, { schema, name }: Named, last: string): Promise<void> {
  await client.query('select setval($1::regclass, $2::bigint)', [quoted({ schema, name }), last])
}

/** Deletes the rows that migrations have inserted. */
export async function emptyTables(client: ClientBase, tables: readonly Named[]): Promise<void> {
  if (tables.length > 0) await client.query(`truncate ${tables.map(quoted).join(', ')}`)
}

export async function switchTriggers(client: ClientBase, table: Named, state: 'enable' | 'disable'): Promise<void> {
  await client.query(`alter table ${quoted(table)} ${state} trigger user`)
}

/** Until PostgreSQL has statistics of the new tables, it would choose slow plans for queries of them. */
export async function gatherStatistics(client: ClientBase, tables: readonly Named[]): Promise<void> {
  if (tables.length > 0) await client.query(`analyze ${tables.map(quoted).join(', ')}`)
}

/** Checksums of the migrations that have run, by schema and name. */
export async function migrationsOf(
  client: ClientBase,
  schemas: readonly string[],
): Promise<Record<string, Record<string, string>>> {
  const migrations: Record<string, Record<string, string>> = {}
  for (const schema of schemas) migrations[schema] = Object.fromEntries(await appliedMigrations(client, schema))
  return migrations
}

export async function countLedgerFaults(client: ClientBase): Promise<number> {
  return (await client.query(ledgerFaults)).rows.length
}

/** How many files each uploaded picture has: its sizes as WebP, and the largest as JPEG. */
export async function uploadsOf(client: ClientBase): Promise<{ id: string; files: number }[]> {
  const { rows } = await client.query<{ id: string; files: number }>(
    'select id, jsonb_array_length(sizes) + 1 as files from catalog.media',
  )
  return rows
}

/** Those of these roles that are connected to this database. */
export async function connectedRoles(client: ClientBase, roles: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ role: string }>(
    `select distinct usename::text as role from pg_stat_activity
     where datname = current_database() and usename = any($1) order by 1`,
    [roles],
  )
  return rows.map(({ role }) => role)
}

/** A restore whose rows are committed, and whose last step is not done. */
interface UnfinishedRestore {
  /** Of the backup. */
  folder: string
  /** The last number of an invoice, which the restored tables may not have; 0 in notes of earlier versions. */
  lastInvoice: number
}

/** A schema may have a comment of another origin. */
const UNFINISHED = /^unfinished restore of (.+?)(?: \(after invoice (\d+)\))?$/s

/** Notes that the shop is being restored, in the comment of a schema; null when all steps are done. */
export async function noteRestore(client: ClientBase, restore: UnfinishedRestore | null): Promise<void> {
  const note =
    restore === null
      ? 'null'
      : escapeLiteral(`unfinished restore of ${restore.folder} (after invoice ${restore.lastInvoice})`)
  await client.query(`comment on schema orders is ${note}`)
}

/** The restore that ended early in this database. */
export async function unfinishedRestore(client: ClientBase): Promise<UnfinishedRestore | null> {
  const { rows } = await client.query<{ note: string | null }>(
    `select obj_description(to_regnamespace('orders'), 'pg_namespace') as note`,
  )
  const [, folder, lastInvoice = '0'] = UNFINISHED.exec(rows[0]?.note ?? '') ?? []
  return folder === undefined ? null : { folder, lastInvoice: Number(lastInvoice) }
}

/** The name under which a schema of the replaced shop is kept until the restore is complete. */
export const replacedSchema = (schema: string) => escapeIdentifier(`${schema}_replaced`)

export async function renameReplacedSchemas(client: ClientBase, schemas: readonly string[]): Promise<void> {
  for (const schema of schemas) {
    await client.query(`drop schema if exists ${replacedSchema(schema)} cascade`)
    await client.query(`alter schema ${escapeIdentifier(schema)} rename to ${replacedSchema(schema)}`)
  }
}

/** Each schema in a transaction of its own, because a drop locks every table and index until it is committed. */
export async function dropReplacedSchemas(client: ClientBase, schemas: readonly string[]): Promise<void> {
  for (const schema of schemas) await client.query(`drop schema ${replacedSchema(schema)} cascade`)
}

/** The name of a table or a sequence in a statement. */
export function quoted({ schema, name }: Named): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`
}
