import { sql } from 'kysely'
import type { StoredSecret } from '@storefront/service'
import type { Connection, Tx } from '../database.ts'
import { PublicJwk, type NewSigningKey, type StoredPrivateKey } from './signing-key.ts'

/** Lets one replica at a time create or retire keys; it ends with the transaction. */
export async function lockSigningKeys(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('signing keys'), hashtext(current_schema()))`.execute(tx)
}

/** The key that signs at this moment; undefined only before the first start. */
export async function findSigningKey(connection: Connection, now: Date): Promise<StoredPrivateKey | undefined> {
  const current = await storedKeys(connection)
    .where('signs_from', '<=', now)
    .orderBy('signs_from', 'desc')
    .orderBy('kid')
    .limit(1)
    .executeTakeFirst()
  // After a leak the new key signs at once, by the clock of the replica that created it; this clock may be behind.
  return current ?? storedKeys(connection).orderBy('signs_from').orderBy('kid').limit(1).executeTakeFirst()
}

/** A key that is published and does not sign yet. */
export async function findWaitingKey(tx: Tx, now: Date): Promise<{ kid: string; signsFrom: Date } | undefined> {
  return tx
    .selectFrom('signing_keys')
    .select(['kid', 'signs_from as signsFrom'])
    .where('signs_from', '>', now)
    .where('retired_at', 'is', null)
    .executeTakeFirst()
}

export async function hasSigningKeySince(connection: Connection, since: Date): Promise<boolean> {
  const young = connection.selectFrom('signing_keys').select('kid').where('created_at', '>', since).limit(1)
  return (await young.executeTakeFirst()) !== undefined
}

export async function listSigningKeys(connection: Connection) {
  return connection
    .selectFrom('signing_keys')
    .select(['kid', 'created_at', 'signs_from', 'retired_at'])
    .orderBy('signs_from', 'desc')
    .orderBy('kid')
    .execute()
}

/** All keys that may sign, now or later. */
export async function listPrivateKeys(tx: Tx): Promise<StoredPrivateKey[]> {
  return storedKeys(tx).execute()
}

function storedKeys(connection: Connection) {
  return connection
    .selectFrom('signing_keys')
    .select(['kid', 'private_key as secret', 'sealed_with'])
    .where('private_key', 'is not', null)
    .$narrowType<{ secret: string }>()
}

export async function insertSigningKey(
  tx: Tx,
  key: NewSigningKey,
  stored: StoredSecret,
  times: { createdAt: Date; signsFrom: Date },
): Promise<void> {
  await tx
    .insertInto('signing_keys')
    .values({
      kid: key.publicJwk.kid,
      public_jwk: JSON.stringify(key.publicJwk),
      private_key: stored.secret,
      sealed_with: stored.sealed_with,
      created_at: times.createdAt,
      signs_from: times.signsFrom,
    })
    .execute()
}

export async function updatePrivateKey(tx: Tx, kid: string, { secret, sealed_with }: StoredSecret): Promise<void> {
  await tx.updateTable('signing_keys').set({ private_key: secret, sealed_with }).where('kid', '=', kid).execute()
}

/** Retires the keys that are still in use: their successor signs from then on. */
export async function retireSigningKeys(tx: Tx, retiredAt: Date): Promise<void> {
  await tx.updateTable('signing_keys').set({ retired_at: retiredAt }).where('retired_at', 'is', null).execute()
}

/** Deletes the private half of retired keys, and the whole row of those that no verifier needs any more. */
export async function deleteRetiredKeys(tx: Tx, now: Date, retiredBefore: Date): Promise<void> {
  await tx
    .updateTable('signing_keys')
    .set({ private_key: null })
    .where('retired_at', '<=', now)
    .where('private_key', 'is not', null)
    .execute()
  await tx.deleteFrom('signing_keys').where('retired_at', '<', retiredBefore).execute()
}

export async function deleteSigningKeys(tx: Tx): Promise<void> {
  await tx.deleteFrom('signing_keys').execute()
}

/** Public halves of all keys whose tokens may still be valid, including those that do not sign yet. */
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
