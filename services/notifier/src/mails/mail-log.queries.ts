import { sql } from 'kysely'
import type { Database, MailPhase, Row, Tx } from '../database.ts'
import { COUNTED_BY_LOG } from '../deliveries/log-page.ts'
import type { TestMail } from './test-mails.queries.ts'

export type ListedMail = Omit<TestMail, 'event_id'> &
  Pick<Row<'mails'>, 'phase' | 'attempts' | 'next_attempt_at' | 'answer' | 'bounced' | 'test' | 'settled_at'>

interface MailFilter {
  phase?: MailPhase | undefined
  kind?: string | undefined
  bounced?: boolean | undefined
  /** Only those that `requeueMail` queues again. */
  resendable?: boolean | undefined
  /** An address in canonical form. */
  recipient?: string | undefined
  reference?: string | undefined
}

/** A mail whose text was deleted cannot be sent again, nor can a test, whose text was never stored. */
const CAN_BE_SENT_AGAIN = sql`phase in ('failed', 'withheld') and recipient <> '' and not test`

/** Mails and their results, newest first. */
export async function listMails(
  db: Database | Tx,
  filter: MailFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: ListedMail[]; total: number }> {
  const { phase, kind, bounced, resendable, recipient, reference } = filter
  const conditions = [
    ...(phase === undefined ? [] : [sql`phase = ${phase}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(bounced === undefined ? [] : [sql`bounced = ${bounced}`]),
    ...(resendable === true ? [CAN_BE_SENT_AGAIN] : []),
    ...(recipient === undefined ? [] : [sql`recipient <> '' and recipient = ${recipient}`]),
    ...(reference === undefined ? [] : [sql`reference = ${reference}`]),
  ]
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  const { rows } = await sql<ListedMail>`
    select id, kind, recipient, reference, phase, attempts, next_attempt_at, answer, bounced, test, event_at, settled_at
    from mails ${where} order by seq desc limit ${page.limit} offset ${page.offset} /* replan */`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*)::integer as total from (select 1 from mails ${where} limit ${COUNTED_BY_LOG}) found /* replan */`.execute(
    db,
  )
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/**
 * Queues a failed or withheld mail again, as if it were new: it is tried for a day again.
 * @returns false when this mail cannot be sent again
 */
export async function requeueMail(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update mails
    set phase = 'queued', attempts = 0, answer = null, bounced = false, settled_at = null,
      next_attempt_at = ${now}::timestamptz, created_at = ${now}::timestamptz
    where id = ${id} and ${CAN_BE_SENT_AGAIN}
    returning id`.execute(tx)
  return rows.length > 0
}

export async function findMail(tx: Tx, id: string): Promise<{ phase: MailPhase } | undefined> {
  return tx.selectFrom('mails').select('phase').where('id', '=', id).executeTakeFirst()
}
