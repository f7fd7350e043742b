import type { Finding } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { ProviderUnavailable, type PaymentProvider } from '../payments/provider.ts'
import { takePaymentNews } from '../payments/take-payment-news.ts'
import { withDeadline } from '../sessions/with-deadline.ts'
import { findEndedSessions, isCaptured, markReconciled, type EndedSession } from './books.queries.ts'

const BATCH = 50
const AT_ONCE = 10
/** A buyer may pay in the last moment, and the provider's webhook may be hours late. */
const ASK_AFTER_MS = 15 * 60_000
/** Money that is only promised is taken within this time, or goes back by itself. */
const PROMISED_FOR_MS = 7 * 24 * 60 * 60_000
/** Nothing new is asked after this long: whoever compares the books waits for it. */
const BUDGET_MS = 2000
const DEADLINE_MS = 4000

export interface AskedSessions {
  repaired: Finding[]
  findings: Finding[]
  /** Providers that did not answer. */
  unasked: string[]
}

/**
 * Asks once more what became of checkouts that ended without an order: money that came in their last moment, and whose
 * webhook was lost, becomes an order now or goes back. One that cannot be asked about holds up none of the others, and is
 * asked about again.
 */
export async function askAboutEndedSessions(context: OrdersContext): Promise<AskedSessions> {
  const { db, clock, log, providers } = context
  const configured = [...providers.values()].filter((provider) => provider.isConfigured()).map(({ name }) => name)
  const endedBefore = new Date(clock.now().getTime() - ASK_AFTER_MS)
  const sessions = await findEndedSessions(db, { endedBefore, providers: configured, limit: BATCH })
  const result: AskedSessions = { repaired: [], findings: [], unasked: [] }
  const untilMs = performance.now() + BUDGET_MS

  async function askOne(session: EndedSession): Promise<void> {
    const provider = providers.get(session.provider)
    if (!provider || result.unasked.includes(provider.name)) return
    try {
      if (await tookMoney(context, session, provider)) result.repaired.push(repairOf(session))
    } catch (error) {
      log.warn({ err: error, sessionId: session.id }, 'a checkout that ended cannot be asked about now')
      if (error instanceof ProviderUnavailable) result.unasked.push(provider.name)
      else result.findings.push(findingOf(session))
    }
  }

  for (let start = 0; start < sessions.length && performance.now() < untilMs; start += AT_ONCE) {
    await Promise.all(sessions.slice(start, start + AT_ONCE).map(askOne))
  }
  return { ...result, unasked: [...new Set(result.unasked)] }
}

/** @returns whether there was money of which nobody here had heard */
async function tookMoney(context: OrdersContext, session: EndedSession, provider: PaymentProvider): Promise<boolean> {
  const { db, clock } = context
  const news = await withDeadline(provider.name, () => provider.inspectSession(session), DEADLINE_MS)
  const isPromised =
    news?.status === 'authorized' && session.expiresAt.getTime() > clock.now().getTime() - PROMISED_FOR_MS
  if (isPromised) return false
  let isFound = false
  if (news?.status === 'captured') {
    isFound = news.reference !== undefined && !(await isCaptured(db, provider.name, news.reference))
    await takePaymentNews(context, { ...news, sessionId: session.id })
  }
  await markReconciled(db, session.id, clock.now())
  return isFound
}

function repairOf({ id }: EndedSession): Finding {
  return {
    kind: 'payment_found',
    subject: id,
    message: 'This checkout was paid, and nobody had told us: its order was placed, or the money goes back.',
  }
}

function findingOf({ id, provider }: EndedSession): Finding {
  return {
    kind: 'session_unclear',
    subject: id,
    message: `Nobody can say whether this checkout, which has ended, was paid. Look for it at ${provider}; it is asked about again.`,
  }
}
