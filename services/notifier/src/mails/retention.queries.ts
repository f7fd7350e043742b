import { sql } from 'kysely'
import { anyUnlocked } from '@storefront/postgres'
import type { Database } from '../database.ts'

/**
 * Deletes the personal data of mails, including the server's response, because it may repeat the address. That they
 * were sent stays recorded. Mails to deleted customers lose it as soon as they are settled.
 * @returns of how many, at most `limit`
 */
export async function deleteMailContents(db: Database, settledBefore: Date, limit: number): Promise<number> {
  // In the order of the index of mails that have contents: a batch that read the table would scan a year of others
  // first.
  const settled = sql`
    select id from mails
    where settled_at is not null and recipient <> ''
      and (settled_at < ${settledBefore} or kind = 'accountDeleted'
        or customer_id in (select customer_id from deleted_customers))
    order by recipient`
  const { numAffectedRows = 0n } = await sql`
    update mails set data = '{}', recipient = '', answer = null where id = ${anyUnlocked(settled, limit)}`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Deletes the oldest mails, whose contents are already deleted: two or three rows of each order would be kept forever.
 * @returns how many were deleted, at most `limit`
 */
export async function deleteOldMails(db: Database, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from mails where id = any(array(
      select id from (select id, created_at from mails where settled_at is not null order by seq limit ${limit}) oldest
      where created_at < ${before}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
