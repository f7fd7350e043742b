import { sql } from 'kysely'
import type { Connection, Database, Tx } from '../database.ts'
import type { Revoked } from '../sessions/revoked.ts'
import { REVOCATION_REMEMBERED_MS, type StoredApiKey } from './api-key.ts'

/** One is made at a time, so that the limit holds; it ends with the transaction. */
export async function lockApiKeys(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('api keys'), hashtext(current_schema()))`.execute(tx)
}

/** Of either kind, those that can be used at this moment. */
export async function countGoodApiKeys(tx: Tx, now: Date): Promise<number> {
  const { count } = await usable(tx, now)
    .select((from) => from.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertApiKey(
  tx: Tx,
  key: Omit<StoredApiKey, 'last_used_at' | 'revoked_at'> & { digest: string | null },
): Promise<void> {
  await tx.insertInto('api_keys').values(key).execute()
}

export async function listApiKeys(connection: Connection): Promise<StoredApiKey[]> {
  return connection
    .selectFrom('api_keys')
    .select([
      'id',
      'kind',
      'name',
      'permissions',
      'publishable_key',
      'hint',
      'created_at',
      'created_by',
      'expires_at',
      'last_used_at',
      'revoked_at',
    ])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function hasApiKey(connection: Connection, id: string): Promise<boolean> {
  return (await connection.selectFrom('api_keys').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** @returns what the gateways have to know, which is nothing of a publishable key; undefined when it was over before */
export async function revokeApiKey(tx: Tx, id: string, now: Date): Promise<Revoked[] | undefined> {
  const revoked = await tx
    .updateTable('api_keys')
    .set({ revoked_at: now, shared_at: null })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(['id', 'kind'])
    .execute()
  if (revoked.length === 0) return undefined
  const expires_at = new Date(now.getTime() + REVOCATION_REMEMBERED_MS)
  return revoked.filter(({ kind }) => kind === 'secret').map((key) => ({ id: key.id, expires_at }))
}

/** A secret key that may be used at this moment. */
export async function findGoodApiKey(connection: Connection, digest: string, now: Date) {
  return good(connection, now)
    .select(['id', 'permissions', 'expires_at', 'last_used_at'])
    .where('digest', '=', digest)
    .executeTakeFirst()
}

export async function isApiKeyGood(connection: Connection, id: string, now: Date): Promise<boolean> {
  return (await good(connection, now).select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

function good(connection: Connection, now: Date) {
  return usable(connection, now).where('kind', '=', 'secret')
}

function usable(connection: Connection, now: Date) {
  return connection
    .selectFrom('api_keys')
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
}

/** Several gateways may ask in the same minute; one of them is noted. */
export async function noteUse(db: Database, id: string, now: Date, notedBefore: Date): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', notedBefore)]))
    .execute()
}

/** The names stay, because the audits of all services hold ids of keys. */
export async function deleteOldApiKeys(db: Database, endedBefore: Date, now: Date): Promise<void> {
  await sql`
    with gone as (
      delete from api_keys where revoked_at < ${endedBefore} or expires_at < ${endedBefore} returning id, kind, name
    )
    insert into former_actors (id, kind, name, gone_at)
    select id, 'key', name, ${now}::timestamptz from gone where kind = 'secret' on conflict (id) do nothing`.execute(db)
}
