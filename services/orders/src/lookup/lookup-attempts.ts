import { HOUR_MS } from '@storefront/service'
import { attemptLog } from '@storefront/postgres'
import type { OrdersContext } from '../context.ts'
import type { Database } from '../database.ts'
import { tooManyLookups } from '../errors.ts'

/** The maximum number of lookups of one order within an hour, from all clients together (docs/contract.md). */
const LOOKUPS_PER_HOUR = 20

const attempts = attemptLog<'lookup'>({ windowMs: HOUR_MS })

/**
 * Counts a lookup before the order is searched for.
 * @param number as it was typed, or the id
 * @throws HttpError `rate_limited`
 */
export async function countLookup(
  { db, clock, lookupsAreLimited }: Pick<OrdersContext, 'db' | 'clock' | 'lookupsAreLimited'>,
  number: string,
): Promise<void> {
  if (!lookupsAreLimited) return
  const verdict = await attempts.count(
    db,
    { kind: 'lookup', of: number },
    { atMost: LOOKUPS_PER_HOUR, now: clock.now() },
  )
  if (!verdict.allowed) throw tooManyLookups(verdict.retryAfterSeconds)
}

export const deleteOldLookups = (db: Database, now: Date, limit: number): Promise<number> =>
  attempts.deleteOld(db, now, limit)
