import { sql } from 'kysely'
import { transaction } from '@storefront/postgres'
import { every, MINUTE_MS, type Timer } from '@storefront/service'
import type { CatalogContext } from '../context.ts'
import type { Database } from '../database.ts'
import { responseFingerprint } from './product-response.ts'
import { refreshQueued } from './process-refresh-queue.ts'
import type { RefreshContext } from './refresh-products.ts'

/** Longer than it takes, after the first replica of a new version has started, until those of the previous one end. */
const SIDE_BY_SIDE_MS = 5 * MINUTE_MS

/**
 * Queues every product for a refresh if its stored responses were made by other code or for another public address,
 * which entries of the price projection contain as well. The old response is served until the refresh.
 */
export async function renewResponses(db: Database, publicUrl: string, now: Date): Promise<void> {
  const fingerprint = responseFingerprint(publicUrl)
  const againAt = new Date(now.getTime() + SIDE_BY_SIDE_MS)
  await transaction(db, async (tx) => {
    const { rows } = await sql<{ fingerprint: string }>`select fingerprint from response_format for update`.execute(tx)
    const former = rows[0]?.fingerprint
    if (former === fingerprint) return
    const hasMoved = former !== undefined && !former.endsWith(` ${publicUrl}`)
    // Replicas with a former address may still run if another change follows within those minutes.
    await sql`
      insert into response_format as stored (fingerprint) values (${fingerprint})
      on conflict (only_row) do update set fingerprint = excluded.fingerprint, renew_again_at = ${againAt}::timestamptz,
        moved = ${hasMoved}::boolean or (stored.renew_again_at is not null and stored.moved)`.execute(tx)
    await sql`insert into refresh_queue (product_id, moved) select id, ${hasMoved}::boolean from products`.execute(tx)
  })
}

/**
 * Queues every product once more when the replicas of the previous version should have ended: until then they also
 * process the queue, and store responses with the writes of merchants.
 */
export function renewAgain({ db, clock, log }: CatalogContext): Timer {
  return every(MINUTE_MS, 'renew responses again', log, () => renewAgainOnce(db, clock.now()))
}

/** One run of `renewAgain`. */
export async function renewAgainOnce(db: Database, now: Date): Promise<void> {
  await sql`
    with due as (
      update response_format set renew_again_at = null where renew_again_at <= ${now}::timestamptz returning moved)
    insert into refresh_queue (product_id, moved) select p.id, due.moved from due cross join products p`.execute(db)
}

/** Processes the queue before the first request if no product is listed, because a migration has emptied the lists. */
export async function fillEmptyLists(context: RefreshContext): Promise<void> {
  const { rows } = await sql`select 1 from listings limit 1`.execute(context.db)
  if (rows.length > 0) return
  for (let listed = 0; ;) {
    const refreshed = await refreshQueued(context)
    if (refreshed === 0) return
    listed += refreshed
    context.log.info({ listed }, 'listing the products')
  }
}
