import { escapeIdentifier, type ClientBase } from 'pg'
import { ledgerFaults } from '../ledger.queries.ts'

/** Opens a transaction that sees one moment, and lets others see the same. @returns the name of its snapshot */
export async function openSnapshot(client: ClientBase): Promise<string> {
  await client.query('begin isolation level repeatable read read only')
  const { rows } = await client.query<{ name: string }>('select pg_export_snapshot() as name')
  return rows[0]?.name ?? ''
}

export async function serverVersion(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  )
  return rows[0]?.version ?? 0
}

/** Which of these schemas are there. */
export async function schemasOf(client: ClientBase, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select nspname as name from pg_namespace where nspname = any($1) order by 1',
    [names],
  )
  return rows.map(({ name }) => name)
}

/** Extensions that somebody made here: those of a shop's own database are the shop's. */
export async function extensionsOf(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select extname as name from pg_extension where extname <> 'plpgsql' order by 1`,
  )
  return rows.map(({ name }) => name)
}

export async function createExtensions(client: ClientBase, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await client.query(`create extension if not exists ${escapeIdentifier(name)} with schema public`)
  }
}

export async function countRows(client: ClientBase, schemas: readonly string[]): Promise<Record<string, number>> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    'select schemaname as schema, tablename as name from pg_tables where schemaname = any($1) order by 1, 2',
    [schemas],
  )
  const counts: Record<string, number> = {}
  for (const { schema, name } of rows) {
    const counted = await client.query<{ count: number }>(
      `select count(*)::float8 as count from ${escapeIdentifier(schema)}.${escapeIdentifier(name)}`,
    )
    counts[`${schema}.${name}`] = counted.rows[0]?.count ?? 0
  }
  return counts
}

export async function migrationNames(
  client: ClientBase,
  schemas: readonly string[],
): Promise<Record<string, string[]>> {
  const names: Record<string, string[]> = {}
  for (const schema of schemas) {
    const { rows } = await client.query<{ name: string }>(
      `select name from ${escapeIdentifier(schema)}.migrations order by name`,
    )
    names[schema] = rows.map(({ name }) => name)
  }
  return names
}

export async function countLedgerFaults(client: ClientBase): Promise<number> {
  return (await client.query(ledgerFaults)).rows.length
}

/** Which of these roles hold a connection to this database. */
export async function connectedRoles(client: ClientBase, roles: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ role: string }>(
    `select distinct usename::text as role from pg_stat_activity
     where datname = current_database() and usename = any($1) order by 1`,
    [roles],
  )
  return rows.map(({ role }) => role)
}

const aside = (schema: string) => escapeIdentifier(`${schema}_replaced`)

export async function moveAside(client: ClientBase, schemas: readonly string[]): Promise<void> {
  await atOnce(client, schemas, (schema) => [
    `drop schema if exists ${aside(schema)} cascade`,
    `alter schema ${escapeIdentifier(schema)} rename to ${aside(schema)}`,
  ])
}

export async function moveBack(client: ClientBase, schemas: readonly string[]): Promise<void> {
  await atOnce(client, schemas, (schema) => [
    `drop schema if exists ${escapeIdentifier(schema)} cascade`,
    `alter schema ${aside(schema)} rename to ${escapeIdentifier(schema)}`,
  ])
}

export async function dropAside(client: ClientBase, schemas: readonly string[]): Promise<void> {
  await atOnce(client, schemas, (schema) => [`drop schema ${aside(schema)} cascade`])
}

/** For all schemas or for none: half a shop aside would be found by nobody. */
async function atOnce(
  client: ClientBase,
  schemas: readonly string[],
  statementsFor: (schema: string) => string[],
): Promise<void> {
  await client.query('begin')
  try {
    for (const statement of schemas.flatMap(statementsFor)) await client.query(statement)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/**
 * Lets the numbers of orders go on behind all that may have been given out since the backup: two buyers must not hold the same.
 * How many these were nobody knows when the database is gone, so it is twice the busiest hour for every hour that passed, and a
 * thousand for a shop that is young. As this grows with time, a second restore of the same backup goes past the first.
 * @param replacesShop what was moved aside knows how far its own numbers went
 * @returns the next one, without the shop's prefix
 */
export async function skipOrderNumbers(
  client: ClientBase,
  { takenAt, replacesShop }: { takenAt: string; replacesShop: boolean },
): Promise<number> {
  const { rows } = await client.query<{ next: number }>(
    `select setval('orders.order_numbers', greatest(
       backup.last_value + 1000 + ceil(2 * busiest.orders * extract(epoch from greatest(now() - $1::timestamptz, '0')) / 3600)::bigint
       ${replacesShop ? `, (select last_value from ${aside('orders')}.order_numbers)` : ''}
     ))::float8 + 1 as next
     from orders.order_numbers as backup, (
       select coalesce(max(orders), 0) as orders
       from (select count(*) as orders from orders.orders group by date_trunc('hour', placed_at)) as hours
     ) as busiest`,
    [takenAt],
  )
  return rows[0]?.next ?? 0
}
