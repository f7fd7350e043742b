import { processBatches } from '@storefront/jobs'
import { settleClaims } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import type { Timer } from '@storefront/service'
import type { CatalogContext } from '../context.ts'
import { releaseHolds, sellHolds } from './end-reservations.ts'
import { findDueClaims } from './reservations.queries.ts'

const BATCH = 200

/**
 * Settles holds whose deadline has passed: sells those that orders has an order for, and releases those that orders has
 * recorded as abandoned. While orders does not reply, nothing is released.
 */
export function releaseExpired(context: CatalogContext): Timer {
  const { log, pollMs } = context
  return processBatches({
    name: 'release expired reservations',
    log,
    everyMs: pollMs,
    next: () => releaseExpiredOnce(context),
  })
}

/** One batch of `releaseExpired`. @returns whether more may be due */
export async function releaseExpiredOnce(context: CatalogContext): Promise<boolean> {
  const { db, clock } = context
  const claims = await findDueClaims(db, clock.now(), BATCH)
  if (claims.length === 0) return false
  const settled = await settleClaims(context, claims, 'expired reservations')
  if (!settled) return false
  // Two transactions, because each locks its stock rows in order, and one would lock them in two passes.
  const released = await transaction(db, (tx) => releaseHolds(tx, settled.abandoned, clock.now()))
  await transaction(db, (tx) => sellHolds(tx, settled.ordered, clock.now()))
  await context.projection.writeStock(released)
  // Claims that orders has not decided are sent again at the next run; sending them now could loop forever.
  return claims.length === BATCH && settled.abandoned.length + settled.ordered.length > 0
}
