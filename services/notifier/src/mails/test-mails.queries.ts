import { sql } from 'kysely'
import type { Row, Tx } from '../database.ts'

export type TestMail = Pick<Row<'mails'>, 'id' | 'event_id' | 'event_at' | 'kind' | 'recipient' | 'reference'>

/**
 * Counts the test mails since a time, over all replicas. No other transaction counts until this one ends.
 * @returns how many there were, and when the first of them was
 */
export async function countTestMails(tx: Tx, since: Date): Promise<{ count: number; firstAt: Date | null }> {
  await sql`select pg_advisory_xact_lock(hashtext('test mails'), hashtext(current_schema()))`.execute(tx)
  const { rows } = await sql<{ count: number; firstAt: Date | null }>`
    select count(*)::integer as count, min(created_at) as "firstAt"
    from mails where test and created_at > ${since}`.execute(tx)
  return rows[0] ?? { count: 0, firstAt: null }
}

/**
 * Adds a test mail to the log. It counts as handed over from the start: when its replica dies, no other sends it
 * later.
 * @param options.leaseMs longer than it takes to send it
 */
export async function insertTestMail(
  tx: Tx,
  mail: TestMail,
  { worker, leaseMs }: { worker: string; leaseMs: number },
): Promise<void> {
  await tx
    .insertInto('mails')
    .values({
      ...mail,
      test: true,
      data: '{}',
      phase: 'handed-over',
      attempts: 1,
      next_attempt_at: mail.event_at,
      leased_by: worker,
      lease_until: sql<Date>`now() + ${leaseMs} * interval '1 ms'`,
      customer_id: null,
      answer: null,
      created_at: mail.event_at,
      settled_at: null,
    })
    .execute()
}
