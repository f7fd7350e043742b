import { processBatches } from '@storefront/jobs'
import { DAY_MS, MINUTE_MS, type Timer } from '@storefront/service'
import type { OrdersContext } from '../context.ts'
import { applyPaymentUpdate } from '../payments/apply-payment-update.ts'
import { ProviderRejection, type PaymentUpdate } from '../payments/provider.ts'
import { releaseSessions } from './release-sessions.ts'
import { STUCK_AFTER_MS, type DueSession } from './session.ts'
import { endSessions, failStuckSessions, claimDueSessions } from './sessions.queries.ts'
import { withDeadline } from '../payments/with-deadline.ts'

const EVERY_MS = 5000
const BATCH = 20
/**
 * A session is ended this long after its deadline, because the update of a payment may be on its way. Shorter than
 * `UPDATE_GRACE_SECONDS` of its holds.
 */
const GRACE_MS = MINUTE_MS
/** A merchant who has configured a wrong key, or none, has this long to correct it. */
const REJECTED_FOR_MS = DAY_MS

/**
 * Ends sessions past their deadline, when the provider reports no payment, and those that a crash left behind. A
 * provider that does not respond is called again a minute later: until then the session stays, so no payment is missed.
 * One that still rejects the look-up after a day may do so forever: the session ends, and the reconciliation looks it
 * up from then on.
 */
export function endDueSessions(context: OrdersContext): Timer {
  return processBatches({
    name: 'end payment sessions',
    log: context.log,
    everyMs: EVERY_MS,
    next: () => endDueSessionsOnce(context),
  })
}

/** One batch of `endDueSessions`. @returns whether more may be due */
export async function endDueSessionsOnce(context: OrdersContext): Promise<boolean> {
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

async function endOne(context: OrdersContext, session: DueSession): Promise<void> {
  const { id, provider } = session
  try {
    const update = await lookUp(context, session)
    if (update) await applyPaymentUpdate(context, { ...update, sessionId: id })
    if (update?.status === 'captured') return
    await releaseSessions(context, await endSessions(context.db, [session], 'expired'))
  } catch (error) {
    context.log.warn(
      { err: error, sessionId: id, provider },
      'a payment session could not be ended; it is tried again in a minute',
    )
  }
}

/**
 * The result of a session at its provider; nothing while the buyer has not decided, and when its deadline passed a day
 * ago and the provider still rejects the look-up.
 */
async function lookUp(
  { providers, clock, log }: OrdersContext,
  { id, provider: name, providerSession, dueSince }: DueSession,
): Promise<PaymentUpdate | undefined> {
  try {
    const provider = providers.get(name)
    return await withDeadline(name, async () => provider?.inspectSession({ id, providerSession }))
  } catch (error) {
    const isLongOver = clock.now().getTime() - dueSince.getTime() >= REJECTED_FOR_MS
    if (!isLongOver || !(error instanceof ProviderRejection)) throw error
    log.warn(
      { err: error, sessionId: id, provider: name },
      'a payment session is ended although its provider rejects the look-up; the reconciliation looks it up again',
    )
    return undefined
  }
}
