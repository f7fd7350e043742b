import { sql, type Kysely } from 'kysely'

const BATCH = 2000

/**
 * Deletes events that JetStream accepted more than a day ago: by then every consumer has them, or its lag was noticed.
 * Deletes small batches and skips rows that another replica deletes at the same time. Ids grow with time, so the oldest
 * rows come first in the primary key, and no index on the time is needed. An event that waited long in the outbox has a
 * low id and is still kept for its own day.
 */
export async function deleteSentEvents<Schema>(db: Kysely<Schema>): Promise<void> {
  let deleted: bigint
  do {
    const { numAffectedRows = 0n } = await sql`
      delete from sent_events where id = any(array(
        select id from sent_events where id = any(array(
          select id from (select id, sent_at from sent_events order by id limit ${BATCH}) as oldest
          where sent_at < now() - interval '24 hours')) for update skip locked))`.execute(db)
    deleted = numAffectedRows
  } while (deleted > 0n)
}
