import type { OrdersContext } from '../context.ts'
import { deleteEndedSessions } from './sessions.queries.ts'

const DAY_MS = 24 * 3600 * 1000
/** As long as a provider resends its events of a payment. */
const MEMORY_DAYS = 30
/** For a deleted account: enough time for the update of a last-moment payment, and to look it up once more. */
const FORMER_MEMORY_DAYS = 1
const BATCH = 500

/** Deletes the sessions of buyers who did not buy: their addresses are no longer needed. */
export async function deleteSessions({ db, clock }: Pick<OrdersContext, 'db' | 'clock'>): Promise<void> {
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS)
  const ended = { endedBefore: daysAgo(MEMORY_DAYS), formerEndedBefore: daysAgo(FORMER_MEMORY_DAYS), limit: BATCH }
  while ((await deleteEndedSessions(db, ended)) === BATCH);
}
