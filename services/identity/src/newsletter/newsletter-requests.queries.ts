import { sql } from 'kysely'
import { readEmailAddress, type EmailAddress } from '@storefront/contracts'
import type { Connection, Tx } from '../database.ts'

/** @returns whether there was room for it among at most `max` waiting requests */
export async function insertNewsletterRequest(
  connection: Connection,
  { email, senders, now, max }: { email: EmailAddress; senders: readonly string[]; now: Date; max: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into newsletter_requests (email, email_canonical, senders, requested_at)
    select ${email.typed}, ${email.canonical}, ${[...senders]}::text[], ${now}::timestamptz
    where (select count(*) from (select from newsletter_requests limit ${max}) as waiting) < ${max}`.execute(connection)
  return numAffectedRows === 1n
}

/** Other waiting requests for an address, except one that is being processed. */
export async function deleteNewsletterRequests(tx: Tx, canonical: string): Promise<void> {
  await sql`
    delete from newsletter_requests where id = any(array(
      select id from newsletter_requests where email_canonical = ${canonical} for update skip locked))`.execute(tx)
}

/** Claims the oldest request that no other replica is processing. */
export async function takeNewsletterRequest(
  tx: Tx,
): Promise<{ email: EmailAddress | undefined; senders: string[]; requestedAt: Date } | undefined> {
  // Selected once, as an array: a subquery behind `in` may be executed again for every row, and then each of them is
  // claimed.
  const { rows } = await sql<{ email: string; senders: string[]; requestedAt: Date }>`
    delete from newsletter_requests where id = any(array(
      select id from newsletter_requests order by id limit 1 for update skip locked))
    returning email, senders, requested_at as "requestedAt"`.execute(tx)
  const [row] = rows
  return row && { ...row, email: readEmailAddress(row.email) }
}
