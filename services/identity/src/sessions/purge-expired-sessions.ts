import { every, type Timer } from '@storefront/chassis'
import type { IdentityContext } from '../context.ts'
import { deleteExpiredSessions } from './sessions.queries.ts'

const HOUR_MS = 3600 * 1000
/** Long after any clock would still accept the token. */
const KEPT_AFTER_EXPIRY_MS = 24 * HOUR_MS
const BATCH = 1000

export function purgeExpiredSessions({ db, clock, log }: Pick<IdentityContext, 'db' | 'clock' | 'log'>): Timer {
  return every(HOUR_MS, 'expired sessions', log, async () => {
    const expiredBefore = new Date(clock.now().getTime() - KEPT_AFTER_EXPIRY_MS)
    while ((await deleteExpiredSessions(db, expiredBefore, BATCH)) === BATCH);
  })
}
