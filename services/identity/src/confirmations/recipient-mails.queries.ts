import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { deleteRows } from '@storefront/postgres'
import type { Database, Tx } from '../database.ts'
import { LIMITS_LOOK_BACK_MS, type MailLimit, type Purpose } from './confirmation.ts'

function digestOf(mailbox: string): string {
  return createHash('sha256').update(mailbox).digest('hex')
}

/**
 * Counts one more mail to a mailbox, unless the limit is reached, which concurrent calls cannot exceed. The row stays
 * locked until the transaction ends.
 * @param mail.mailbox as `mailboxOf` derives it from an address, so that another spelling shares the count
 * @param mail.limits at least one
 * @returns whether it was counted, and may be sent
 */
export async function countMail(
  tx: Tx,
  { purpose, mailbox, limits }: { purpose: Purpose; mailbox: string; limits: readonly MailLimit[] },
  now: Date,
): Promise<boolean> {
  const since = (ms: number) => sql`${new Date(now.getTime() - ms)}::timestamptz`
  const hasRoom = limits.map(
    ({ atMost, withinMs }) => sql`count(*) filter (where one > ${since(withinMs)}) < ${atMost}::integer`,
  )
  const { numAffectedRows } = await sql`
    insert into recipient_mails as kept (purpose, recipient, asked_at, last_at)
    values (${purpose}, ${digestOf(mailbox)}, array[${now}::timestamptz], ${now}::timestamptz)
    on conflict (purpose, recipient) do update set last_at = excluded.last_at, asked_at = (
      select array_append(array_agg(one order by one), excluded.last_at)
      from unnest(kept.asked_at) as asked (one) where one > ${since(LIMITS_LOOK_BACK_MS)})
    where (select ${sql.join(hasRoom, sql` and `)} from unnest(kept.asked_at) as asked (one))`.execute(tx)
  return numAffectedRows === 1n
}

/** @returns how many rows were deleted, at most `limit` */
export function deleteOldRecipients(db: Database, lastBefore: Date, limit: number): Promise<number> {
  return deleteRows(db, 'recipient_mails', sql`last_at < ${lastBefore}`, limit)
}
