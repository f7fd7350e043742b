import { sql, type Kysely } from 'kysely'

const BATCH = 2000

/**
 * Deletes events that JetStream took more than a day ago: by then every hearer has them, or somebody has noticed that it has
 * not. In small batches, and past those that another copy deletes at the same time.
 */
export async function forgetSentEvents<Schema>(db: Kysely<Schema>): Promise<void> {
  let deleted: bigint
  do {
    const { numAffectedRows = 0n } = await sql`
      delete from sent_events where id = any(array(
        select id from sent_events where sent_at < now() - interval '24 hours'
        order by sent_at limit ${BATCH} for update skip locked))`.execute(db)
    deleted = numAffectedRows
  } while (deleted === BigInt(BATCH))
}
