import { every, type Timer } from '@storefront/chassis'
import type { IdentityContext } from '../context.ts'
import { LIMITS_LOOK_BACK_MS } from './confirmation.ts'
import { deleteExpiredConfirmations } from './confirmations.queries.ts'

const HOUR_MS = 3600 * 1000
const BATCH = 1000

/** Deletes the confirmations that neither a link nor a limit needs any more. */
export function purgeOldConfirmations({ db, clock, log }: Pick<IdentityContext, 'db' | 'clock' | 'log'>): Timer {
  return every(HOUR_MS, 'old confirmations', log, () => deleteOldConfirmations(db, clock.now()))
}

export async function deleteOldConfirmations(db: IdentityContext['db'], now: Date): Promise<void> {
  const expiredBefore = new Date(now.getTime() - LIMITS_LOOK_BACK_MS)
  while ((await deleteExpiredConfirmations(db, expiredBefore, BATCH)) === BATCH);
}
