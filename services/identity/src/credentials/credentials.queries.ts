import { sql } from 'kysely'
import type { CredentialKey } from '@storefront/contracts'
import type { Connection, Tx } from '../database.ts'
import type { StoredCredential } from './credential.ts'

/** One writer at a time: sealing everything anew must not undo what is handed over meanwhile. */
export async function lockCredentials(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('credentials'), hashtext(current_schema()))`.execute(tx)
}

export async function listCredentials(connection: Connection): Promise<StoredCredential[]> {
  return connection.selectFrom('credentials').selectAll().orderBy('key').execute()
}

/** Those of these keys that have a value. */
export async function listSealed(
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

/** @param sealed null when the value cannot be kept: what remains is that there was one */
export async function saveCredential(tx: Tx, key: CredentialKey, sealed: string | null, now: Date): Promise<void> {
  const values = { sealed, is_set: true, updated_at: now }
  await tx
    .insertInto('credentials')
    .values({ key, ...values })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
    .execute()
}

export async function clearCredential(tx: Tx, key: CredentialKey, now: Date): Promise<void> {
  await tx
    .updateTable('credentials')
    .set({ sealed: null, is_set: false, updated_at: now })
    .where('key', '=', key)
    .where('is_set', '=', true)
    .execute()
}

/** The same value under another key: for its reader nothing has changed. */
export async function replaceSealed(tx: Tx, key: string, sealed: string): Promise<void> {
  await tx.updateTable('credentials').set({ sealed }).where('key', '=', key).execute()
}
