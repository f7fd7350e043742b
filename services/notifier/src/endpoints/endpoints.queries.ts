import { sql, type Updateable } from 'kysely'
import type { Database, NotifierTables, Row, Tx } from '../database.ts'

export type StoredEndpoint = Row<'endpoints'>

/** The `disabled_by` of endpoints that the service disabled. */
const SERVICE = 'service'

/** The state of an endpoint without failures. */
const WITHOUT_FAILURES = { failures: 0, paused_until: null, failing_since: null } as const
export const ENABLED = {
  enabled: true,
  disabled_reason: null,
  disabled_by: null,
  disabled_at: null,
  ...WITHOUT_FAILURES,
}

/**
 * Creates the endpoint that the configuration names, or updates its address. An operator who starts the service with
 * this address wants it used, so it is enabled again, unless an admin disabled it.
 */
export async function upsertConfiguredEndpoint(
  db: Database | Tx,
  endpoint: { id: string; url: string },
  now: Date,
): Promise<void> {
  await sql`
    insert into endpoints as e (id, url, created_at, updated_at)
    values (${endpoint.id}, ${endpoint.url}, ${now}, ${now})
    on conflict (id) do update set
      url = excluded.url,
      failing_since = null,
      failures = case when e.url = excluded.url and e.enabled then e.failures else 0 end,
      paused_until = case when e.url = excluded.url and e.enabled then e.paused_until end,
      enabled = e.enabled or coalesce(e.disabled_by, ${SERVICE}) = ${SERVICE},
      disabled_reason = case when e.disabled_by <> ${SERVICE} then e.disabled_reason end,
      disabled_by = case when e.disabled_by <> ${SERVICE} then e.disabled_by end,
      disabled_at = case when e.disabled_by <> ${SERVICE} then e.disabled_at end,
      updated_at = case when e.url = excluded.url and e.disabled_by is distinct from ${SERVICE}
        then e.updated_at else excluded.updated_at end`.execute(db)
}

/**
 * The endpoints that get an event. They cannot be deleted before the transaction ends: its deliveries would be
 * orphaned.
 */
export async function enabledEndpoints(tx: Tx): Promise<Pick<StoredEndpoint, 'id' | 'types'>[]> {
  return tx
    .selectFrom('endpoints')
    .select(['id', 'types'])
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forKeyShare()
    .execute()
}

export type SendingEndpoint = Pick<StoredEndpoint, 'id' | 'url' | 'secret' | 'previous_secret' | 'previous_until'>

/** All endpoints that may be sent to now. */
export async function sendingEndpoints(db: Database): Promise<SendingEndpoint[]> {
  return db
    .selectFrom('endpoints')
    .select(['id', 'url', 'secret', 'previous_secret', 'previous_until'])
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Serializes the registration of endpoints, so that the limit holds, until the transaction ends. */
export async function lockEndpoints(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('endpoints'), hashtext(current_schema()))`.execute(tx)
}

export async function countEndpoints(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom('endpoints')
    .select((from) => from.fn.countAll<number>().as('count'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertEndpoint(
  tx: Tx,
  endpoint: Pick<StoredEndpoint, 'id' | 'url' | 'types' | 'description' | 'secret'>,
  now: Date,
): Promise<StoredEndpoint> {
  return tx
    .insertInto('endpoints')
    .values({ ...endpoint, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** In the order of their creation. */
export async function listEndpoints(db: Database | Tx): Promise<StoredEndpoint[]> {
  return db
    .selectFrom('endpoints')
    .selectAll()
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function findEndpoint(db: Database | Tx, id: string): Promise<StoredEndpoint | undefined> {
  return endpoint(db, id).executeTakeFirst()
}

/** For a change: concurrent transactions may still queue deliveries to it. */
export async function lockEndpoint(tx: Tx, id: string): Promise<StoredEndpoint | undefined> {
  return endpoint(tx, id).forNoKeyUpdate().executeTakeFirst()
}

/** For its deletion: waits for transactions that queue deliveries to it, and later ones find it gone. */
export async function lockEndpointWhole(tx: Tx, id: string): Promise<StoredEndpoint | undefined> {
  return endpoint(tx, id).forUpdate().executeTakeFirst()
}

function endpoint(db: Database | Tx, id: string) {
  return db.selectFrom('endpoints').selectAll().where('id', '=', id).where('deleted_at', 'is', null)
}

/** An endpoint that was disabled or has moved starts again: `clearsFailures` clears its earlier ones. */
export async function updateEndpoint(
  tx: Tx,
  id: string,
  change: Updateable<NotifierTables['endpoints']> & { updated_at: Date },
  { clearsFailures = false }: { clearsFailures?: boolean } = {},
): Promise<StoredEndpoint> {
  return tx
    .updateTable('endpoints')
    .set({ ...change, ...(clearsFailures && WITHOUT_FAILURES) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Every endpoint with a secret of its own, locked until the transaction ends. */
export async function lockEndpointSecrets(
  tx: Tx,
): Promise<Pick<StoredEndpoint, 'id' | 'secret' | 'previous_secret'>[]> {
  return tx
    .selectFrom('endpoints')
    .select(['id', 'secret', 'previous_secret'])
    .where('secret', 'is not', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export async function updateEndpointSecrets(
  tx: Tx,
  id: string,
  secrets: Pick<StoredEndpoint, 'secret' | 'previous_secret'>,
): Promise<void> {
  await tx.updateTable('endpoints').set(secrets).where('id', '=', id).execute()
}

/** Deletes secrets that no longer sign: they are only useful to an attacker. */
export async function deletePreviousSecrets(db: Database, now: Date): Promise<void> {
  await db
    .updateTable('endpoints')
    .set({ previous_secret: null, previous_until: null })
    .where('previous_until', '<=', now)
    .execute()
}

/**
 * @param why.failingSince disables only those that have only failed since then
 * @returns the ids that were enabled until now
 */
export async function disableEndpoints(
  tx: Tx,
  ids: string[],
  { reason, failingSince, now }: { reason: string; failingSince?: Date; now: Date },
): Promise<string[]> {
  if (ids.length === 0) return []
  let endpoints = tx
    .updateTable('endpoints')
    .set({ enabled: false, disabled_reason: reason, disabled_by: SERVICE, disabled_at: now, updated_at: now })
    .where('id', 'in', ids)
    .where('enabled', '=', true)
  if (failingSince !== undefined) endpoints = endpoints.where('failing_since', '<=', failingSince)
  const rows = await endpoints.returning('id').execute()
  return rows.map((row) => row.id)
}
