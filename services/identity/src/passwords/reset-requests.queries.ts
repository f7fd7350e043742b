import { sql } from 'kysely'
import { readEmailAddress, type EmailAddress } from '@storefront/contracts'
import type { Connection, Tx } from '../database.ts'

/** @returns whether there was room for it among at most `max` waiting requests */
export async function insertResetRequest(
  connection: Connection,
  { email, senders, now, max }: { email: EmailAddress; senders: readonly string[]; now: Date; max: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into password_reset_requests (email, email_canonical, senders, requested_at)
    select ${email.typed}, ${email.canonical}, ${[...senders]}::text[], ${now}::timestamptz
    where (select count(*) from (select from password_reset_requests limit ${max}) as waiting) < ${max}`.execute(
    connection,
  )
  return numAffectedRows === 1n
}

/** Other waiting requests for an address, except the one that is being processed: that waits for the account's lock. */
export async function deleteResetRequests(tx: Tx, canonical: string): Promise<void> {
  await sql`
    delete from password_reset_requests where id = any(array(
      select id from password_reset_requests where email_canonical = ${canonical} for update skip locked))`.execute(tx)
}

/** Claims the oldest request that no other replica is processing. */
export async function takeResetRequest(
  tx: Tx,
): Promise<{ canonical: string | undefined; senders: string[] } | undefined> {
  // Selected once, as an array: a subquery behind `in` may be executed again for every row, and then each of them is
  // claimed.
  const { rows } = await sql<{ email: string; senders: string[] }>`
    delete from password_reset_requests where id = any(array(
      select id from password_reset_requests order by id limit 1 for update skip locked))
    returning email, senders`.execute(tx)
  const [row] = rows
  return row && { canonical: readEmailAddress(row.email)?.canonical, senders: row.senders }
}
