import { processBatches } from '@storefront/jobs'
import { transaction } from '@storefront/postgres'
import type { Timer } from '@storefront/service'
import { projectProducts } from '../price-projection/project-products.ts'
import { responseFingerprint } from './product-response.ts'
import { incrementLockedVersions } from './products.queries.ts'
import { refreshProducts, type RefreshContext } from './refresh-products.ts'
import { isRefreshDue, takeFromRefreshQueue, type Refresher } from './responses.queries.ts'

/** A product that sells is refreshed at most four times a second, however often it sells. */
const REFRESH_MS = 250
const QUEUE_ROWS = 2000

/** Refreshes the products in the queue as long as the service runs. */
export function processRefreshQueue(context: RefreshContext): Timer {
  return processBatches({
    name: 'refresh products',
    log: context.log,
    everyMs: REFRESH_MS,
    isWaiting: () => isRefreshDue(context.db, refresherOf(context)),
    async next() {
      await refreshQueued(context)
      // Products that were queued meanwhile wait for the next run, see REFRESH_MS.
      return false
    },
  })
}

function refresherOf({ clock, publicUrl }: RefreshContext): Refresher {
  return { fingerprint: responseFingerprint(publicUrl), now: clock.now() }
}

/**
 * Refreshes the products in the queue. Those that are queued meanwhile, or locked by others, wait for the next run, so
 * that a product that sells constantly is not refreshed constantly.
 * @returns how many products were refreshed
 */
export async function refreshQueued(context: RefreshContext): Promise<number> {
  const { ids, moved, keys } = await transaction(context.db, async (tx) => {
    const taken = await takeFromRefreshQueue(tx, QUEUE_ROWS, refresherOf(context))
    const ids = taken.map(({ productId }) => productId)
    const moved = taken.filter((each) => each.moved).map(({ productId }) => productId)
    await incrementLockedVersions(tx, moved)
    return { ids, moved, keys: await refreshProducts(tx, ids, { ...context, locked: ids, isUnchanged: true }) }
  })
  if (keys.length > 0) context.purge(keys)
  // The sweep would find them, too, but in a large shop only after an hour.
  await projectProducts(context, moved)
  return ids.length
}
