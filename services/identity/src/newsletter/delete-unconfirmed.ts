import { every, type Timer } from '@storefront/chassis'
import type { IdentityContext } from '../context.ts'
import { PURPOSES } from '../confirmations/confirmation.ts'
import { deleteUnconfirmedSubscribers } from './newsletter.queries.ts'

const HOUR_MS = 3600 * 1000
/** A day longer than the link of the mail works. */
const KEPT_MS = PURPOSES.newsletter.lastsMs + 24 * HOUR_MS
const BATCH = 1000

/** Deletes addresses that were typed and never confirmed: their owners may not know of it. */
export function deleteUnconfirmed({ db, clock, log }: Pick<IdentityContext, 'db' | 'clock' | 'log'>): Timer {
  return every(HOUR_MS, 'unconfirmed subscribers', log, async () => {
    const requestedBefore = new Date(clock.now().getTime() - KEPT_MS)
    while ((await deleteUnconfirmedSubscribers(db, requestedBefore, BATCH)) === BATCH);
  })
}
