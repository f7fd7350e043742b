import { sql } from 'kysely'
import type { Database } from '../database.ts'

const BATCH = 5000

/**
 * Gives up pending deliveries of deleted endpoints. One that is being sent is completed first, and cleaned up here
 * afterwards.
 */
export async function settleForDeletedEndpoints(db: Database, now: Date): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      update deliveries set status = 'dead', settled_at = ${now}, last_error = 'the endpoint was deleted'
      where id = any(array(
        select d.id from endpoints e
        cross join lateral (
          select id from deliveries
          where endpoint_id = e.id and status in ('queued', 'waiting')
          limit ${BATCH} for update skip locked
        ) as d
        where e.deleted_at is not null))
      returning id`.execute(db)
    if (rows.length < BATCH) return
  }
}

/** The row of an endpoint is deleted when its log is. */
export async function purgeDeletedEndpoints(db: Database, deletedBefore: Date): Promise<void> {
  await sql`
    delete from endpoints e
    where e.deleted_at < ${deletedBefore}
      and not exists (select from deliveries d where d.endpoint_id = e.id)`.execute(db)
}
