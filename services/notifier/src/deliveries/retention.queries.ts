import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** The rows that one statement reads. */
const BATCH = 1000

/**
 * Deletes, of the next rows in the order of the log, those that were settled long ago, with their attempts.
 * @returns where to continue; undefined when the following rows are too young
 */
export async function deleteDeliveries(db: Database, after: number, settledBefore: Date): Promise<number | undefined> {
  const { rows } = await sql<{ last: number | null; oldest: Date | null }>`
    with page as materialized (
      select id, seq, created_at, settled_at from deliveries where seq > ${after} order by seq limit ${BATCH}
    ), deleted as (
      delete from deliveries
      where id = any(array(select id from page where settled_at < ${settledBefore})) and settled_at < ${settledBefore}
    )
    select max(seq) as last, min(created_at) as oldest from page`.execute(db)
  const { last, oldest } = rows[0] ?? { last: null, oldest: null }
  return last === null || oldest === null || oldest >= settledBefore ? undefined : last
}

/**
 * Gives up deliveries to endpoints that are deleted, or were disabled before `disabledBefore`.
 * @returns how many; there may be more
 */
export async function abandonDeliveries(db: Database, disabledBefore: Date, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries d
    set status = 'dead', settled_at = ${now}, last_status = null, last_error = 'its endpoint is switched off or deleted'
    where d.id = any(array(
      select open.id
      from endpoints e
      cross join lateral (
        select id from deliveries
        where endpoint_id = e.id and status in ('queued', 'waiting') limit ${BATCH} for update skip locked
      ) as open
      where e.deleted_at is not null or (not e.enabled and e.disabled_at < ${disabledBefore})
      limit ${BATCH}))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
