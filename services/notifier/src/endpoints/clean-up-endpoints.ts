import { every, HOUR_MS, MINUTE_MS, type Timer } from '@storefront/service'
import type { NotifierContext } from '../context.ts'
import { purgeDeletedEndpoints, settleForDeletedEndpoints } from './deleted-endpoints.queries.ts'
import { deletePreviousSecrets } from './endpoints.queries.ts'

/** A test that was running when its endpoint was deleted has been recorded long before. */
const DELETED_FOR_MS = HOUR_MS

/**
 * Cleans up after a deletion or a rotation. `RETENTION` cannot do it, because deliveries are settled before their
 * endpoint is deleted.
 */
export function cleanUpEndpoints(context: NotifierContext): Timer {
  return every(MINUTE_MS, 'tidy endpoints', context.log, () => cleanUpEndpointsOnce(context))
}

/** One run of `cleanUpEndpoints`. */
export async function cleanUpEndpointsOnce({ db, clock }: Pick<NotifierContext, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await deletePreviousSecrets(db, now)
  await settleForDeletedEndpoints(db, now)
  await purgeDeletedEndpoints(db, new Date(now.getTime() - DELETED_FOR_MS))
}
