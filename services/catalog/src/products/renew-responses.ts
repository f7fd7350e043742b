import { transaction } from '@storefront/postgres'
import { every, MINUTE_MS, type Timer } from '@storefront/service'
import type { CatalogContext } from '../context.ts'
import type { Database } from '../database.ts'
import { hasListings } from '../listings/listings.queries.ts'
import { responseFingerprint } from './product-response.ts'
import { refreshQueued } from './process-refresh-queue.ts'
import type { RefreshContext } from './refresh-products.ts'
import { lockFingerprint, renewAgainOnce, renewAll } from './response-format.queries.ts'

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
    const former = await lockFingerprint(tx)
    if (former === fingerprint) return
    const hasMoved = former !== undefined && !former.endsWith(` ${publicUrl}`)
    await renewAll(tx, fingerprint, { hasMoved, againAt })
  })
}

/** Queues every product once more, see `renewAgainOnce`. */
export function renewAgain({ db, clock, log }: CatalogContext): Timer {
  return every(MINUTE_MS, 'renew responses again', log, () => renewAgainOnce(db, clock.now()))
}

/** Processes the queue before the first request if no product is listed, because a migration has emptied the lists. */
export async function fillEmptyLists(context: RefreshContext): Promise<void> {
  if (await hasListings(context.db)) return
  for (let listed = 0; ;) {
    const refreshed = await refreshQueued(context)
    if (refreshed === 0) return
    listed += refreshed
    context.log.info({ listed }, 'listing the products')
  }
}
