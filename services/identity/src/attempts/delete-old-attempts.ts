import { every, type Timer } from '@storefront/chassis'
import type { IdentityContext } from '../context.ts'
import { attempts } from './attempt.ts'

const EVERY_MS = 5 * 60_000

/** An address without an account takes a row as well, so rows that no longer count are deleted. */
export function deleteOldAttempts({ db, clock, log }: Pick<IdentityContext, 'db' | 'clock' | 'log'>): Timer {
  return every(EVERY_MS, 'old attempts', log, () => attempts.deleteOld(db, clock.now()))
}
