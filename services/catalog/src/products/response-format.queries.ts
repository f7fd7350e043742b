import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'

/** Locks the fingerprint of the stored responses. @returns undefined before the first ones */
export async function lockFingerprint(tx: Tx): Promise<string | undefined> {
  const { rows } = await sql<{ fingerprint: string }>`select fingerprint from response_format for update`.execute(tx)
  return rows[0]?.fingerprint
}

/**
 * Saves the fingerprint of the responses that are made from now on, and queues every product.
 * @param renewal.againAt when every product is queued once more
 */
export async function renewAll(
  tx: Tx,
  fingerprint: string,
  { hasMoved, againAt }: { hasMoved: boolean; againAt: Date },
): Promise<void> {
  // Replicas with a former address may still run if another change follows within those minutes.
  await sql`
    insert into response_format as stored (fingerprint) values (${fingerprint})
    on conflict (only_row) do update set fingerprint = excluded.fingerprint, renew_again_at = ${againAt}::timestamptz,
      moved = ${hasMoved}::boolean or (stored.renew_again_at is not null and stored.moved)`.execute(tx)
  await sql`insert into refresh_queue (product_id, moved) select id, ${hasMoved}::boolean from products`.execute(tx)
}

/**
 * Queues every product once more when the replicas of the previous version should have ended: until then they also
 * process the queue, and store responses with the writes of merchants.
 */
export async function renewAgainOnce(db: Database, now: Date): Promise<void> {
  await sql`
    with due as (
      update response_format set renew_again_at = null where renew_again_at <= ${now}::timestamptz returning moved)
    insert into refresh_queue (product_id, moved) select p.id, due.moved from due cross join products p`.execute(db)
}
