import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'
import { deleteRows } from './delete-rows.ts'

/** One attempt at a secret that could be guessed. */
export interface GuessAttempt<Kind extends string = string> {
  kind: Kind
  /** The account or secret that is tried, as it was typed. It need not exist. */
  of: string
}

type AttemptVerdict =
  | { allowed: true }
  /** `isFirst` marks the first rejected attempt after accepted ones. */
  | { allowed: false; isFirst: boolean; retryAfterSeconds: number }

/**
 * Counts attempts over all replicas of a service, in its table `attempts`: kind and subject (the primary key),
 * tried_at timestamptz[], refusals integer, last_at timestamptz with an index (docs/decisions/0019).
 * @param windowMs for how long an attempt counts
 */
export function attemptLog<Kind extends string>({ windowMs }: { windowMs: number }) {
  return {
    /**
     * Counts an attempt before it is checked: of many simultaneous attempts no more are checked than are allowed.
     * Rejected attempts are not counted: the wait does not grow longer.
     * @param options.atMost how many attempts are allowed within the window, over all replicas
     */
    async count(
      connection: QueryExecutorProvider,
      attempt: GuessAttempt<Kind>,
      { atMost, now }: { atMost: number; now: Date },
    ): Promise<AttemptVerdict> {
      const since = new Date(now.getTime() - windowMs)
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
      const waitMs = row.first_at.getTime() + windowMs - now.getTime()
      return { allowed: false, isFirst: row.refusals === 1, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }
    },

    /** Removes an attempt that could not be checked from the count. */
    async withdraw(connection: QueryExecutorProvider, attempt: GuessAttempt<Kind>) {
      await sql`
        update attempts set tried_at = tried_at[:cardinality(tried_at) - 1]
        where kind = ${attempt.kind} and subject = ${digestOf(attempt)}`.execute(connection)
    },

    /** Resets the count. */
    async clear(connection: QueryExecutorProvider, attempt: GuessAttempt<Kind>) {
      await sql`delete from attempts where kind = ${attempt.kind} and subject = ${digestOf(attempt)}`.execute(
        connection,
      )
    },

    /** Deletes expired attempts: an unknown name takes a row as well. @returns how many, at most `limit` */
    deleteOld(connection: QueryExecutorProvider, now: Date, limit: number) {
      const lastBefore = new Date(now.getTime() - windowMs)
      return deleteRows(connection, 'attempts', sql`last_at < ${lastBefore}`, limit)
    },
  }
}

/**
 * PostgreSQL computes the digest, because its `lower` decides which spellings of an order number are the same. Email
 * addresses come in their canonical form.
 */
function digestOf({ of }: GuessAttempt): RawBuilder<string> {
  return sql<string>`encode(sha256(convert_to(lower(${of}), 'UTF8')), 'hex')`
}
