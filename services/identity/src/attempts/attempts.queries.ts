import { sql, type RawBuilder } from 'kysely'
import type { Connection, Database } from '../database.ts'
import { ATTEMPTS_WINDOW_MS, type Attempt, type Verdict } from './attempt.ts'

/** In the database, because it decides which spellings of an address are the same account. */
function digestOf({ of }: Attempt): RawBuilder<string> {
  return sql<string>`encode(sha256(convert_to(lower(${of}), 'UTF8')), 'hex')`
}

/**
 * Counts an attempt before anybody looks whether it is right: of many at once no more are looked at than are allowed.
 * What is refused is not counted: the wait does not grow longer.
 */
export async function countAttempt(
  connection: Connection,
  attempt: Attempt,
  { atMost, now }: { atMost: number; now: Date },
): Promise<Verdict> {
  const since = new Date(now.getTime() - ATTEMPTS_WINDOW_MS)
  const allowed = sql`count(*) < ${atMost}::integer`
  const recent = sql`array_agg(one order by one)`
  const { rows } = await sql<{ refusals: number; first_at: Date }>`
    insert into attempts as kept (kind, subject, tried_at, refusals, last_at)
    values (${attempt.kind}, ${digestOf(attempt)}, array[${now}::timestamptz], 0, ${now}::timestamptz)
    on conflict (kind, subject) do update set (tried_at, refusals, last_at) = (
      select case when ${allowed} then array_append(${recent}, ${now}::timestamptz) else ${recent} end,
        case when ${allowed} then 0 else kept.refusals + 1 end,
        case when ${allowed} then ${now}::timestamptz else kept.last_at end
      from unnest(kept.tried_at) as tried (one) where one > ${since}::timestamptz)
    returning refusals, tried_at[1] as first_at`.execute(connection)
  const [row] = rows
  if (!row) throw new Error('an attempt was not counted')
  if (row.refusals === 0) return { allowed: true }
  const waitMs = row.first_at.getTime() + ATTEMPTS_WINDOW_MS - now.getTime()
  return { allowed: false, isFirst: row.refusals === 1, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }
}

/** For an attempt that nobody could look at. */
export async function takeBackAttempt(connection: Connection, attempt: Attempt): Promise<void> {
  await connection
    .updateTable('attempts')
    .set({ tried_at: sql`tried_at[:cardinality(tried_at) - 1]` })
    .where('kind', '=', attempt.kind)
    .where('subject', '=', digestOf(attempt))
    .execute()
}

export async function forgetAttempts(connection: Connection, attempt: Attempt): Promise<void> {
  await connection
    .deleteFrom('attempts')
    .where('kind', '=', attempt.kind)
    .where('subject', '=', digestOf(attempt))
    .execute()
}

/** @returns how many rows were deleted, at most `limit` */
export async function deleteOldAttempts(db: Database, lastBefore: Date, limit: number): Promise<number> {
  // Passes over what is being counted at this moment: it is not old any more.
  const { numAffectedRows } = await sql`
    delete from attempts where ctid = any(array(
      select ctid from attempts where last_at < ${lastBefore} limit ${limit} for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
