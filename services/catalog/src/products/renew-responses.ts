import { sql } from 'kysely'
import { transaction } from '@storefront/postgres'
import type { Database } from '../database.ts'
import { RESPONSE_FORMAT } from './product-response.ts'
import { refreshQueued } from './process-refresh-queue.ts'
import type { RefreshContext } from './refresh-products.ts'

/**
 * Queues every product for a refresh when its stored responses were made by other code or for another public address,
 * which its entries in the price projection contain as well. Until its turn comes the old response is served.
 */
export async function renewResponses(db: Database, publicUrl: string): Promise<void> {
  const fingerprint = `${RESPONSE_FORMAT} ${publicUrl}`
  await transaction(db, async (tx) => {
    const { rows } = await sql<{ fingerprint: string }>`select fingerprint from response_format for update`.execute(tx)
    const former = rows[0]?.fingerprint
    if (former === fingerprint) return
    await sql`
      insert into response_format (fingerprint) values (${fingerprint})
      on conflict (only_row) do update set fingerprint = excluded.fingerprint`.execute(tx)
    const hasMoved = former !== undefined && !former.endsWith(` ${publicUrl}`)
    await sql`insert into refresh_queue (product_id, moved) select id, ${hasMoved}::boolean from products`.execute(tx)
  })
}

/** Processes the queue before the first request when no product is listed: a migration has emptied the lists. */
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
