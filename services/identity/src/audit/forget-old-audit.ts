import { every, type Timer } from '@storefront/chassis'
import type { Dependencies } from '../app.ts'
import { deleteOldAuditEntries } from './audit.queries.ts'

const HOUR_MS = 3600 * 1000
/** A year, and time to look back at it. */
const KEPT_MS = 400 * 24 * HOUR_MS
const BATCH = 1000

export function forgetOldAudit({ db, clock, log }: Pick<Dependencies, 'db' | 'clock' | 'log'>): Timer {
  return every(HOUR_MS, 'old audit entries', log, async () => {
    const before = new Date(clock.now().getTime() - KEPT_MS)
    while ((await deleteOldAuditEntries(db, before, BATCH)) === BATCH);
  })
}
