import { anyUnlocked, isOneOf } from '@storefront/postgres'
import { sql } from 'kysely'
import type { Connection, Database, Tx } from '../database.ts'
import type { StoredApiKey } from './api-key.ts'

/** Serializes the creation of keys, so that the limit holds, until the transaction ends. */
export async function lockApiKeys(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('api keys'), hashtext(current_schema()))`.execute(tx)
}

/** The number of keys of both kinds that can be used at this moment. */
export async function countValidApiKeys(tx: Tx, now: Date): Promise<number> {
  const { count } = await usable(tx, now)
    .select((from) => from.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertApiKey(
  tx: Tx,
  key: Omit<StoredApiKey, 'maker_role' | 'last_used_at' | 'revoked_at'> & { digest: string | null },
): Promise<void> {
  await tx.insertInto('api_keys').values(key).execute()
}

export async function listApiKeys(connection: Connection): Promise<StoredApiKey[]> {
  return connection
    .selectFrom('api_keys')
    .leftJoin('admin_users as maker', 'maker.id', 'api_keys.maker_id')
    .select([
      'api_keys.id',
      'kind',
      'api_keys.name',
      'permissions',
      'publishable_key',
      'hint',
      'api_keys.created_at',
      'created_by',
      'maker_id',
      'maker.role as maker_role',
      'expires_at',
      'last_used_at',
      'revoked_at',
    ])
    .orderBy('api_keys.created_at', 'desc')
    .orderBy('api_keys.id', 'desc')
    .execute()
}

export async function hasApiKey(connection: Connection, id: string): Promise<boolean> {
  return (await connection.selectFrom('api_keys').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** A key that has just been revoked. */
export interface RevokedApiKey {
  id: string
  kind: StoredApiKey['kind']
}

/** @returns undefined when it had already ended */
export async function revokeApiKey(tx: Tx, id: string, now: Date): Promise<RevokedApiKey | undefined> {
  return revoking(tx, now).where('id', '=', id).returning(['id', 'kind']).executeTakeFirst()
}

/** Revokes the unexpired secret keys that these keys have created, directly or through other keys. */
export async function revokeKeysMadeBy(tx: Tx, keyIds: readonly string[], now: Date): Promise<RevokedApiKey[]> {
  const made = tx
    .withRecursive('made', (db) =>
      db
        .selectFrom('api_keys')
        .select('id')
        .where(isOneOf(sql`created_by`, keyIds))
        .union(db.selectFrom('api_keys').innerJoin('made', 'made.id', 'api_keys.created_by').select('api_keys.id')),
    )
    .selectFrom('made')
    .select('id')
  return revoking(tx, now)
    .where('kind', '=', 'secret')
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .where('id', '=', sql<string>`any(array(${made}))`)
    .returning(['id', 'kind'])
    .execute()
}

/** The valid secret keys of an admin user, even if the user is disabled or removed. */
export async function listKeysOf(tx: Tx, makerId: string, now: Date) {
  return usable(tx, now)
    .select(['id', 'permissions'])
    .where('kind', '=', 'secret')
    .where('maker_id', '=', makerId)
    .execute()
}

export async function revokeKeys(tx: Tx, ids: readonly string[], now: Date): Promise<RevokedApiKey[]> {
  return revoking(tx, now)
    .where(isOneOf(sql`id`, ids))
    .returning(['id', 'kind'])
    .execute()
}

function revoking(tx: Tx, now: Date) {
  return tx.updateTable('api_keys').set({ revoked_at: now, shared_at: null }).where('revoked_at', 'is', null)
}

/** A secret key that is valid at this moment. */
export async function findValidApiKey(connection: Connection, digest: string, now: Date) {
  return validWithMaker(connection, now).where('digest', '=', digest).executeTakeFirst()
}

/** A secret key that is valid at this moment, by its id. */
export async function findValidApiKeyById(connection: Connection, id: string, now: Date) {
  return validWithMaker(connection, now).where('api_keys.id', '=', id).executeTakeFirst()
}

/** The creator is checked as well, so that a change made directly in the tables also ends a key. */
function validWithMaker(connection: Connection, now: Date) {
  return usable(connection, now)
    .leftJoin('admin_users as maker', 'maker.id', 'api_keys.maker_id')
    .where('kind', '=', 'secret')
    .where((where) =>
      where.or([
        where('maker_id', 'is', null),
        where.and([where('maker.id', 'is not', null), where('maker.disabled_at', 'is', null)]),
      ]),
    )
    .select(['api_keys.id', 'permissions', 'maker_id', 'maker.role as maker_role', 'expires_at', 'last_used_at'])
}

function usable(connection: Connection, now: Date) {
  return connection
    .selectFrom('api_keys')
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
}

/** Several gateways may look the key up in the same minute; only one use is recorded. */
export async function noteUse(db: Database, id: string, now: Date, notedBefore: Date): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', notedBefore)]))
    .execute()
}

/**
 * The names of the deleted keys are kept, because the audits of all services contain their ids.
 * @returns how many keys were deleted, at most `limit`
 */
export async function deleteOldApiKeys(db: Database, endedBefore: Date, now: Date, limit: number): Promise<number> {
  const ended = sql`select ctid from api_keys where revoked_at < ${endedBefore} or expires_at < ${endedBefore}`
  const { rows } = await sql<{ deleted: number }>`
    with gone as (
      delete from api_keys where ctid = ${anyUnlocked(ended, limit)} returning id, kind, name
    ), named as (
      insert into former_actors (id, kind, name, gone_at)
      select id, 'key', name, ${now}::timestamptz from gone where kind = 'secret' on conflict (id) do nothing
    )
    select count(*) as deleted from gone`.execute(db)
  return rows[0]?.deleted ?? 0
}
