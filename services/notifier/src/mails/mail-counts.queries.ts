import { MINUTE_MS, HOUR_MS, DAY_MS } from '@storefront/service'
import { sql } from 'kysely'
import { deleteRows, plannedOnce } from '@storefront/postgres'
import type { Database, Tx } from '../database.ts'
import type { MailCounts, MailSpan } from './mail-limits.ts'

const SPAN_MS = 10 * MINUTE_MS

/** Serializes the decisions on mail limits. Comes after all locks of rows. */
export async function lockMailCounts(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('mail counts'), hashtext(current_schema())) /* sent with the next */`.execute(
    tx,
  )
}

/** Mails that were counted under these subjects, exact to ten minutes. */
export async function readMailCounts(tx: Tx, subjects: readonly string[], now: Date): Promise<MailCounts> {
  if (subjects.length === 0) return new Map()
  const { rows } = await sql<{ subject: string; hour: number; day: number }>`
    select subject, coalesce(sum(mails) filter (where since > ${before(now, HOUR_MS)}), 0)::integer as hour,
      sum(mails)::integer as day
    from mail_counts where subject = any(${plannedOnce(subjects)}) and since > ${before(now, DAY_MS)}
    group by subject`.execute(tx)
  return new Map(rows.map(({ subject, hour, day }) => [subject, { hour, day }]))
}

/** The mails of one subject in the last day, by spans of ten minutes, the newest first. */
export async function readMailSpans(tx: Tx, subject: string, now: Date): Promise<MailSpan[]> {
  const { rows } = await sql<MailSpan>`
    select since, mails from mail_counts where subject = ${subject} and since > ${before(now, DAY_MS)}
    order by since desc`.execute(tx)
  return rows
}

/** @param subjects one for each mail, so that one may occur several times */
export async function addMailCounts(tx: Tx, subjects: readonly string[], now: Date): Promise<void> {
  if (subjects.length === 0) return
  const since = new Date(Math.floor(now.getTime() / SPAN_MS) * SPAN_MS)
  await sql`
    insert into mail_counts as kept (subject, since, mails)
    select subject, ${since}::timestamptz, count(*)::integer from unnest(${[...subjects]}::text[]) as subject
    group by subject order by subject
    on conflict (subject, since) do update set mails = kept.mails + excluded.mails /* sent with the next */`.execute(tx)
}

/** @returns how many were deleted, at most `limit` */
export function deleteOldMailCounts(db: Database, before: Date, limit: number): Promise<number> {
  return deleteRows(db, 'mail_counts', sql`since <= ${before}::timestamptz order by since`, limit)
}

function before(now: Date, ms: number) {
  return sql`${new Date(now.getTime() - ms)}::timestamptz`
}
