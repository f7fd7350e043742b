import { MINUTE_MS } from '@storefront/service'
import type { OrdersContext } from '../context.ts'
import { applyPaymentUpdate } from '../payments/apply-payment-update.ts'
import { releaseSessions } from './release-sessions.ts'
import { STUCK_AFTER_MS, type StoredSession } from './session.ts'
import { endSessions, failStuckSessions, claimDueSessions } from './sessions.queries.ts'
import { withDeadline } from './with-deadline.ts'

const BATCH = 20
/**
 * A session is ended this long after its deadline, because the update of a payment may be on its way. Shorter than
 * `UPDATE_GRACE_SECONDS` of its holds.
 */
const GRACE_MS = MINUTE_MS

/**
 * Ends sessions whose time is over, when the provider reports no payment, and those that a crash left behind. A
 * provider that does not respond is called again a minute later: until then the session stays, so no payment is
 * missed.
 * @returns whether more may be due
 */
export async function endDueSessions(context: OrdersContext): Promise<boolean> {
  const { db, clock } = context
  const begunBefore = new Date(clock.now().getTime() - STUCK_AFTER_MS)
  const stuck = await failStuckSessions(db, { begunBefore, limit: BATCH })
  await releaseSessions(context, stuck)
  const now = clock.now()
  const endedBefore = new Date(now.getTime() - GRACE_MS)
  const due = await claimDueSessions(db, { endedBefore, now, limit: BATCH })
  await Promise.all(due.map((session) => endOne(context, session)))
  return stuck.length === BATCH || due.length === BATCH
}

async function endOne(context: OrdersContext, session: StoredSession): Promise<void> {
  const { id, provider: name, providerSession } = session
  try {
    const provider = context.providers.get(name)
    const update = await withDeadline(name, async () => provider?.inspectSession({ id, providerSession }))
    if (update) await applyPaymentUpdate(context, { ...update, sessionId: id })
    if (update?.status === 'captured') return
    await releaseSessions(context, await endSessions(context.db, [session], 'expired'))
  } catch (error) {
    context.log.warn(
      { err: error, sessionId: id, provider: name },
      'a payment session could not be ended; it is tried again in a minute',
    )
  }
}
