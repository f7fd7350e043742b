import { every, type Timer } from '@storefront/chassis'
import type { IdentityContext } from '../context.ts'
import { deleteOldAuditEntries } from './audit.queries.ts'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS
/** A year, and time to look back at it. */
const KEPT_MS = 400 * DAY_MS
/** Failed sign-ins with unknown addresses: an attacker can cause as many of them as they like. */
const UNKNOWN_KEPT_MS = 30 * DAY_MS
const BATCH = 1000

export function deleteOldAudit({ db, clock, log }: Pick<IdentityContext, 'db' | 'clock' | 'log'>): Timer {
  return every(HOUR_MS, 'old audit entries', log, async () => {
    const now = clock.now().getTime()
    const unknown = { before: new Date(now - UNKNOWN_KEPT_MS), outcome: 'unknown' } as const
    for (const old of [{ before: new Date(now - KEPT_MS) }, unknown]) {
      while ((await deleteOldAuditEntries(db, old, BATCH)) === BATCH);
    }
  })
}
