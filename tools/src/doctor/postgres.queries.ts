import { escapeIdentifier, type ClientBase, type QueryResultRow } from 'pg'

/** The first row of a statement that always returns one. */
export async function first<Row extends QueryResultRow>(client: ClientBase, text: string): Promise<Row> {
  const { rows } = await client.query<Row>(text)
  const [row] = rows
  if (row === undefined) throw new Error('the database returned no row')
  return row
}

export async function serverTimeMs(client: ClientBase): Promise<number> {
  const { ms } = await first<{ ms: number }>(
    client,
    `select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  )
  return ms
}

export async function connections(client: ClientBase): Promise<{ used: number; most: number }> {
  return first(
    client,
    `select (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
       current_setting('max_connections')::int as most`,
  )
}

export async function schemasWithMigrations(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ schema: string }>(
    `select schemaname as schema from pg_tables where tablename = 'migrations'`,
  )
  return rows.map(({ schema }) => schema)
}

/** @returns undefined when there is no such role */
export async function rightsOf(
  client: ClientBase,
  role: string,
  own: string,
  schemas: readonly string[],
): Promise<{ isSuperuser: boolean; foreignSchemas: string[] } | undefined> {
  const { rows } = await client.query<{ isSuperuser: boolean; foreignSchemas: string[] }>(
    `select rolsuper as "isSuperuser", array(
       select nspname::text from pg_namespace
       where nspname = any($3) and nspname <> $2 and has_schema_privilege(r.oid, pg_namespace.oid, 'usage') order by 1
     ) as "foreignSchemas" from pg_roles r where rolname = $1`,
    [role, own, schemas],
  )
  return rows[0]
}

/** `oldestAt` is when the oldest waiting event was published; null when none waits. */
export async function outbox(client: ClientBase, schema: string): Promise<{ count: number; oldestAt: string | null }> {
  const table = `${escapeIdentifier(schema)}.outbox`
  return first(
    client,
    `select count(*)::int as count, (select payload::jsonb->>'at' from ${table} order by id limit 1) as "oldestAt" from ${table}`,
  )
}

export async function encryptedCredentials(client: ClientBase): Promise<number> {
  const { count } = await first<{ count: number }>(
    client,
    `select count(*)::int as count from identity.credentials where sealed is not null`,
  )
  return count
}

export interface FailingEndpoint {
  id: string
  url: string
  /** Why the service disabled the endpoint; null when it did not. */
  disabledReason: string | null
  /** Time of the first failure since the last success. */
  failingSince: Date | null
  failures: number
  /** Whether a webhook has arrived there since `since`. */
  hasWorked: boolean
}

/** Endpoints that fail, or that the service disabled because they failed. */
export async function failingEndpoints(client: ClientBase, since: Date): Promise<FailingEndpoint[]> {
  const { rows } = await client.query<FailingEndpoint>(
    `select e.id, e.url, case when not e.enabled then coalesce(e.disabled_reason, 'it failed') end as "disabledReason",
       e.failing_since as "failingSince", e.failures, exists (
         select from notifier.deliveries d
         where d.endpoint_id = e.id and d.status = 'delivered' and d.settled_at >= $1) as "hasWorked"
     from notifier.endpoints e
     where e.deleted_at is null
       and (e.enabled and e.failing_since is not null or not e.enabled and e.disabled_by = 'service')
     order by e.created_at, e.id`,
    [since],
  )
  return rows
}

/** The report of the last reconciliation, in the form in which orders stores it. */
export async function reconciliationReport(client: ClientBase): Promise<unknown> {
  const { rows } = await client.query<{ report: unknown }>('select report from orders.reconciliation')
  return rows[0]?.report
}
