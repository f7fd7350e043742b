import { DAY_MS, MINUTE_MS } from '@storefront/service'
import type { Finding } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { ProviderUnavailable, type PaymentProvider } from '../payments/provider.ts'
import { applyPaymentUpdate } from '../payments/apply-payment-update.ts'
import { withDeadline } from '../payments/with-deadline.ts'
import { findEndedSessions, isCaptured, markReconciled, type EndedSession } from './ended-sessions.queries.ts'

const BATCH = 50
const AT_ONCE = 10
/** A buyer may pay at the last moment, and the provider's webhook may be hours late. */
const INSPECT_AFTER_MS = 15 * MINUTE_MS
/**
 * Within this time a payment that is authorized or takes days is captured, or has failed; a bank debit may take three
 * weeks.
 */
const AUTHORIZED_FOR_MS = 30 * DAY_MS
/** No request begins after this long, because the caller waits for the reconciliation. */
const BUDGET_MS = 2000
const DEADLINE_MS = 4000

interface InspectedSessions {
  repaired: Finding[]
  findings: Finding[]
  /** Providers that did not respond. */
  unreachable: string[]
}

/**
 * Looks up ended checkouts without an order at their providers again: a last-moment payment whose webhook was lost
 * becomes an order now or is refunded. One that cannot be looked up does not block the others, and is looked up again.
 */
export async function inspectEndedSessions(context: OrdersContext): Promise<InspectedSessions> {
  const { db, clock, log, providers } = context
  const configured = [...providers.values()].filter((provider) => provider.isConfigured()).map(({ name }) => name)
  const now = clock.now()
  const sessions = await findEndedSessions(db, {
    now,
    endedBefore: new Date(now.getTime() - INSPECT_AFTER_MS),
    authorizedSince: new Date(now.getTime() - AUTHORIZED_FOR_MS),
    providers: configured,
    limit: BATCH,
  })
  const result: InspectedSessions = { repaired: [], findings: [], unreachable: [] }
  const untilMs = performance.now() + BUDGET_MS

  async function inspect(session: EndedSession): Promise<void> {
    const provider = providers.get(session.provider)
    if (!provider || result.unreachable.includes(provider.name)) return
    try {
      if (await applyMissedPayment(context, session, provider)) result.repaired.push(repairOf(session))
    } catch (error) {
      log.warn(
        { err: error, sessionId: session.id },
        'an ended checkout could not be looked up at its payment provider; the next reconciliation tries again',
      )
      if (error instanceof ProviderUnavailable) result.unreachable.push(provider.name)
      else result.findings.push(findingOf(session))
    }
  }

  for (let start = 0; start < sessions.length && performance.now() < untilMs; start += AT_ONCE) {
    await Promise.all(sessions.slice(start, start + AT_ONCE).map(inspect))
  }
  return { ...result, unreachable: [...new Set(result.unreachable)] }
}

/** Records the result of an ended session. @returns whether it had a payment that was not recorded */
async function applyMissedPayment(
  context: OrdersContext,
  session: EndedSession,
  provider: PaymentProvider,
): Promise<boolean> {
  const { db, clock } = context
  const update = await withDeadline(provider.name, () => provider.inspectSession(session), DEADLINE_MS)
  const isFound =
    update?.status === 'captured' &&
    update.reference !== undefined &&
    !(await isCaptured(db, provider.name, update.reference))
  if (update) await applyPaymentUpdate(context, { ...update, sessionId: session.id })
  await markReconciled(db, session.id, clock.now())
  return isFound
}

function repairOf({ id }: EndedSession): Finding {
  return {
    kind: 'payment_found',
    subject: id,
    message:
      'This checkout was paid, but no webhook of the payment arrived. Its order was placed, or the money is refunded.',
  }
}

function findingOf({ id, provider }: EndedSession): Finding {
  return {
    kind: 'session_unclear',
    subject: id,
    message: `It is unknown whether this checkout, which has ended, was paid. Look for it at ${provider}; it is looked up again automatically.`,
  }
}
