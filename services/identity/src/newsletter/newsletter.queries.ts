import { sql } from 'kysely'
import { deleteRows } from '@storefront/postgres'
import type { EmailAddress } from '@storefront/contracts'
import type { Connection, Database, Row, Tx } from '../database.ts'

export type Subscriber = Pick<
  Row<'newsletter_subscribers'>,
  'id' | 'email' | 'email_canonical' | 'subscribed_at' | 'confirmed_at'
>

/**
 * Adds a subscriber once, however often it is called. Only one of several concurrent calls sends the mail.
 * @param mail.sentBefore a subscriber whose last mail is later than this gets no other mail
 * @returns the subscriber when a mail that requests a confirmation is due
 */
export async function insertSubscriber(
  tx: Tx,
  { id, email, subscribedAt }: { id: string; email: EmailAddress; subscribedAt: Date },
  { now, sentBefore }: { now: Date; sentBefore: Date },
): Promise<EmailAddress | undefined> {
  const { rows } = await sql<{ typed: string }>`
    insert into newsletter_subscribers as known (id, email, email_canonical, subscribed_at, confirmation_sent_at)
    values (${id}, ${email.typed}, ${email.canonical}, ${subscribedAt}, ${now})
    on conflict (email_canonical) do update set confirmation_sent_at = excluded.confirmation_sent_at
    where known.confirmed_at is null
      and (known.confirmation_sent_at is null or known.confirmation_sent_at <= ${sentBefore})
    returning email as typed`.execute(tx)
  return rows[0] && { typed: rows[0].typed, canonical: email.canonical }
}

/** The first confirmation counts. @returns whether the subscriber exists */
export async function confirmSubscriber(tx: Tx, canonical: string, now: Date): Promise<boolean> {
  const result = await tx
    .updateTable('newsletter_subscribers')
    .set({ confirmed_at: sql`coalesce(confirmed_at, ${now})` })
    .where('email_canonical', '=', canonical)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function deleteSubscriber(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('newsletter_subscribers').where('id', '=', id).execute()
}

/** @returns how many were deleted, at most `limit` */
export function deleteUnconfirmedSubscribers(db: Database, requestedBefore: Date, limit: number): Promise<number> {
  // Skips locked rows: subscribers who are confirming, or who are being sent another mail.
  const due = sql`confirmed_at is null and coalesce(confirmation_sent_at, subscribed_at) < ${requestedBefore}`
  return deleteRows(db, 'newsletter_subscribers', due, limit)
}

/** Newest first. */
export async function listSubscribers(
  connection: Connection,
  page: { limit: number; offset: number },
): Promise<{ subscribers: Subscriber[]; total: number }> {
  const subscribers = await connection
    .selectFrom('newsletter_subscribers')
    .select(['id', 'email', 'email_canonical', 'subscribed_at', 'confirmed_at'])
    .orderBy('subscribed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const { total } = await connection
    .selectFrom('newsletter_subscribers')
    .select((all) => all.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { subscribers, total }
}
