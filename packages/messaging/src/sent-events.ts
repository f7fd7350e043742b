import { sql, type Kysely } from 'kysely'

const BATCH = 2000

/**
 * Deletes events that JetStream accepted more than a day ago, in small batches, and skips rows that another replica
 * deletes at the same time, until the service stops.
 */
export async function deleteSentEvents<Schema>(db: Kysely<Schema>, isStopping = () => false): Promise<void> {
  let deleted: bigint
  do {
    const { numAffectedRows = 0n } = await sql`
      delete from sent_events where id = any(array(
        select id from sent_events where sent_at < now() - interval '24 hours'
        order by sent_at limit ${BATCH} for update skip locked))`.execute(db)
    deleted = numAffectedRows
  } while (deleted > 0n && !isStopping())
}
