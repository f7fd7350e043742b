import { every, type Timer } from '@storefront/chassis'
import type { Dependencies } from '../app.ts'
import { ATTEMPTS_WINDOW_MS } from './attempt.ts'
import { deleteOldAttempts } from './attempts.queries.ts'

const EVERY_MS = 5 * 60_000
const BATCH = 1000

/** An address that nobody has takes a row as well: what counts no longer must not pile up. */
export function forgetOldAttempts({ db, clock, log }: Pick<Dependencies, 'db' | 'clock' | 'log'>): Timer {
  return every(EVERY_MS, 'old attempts', log, async () => {
    const lastBefore = new Date(clock.now().getTime() - ATTEMPTS_WINDOW_MS)
    while ((await deleteOldAttempts(db, lastBefore, BATCH)) === BATCH);
  })
}
