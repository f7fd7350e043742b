import { sql } from 'kysely'
import { deleteRows } from '@storefront/postgres'
import type { EmailAddress } from '@storefront/contracts'
import { emailColumns } from '../accounts/account.ts'
import type { Connection, Database, Tx } from '../database.ts'
import { PURPOSES, type Confirmation, type Purpose } from './confirmation.ts'

/** The confirmation is valid for as long as its purpose allows. */
export async function insertConfirmation(
  tx: Tx,
  { email, ...confirmation }: Pick<Confirmation, 'id' | 'purpose' | 'customer_id'> & { email: EmailAddress },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('confirmations')
    .values({
      ...confirmation,
      ...emailColumns(email),
      created_at: now,
      expires_at: new Date(now.getTime() + PURPOSES[confirmation.purpose].lastsMs),
    })
    .execute()
}

export async function findConfirmation(connection: Connection, id: string): Promise<Confirmation | undefined> {
  return connection
    .selectFrom('confirmations')
    .select(['id', 'purpose', 'customer_id', 'email', 'email_canonical', 'expires_at', 'used_at'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** @returns whether this call was the first: of two requests at the same moment, only one uses the confirmation */
export async function markUsed(tx: Tx, id: string, now: Date): Promise<boolean> {
  const result = await tx
    .updateTable('confirmations')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Voids links that were sent and not used yet. Requires the lock on the account. */
export async function voidConfirmations(
  tx: Tx,
  customerId: string,
  purposes: readonly Purpose[],
  now: Date,
): Promise<void> {
  await tx
    .updateTable('confirmations')
    .set({ used_at: now })
    .where('customer_id', '=', customerId)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .execute()
}

/** When an account requested mails of one purpose. */
export async function listRequestTimes(tx: Tx, customerId: string, purpose: Purpose, since: Date): Promise<Date[]> {
  const rows = await tx
    .selectFrom('confirmations')
    .select('created_at')
    .where('customer_id', '=', customerId)
    .where('purpose', '=', purpose)
    .where('created_at', '>', since)
    .execute()
  return rows.map((row) => row.created_at)
}

/** @returns how many were deleted, at most `limit` */
export function deleteExpiredConfirmations(db: Database, expiredBefore: Date, limit: number): Promise<number> {
  // Skips locked rows: a transaction that deletes an account locks its rows in another order.
  return deleteRows(db, 'confirmations', sql`expires_at < ${expiredBefore}`, limit)
}
