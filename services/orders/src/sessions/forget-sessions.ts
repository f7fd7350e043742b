import type { OrdersContext } from '../context.ts'
import { deleteEndedSessions } from './sessions.queries.ts'

const DAY_MS = 24 * 3600 * 1000
/** As long as a provider repeats what it has to say of a payment. */
const MEMORY_DAYS = 30
/** Of an account that is deleted: time enough for the news of a payment in the last moment, and to ask for it once more. */
const FORMER_MEMORY_DAYS = 1
const BATCH = 500

/** Forgets buyers who were at a payment page and did not buy: their addresses are nobody's business any more. */
export async function forgetSessions({ db, clock }: Pick<OrdersContext, 'db' | 'clock'>): Promise<void> {
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS)
  const ended = { endedBefore: daysAgo(MEMORY_DAYS), formerEndedBefore: daysAgo(FORMER_MEMORY_DAYS), limit: BATCH }
  while ((await deleteEndedSessions(db, ended)) === BATCH);
}
