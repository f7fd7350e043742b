import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'

/**
 * Writes down that no order will ever stand on these holds, for those that are not decided yet. Waits for a checkout that
 * is deciding one of them at this moment.
 */
export async function abandonClaims(db: Database | Tx, claims: readonly string[], at: Date): Promise<void> {
  await sql`
    insert into claims (claim, verdict, decided_at)
    select claim, 'abandoned', ${at}::timestamptz from unnest(${claims}::text[]) as claim order by claim
    on conflict do nothing`.execute(db)
}

/** Deletes claims that nobody can ask about any more: catalog settles its holds within minutes, not weeks. */
export async function forgetOldClaims(db: Database, before: Date): Promise<void> {
  await sql`delete from claims where decided_at < ${before}`.execute(db)
}

export async function findVerdicts(
  db: Database | Tx,
  claims: readonly string[],
): Promise<{ claim: string; verdict: 'ordered' | 'abandoned' }[]> {
  const { rows } = await sql<{ claim: string; verdict: 'ordered' | 'abandoned' }>`
    select claim, verdict from claims where claim = any(${[...claims]})`.execute(db)
  return rows
}
