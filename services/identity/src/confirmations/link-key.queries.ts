import { sql } from 'kysely'
import type { StoredSecret } from '@storefront/service'
import type { Tx } from '../database.ts'

/** Lets one replica at a time create the key or encrypt it again; it ends with the transaction. */
export async function lockLinkKey(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('mail link key'), hashtext(current_schema()))`.execute(tx)
}

export async function findLinkKey(tx: Tx): Promise<StoredSecret | undefined> {
  return tx.selectFrom('mail_link_key').select(['secret', 'sealed_with']).executeTakeFirst()
}

export async function insertLinkKey(tx: Tx, stored: StoredSecret, createdAt: Date): Promise<void> {
  await tx
    .insertInto('mail_link_key')
    .values({ secret: stored.secret, sealed_with: stored.sealed_with, created_at: createdAt })
    .execute()
}

export async function updateLinkKey(tx: Tx, { secret, sealed_with }: StoredSecret): Promise<void> {
  await tx.updateTable('mail_link_key').set({ secret, sealed_with }).execute()
}
