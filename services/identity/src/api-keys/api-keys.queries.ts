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
  const { rows } = await sql<StoredApiKey>`
    select k.id, k.kind, k.name, k.permissions, k.publishable_key, k.hint, k.created_at, k.created_by, k.maker_id,
      maker.role as maker_role, k.expires_at, k.last_used_at, k.revoked_at
    from api_keys k left join admin_users maker on maker.id = k.maker_id
    order by k.created_at desc, k.id desc`.execute(connection)
  return rows
}

export async function hasApiKey(connection: Connection, id: string): Promise<boolean> {
  return (await connection.selectFrom('api_keys').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** A key that has just been revoked. */
export type RevokedApiKey = Pick<StoredApiKey, 'id' | 'kind'>

/** @returns undefined when it had already ended */
export async function revokeApiKey(tx: Tx, id: string, now: Date): Promise<RevokedApiKey | undefined> {
  return revoking(tx, now).where('id', '=', id).returning(['id', 'kind']).executeTakeFirst()
}

/** Revokes the unexpired secret keys that these keys have created, directly or through other keys. */
export async function revokeKeysMadeBy(tx: Tx, keyIds: readonly string[], now: Date): Promise<RevokedApiKey[]> {
  const { rows } = await sql<RevokedApiKey>`
    update api_keys set revoked_at = ${now}, shared_at = null
    where revoked_at is null and kind = 'secret' and (expires_at is null or expires_at > ${now}) and id = any(array(
      with recursive made as (
        select id from api_keys where ${isOneOf(sql`created_by`, keyIds)}
        union select k.id from api_keys k join made on made.id = k.created_by
      ) select id from made))
    returning id, kind`.execute(tx)
  return rows
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

type ValidApiKey = Pick<StoredApiKey, 'id' | 'permissions' | 'maker_id' | 'maker_role' | 'expires_at' | 'last_used_at'>

/** A secret key that is valid at this moment. */
export async function findValidApiKey(
  connection: Connection,
  digest: string,
  now: Date,
): Promise<ValidApiKey | undefined> {
  const { rows } = await sql<ValidApiKey>`${validWithMaker(now)} and k.digest = ${digest}`.execute(connection)
  return rows[0]
}

/** A secret key that is valid at this moment, by its id. */
export async function findValidApiKeyById(
  connection: Connection,
  id: string,
  now: Date,
): Promise<ValidApiKey | undefined> {
  const { rows } = await sql<ValidApiKey>`${validWithMaker(now)} and k.id = ${id}`.execute(connection)
  return rows[0]
}

/** The creator is checked as well, so that a change made directly in the tables also ends a key. */
const validWithMaker = (now: Date) => sql`
  select k.id, k.permissions, k.maker_id, maker.role as maker_role, k.expires_at, k.last_used_at
  from api_keys k left join admin_users maker on maker.id = k.maker_id
  where k.kind = 'secret' and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
    and (k.maker_id is null or (maker.id is not null and maker.disabled_at is null))`

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
