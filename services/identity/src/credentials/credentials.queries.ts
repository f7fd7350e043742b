import { sql } from 'kysely'
import type { CredentialKey } from '@storefront/contracts'
import type { Connection, Database, Tx } from '../database.ts'
import type { StoredCredential } from './credential.ts'

/** One writer at a time: encrypting everything again must not undo a concurrent change. */
export async function lockCredentials(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('credentials'), hashtext(current_schema()))`.execute(tx)
}

export async function listCredentials(connection: Connection): Promise<StoredCredential[]> {
  return connection.selectFrom('credentials').selectAll().orderBy('key').execute()
}

/** The credentials with these keys that have a value. */
export async function listEncrypted(
  connection: Connection,
  keys: readonly CredentialKey[],
): Promise<(StoredCredential & { sealed: string })[]> {
  return connection
    .selectFrom('credentials')
    .selectAll()
    .where('key', 'in', keys)
    .where('sealed', 'is not', null)
    .orderBy('key')
    .$narrowType<{ sealed: string }>()
    .execute()
}

/** The previous values of the credentials with these keys that were replaced or removed since then. */
export async function listReplaced(connection: Connection, keys: readonly CredentialKey[], since: Date) {
  return connection
    .selectFrom('credentials')
    .select(['key', 'previous_sealed as sealed', 'replaced_at'])
    .where('key', 'in', keys)
    .where('previous_sealed', 'is not', null)
    .where('replaced_at', '>', since)
    .orderBy('key')
    .$narrowType<{ sealed: string; replaced_at: Date }>()
    .execute()
}

/**
 * @param value.sealed null when the value cannot be stored: only the fact that one was sent remains
 * @param value.previous the previous one, if it stays in use for a while
 */
export async function saveCredential(
  tx: Tx,
  key: CredentialKey,
  { sealed: encrypted, previous }: { sealed: string | null; previous: string | null },
  now: Date,
): Promise<void> {
  const values = { sealed: encrypted, is_set: true, updated_at: now, ...replacing(previous, now) }
  await tx
    .insertInto('credentials')
    .values({ key, ...values })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
    .execute()
}

export async function clearCredential(tx: Tx, key: CredentialKey, previous: string | null, now: Date): Promise<void> {
  await tx
    .updateTable('credentials')
    .set({ sealed: null, is_set: false, updated_at: now, ...replacing(previous, now) })
    .where('key', '=', key)
    .where('is_set', '=', true)
    .execute()
}

function replacing(previous: string | null, now: Date) {
  return { previous_sealed: previous, replaced_at: previous === null ? null : now }
}

/** Stores the same values, encrypted under another key: nothing changes for their readers. */
export async function replaceEncrypted(
  tx: Tx,
  key: string,
  values: { sealed?: string; previous_sealed?: string },
): Promise<void> {
  await tx.updateTable('credentials').set(values).where('key', '=', key).execute()
}

/** Deletes all at once, because there are few credentials. @returns how many were deleted */
export async function deleteReplaced(db: Database, replacedBefore: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('credentials')
    .set({ previous_sealed: null, replaced_at: null })
    .where('replaced_at', '<=', replacedBefore)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
