import { every, type Timer } from '@storefront/chassis'
import type { IdentityContext } from '../context.ts'
import { KEPT_AFTER_END_MS } from './api-key.ts'
import { deleteOldApiKeys } from './api-keys.queries.ts'

const HOUR_MS = 3600 * 1000

export function purgeOldApiKeys({ db, clock, log }: Pick<IdentityContext, 'db' | 'clock' | 'log'>): Timer {
  return every(HOUR_MS, 'old API keys', log, () => {
    const now = clock.now()
    return deleteOldApiKeys(db, new Date(now.getTime() - KEPT_AFTER_END_MS), now)
  })
}
