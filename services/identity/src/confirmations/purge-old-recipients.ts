import { every, type Timer } from '@storefront/chassis'
import type { IdentityContext } from '../context.ts'
import { LIMITS_LOOK_BACK_MS } from './confirmation.ts'
import { deleteOldRecipients } from './recipient-mails.queries.ts'

const HOUR_MS = 3600 * 1000
const BATCH = 1000

/** An address without an account takes a row as well, so rows that no longer count are deleted. */
export function purgeOldRecipients({ db, clock, log }: Pick<IdentityContext, 'db' | 'clock' | 'log'>): Timer {
  return every(HOUR_MS, 'old recipients of mails', log, async () => {
    const lastBefore = new Date(clock.now().getTime() - LIMITS_LOOK_BACK_MS)
    while ((await deleteOldRecipients(db, lastBefore, BATCH)) === BATCH);
  })
}
