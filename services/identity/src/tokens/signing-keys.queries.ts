import { sql } from 'kysely'
import type { Connection, Tx } from '../database.ts'
import { PublicJwk, type ClosedPrivateKey, type NewSigningKey, type StoredPrivateKey } from './signing-key.ts'

/** One copy of the service at a time makes or retires keys; it ends with the transaction. */
export async function lockSigningKeys(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('signing keys'), hashtext(current_schema()))`.execute(tx)
}

/** The key that signs at this moment; undefined only before the first start. */
export async function findSigningKey(connection: Connection, now: Date): Promise<StoredPrivateKey | undefined> {
  return connection
    .selectFrom('signing_keys')
    .select(['kid', 'private_key', 'sealed_with'])
    .where('signs_from', '<=', now)
    .where('private_key', 'is not', null)
    .orderBy('signs_from', 'desc')
    .orderBy('kid')
    .limit(1)
    .executeTakeFirst()
}

export async function insertSigningKey(
  tx: Tx,
  key: NewSigningKey,
  stored: ClosedPrivateKey,
  times: { createdAt: Date; signsFrom: Date },
): Promise<void> {
  await tx
    .insertInto('signing_keys')
    .values({
      kid: key.publicJwk.kid,
      public_jwk: JSON.stringify(key.publicJwk),
      ...stored,
      created_at: times.createdAt,
      signs_from: times.signsFrom,
    })
    .execute()
}

export async function listUnsealedKeys(tx: Tx): Promise<{ kid: string; private_key: string }[]> {
  return tx
    .selectFrom('signing_keys')
    .select(['kid', 'private_key'])
    .where('sealed_with', '=', 'nothing')
    .where('private_key', 'is not', null)
    .$narrowType<{ private_key: string }>()
    .execute()
}

export async function updatePrivateKey(tx: Tx, kid: string, stored: ClosedPrivateKey): Promise<void> {
  await tx.updateTable('signing_keys').set(stored).where('kid', '=', kid).execute()
}

/** Keys that are still in use retire when their successor takes over. */
export async function retireSigningKeys(tx: Tx, retiredAt: Date): Promise<void> {
  await tx.updateTable('signing_keys').set({ retired_at: retiredAt }).where('retired_at', 'is', null).execute()
}

/** Drops the private half of keys that have retired, and the whole of those that nobody verifies with any more. */
export async function forgetRetiredKeys(tx: Tx, now: Date, retiredBefore: Date): Promise<void> {
  await tx.updateTable('signing_keys').set({ private_key: null }).where('retired_at', '<=', now).execute()
  await tx.deleteFrom('signing_keys').where('retired_at', '<', retiredBefore).execute()
}

/** Public halves of all keys whose tokens may still be valid, those that do not sign yet included. */
export async function listPublicKeys(connection: Connection, retiredBefore: Date): Promise<PublicJwk[]> {
  const rows = await connection
    .selectFrom('signing_keys')
    .select('public_jwk')
    .where((where) => where.or([where('retired_at', 'is', null), where('retired_at', '>=', retiredBefore)]))
    .orderBy('signs_from', 'desc')
    .orderBy('kid')
    .execute()
  return rows.map((row) => PublicJwk.parse(row.public_jwk))
}
