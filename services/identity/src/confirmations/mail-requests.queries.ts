import { sql } from 'kysely'
import { readEmailAddress, type EmailAddress } from '@storefront/contracts'
import type { Connection, Tx } from '../database.ts'

/** Queues of requests for mails, processed after the response so that its time reveals nothing about the address. */
type MailRequests = 'newsletter_requests' | 'password_reset_requests'

/** Far more than the requests that a shop gets in the seconds until they are processed. */
const MAX_WAITING = 10_000

/** @returns whether there was room for it among the waiting requests */
export async function insertMailRequest(
  connection: Connection,
  table: MailRequests,
  { email, senders, now }: { email: EmailAddress; senders: readonly string[]; now: Date },
): Promise<boolean> {
  const requests = sql.table(table)
  const { numAffectedRows } = await sql`
    insert into ${requests} (email, email_canonical, senders, requested_at)
    select ${email.typed}, ${email.canonical}, ${[...senders]}::text[], ${now}::timestamptz
    where (select count(*) from (select from ${requests} limit ${MAX_WAITING}) as waiting)
      < ${MAX_WAITING}`.execute(connection)
  return numAffectedRows === 1n
}

/** Deletes waiting requests for an address, except one that is being processed, which waits for the account's lock. */
export async function deleteMailRequests(tx: Tx, table: MailRequests, canonical: string): Promise<void> {
  const requests = sql.table(table)
  await sql`
    delete from ${requests} where id = any(array(
      select id from ${requests} where email_canonical = ${canonical} for update skip locked))`.execute(tx)
}

/** Claims the oldest request that no other replica is processing. */
export async function takeMailRequest(
  tx: Tx,
  table: MailRequests,
): Promise<{ email: EmailAddress | undefined; senders: string[]; requestedAt: Date } | undefined> {
  const requests = sql.table(table)
  // An array, so that one row is selected once: a subquery after `in` may be executed for every row and claim them all.
  const { rows } = await sql<{ email: string; senders: string[]; requestedAt: Date }>`
    delete from ${requests} where id = any(array(
      select id from ${requests} order by id limit 1 for update skip locked))
    returning email, senders, requested_at as "requestedAt"`.execute(tx)
  const [row] = rows
  return row && { ...row, email: readEmailAddress(row.email) }
}
