import { every, type Timer } from '@storefront/chassis'
import type { IdentityContext } from '../context.ts'
import { PREVIOUS_KEPT_MS } from './credential.ts'
import { deleteReplaced } from './credentials.queries.ts'

const EVERY_MS = 10 * 60_000

/** Deletes secrets that no longer sign anything. */
export function deleteReplacedCredentials({ db, clock, log }: Pick<IdentityContext, 'db' | 'clock' | 'log'>): Timer {
  return every(EVERY_MS, 'replaced credentials', log, () =>
    deleteReplaced(db, new Date(clock.now().getTime() - PREVIOUS_KEPT_MS)),
  )
}
