import type { Quote } from '@storefront/contracts'
import { giveUp } from '../checkout/give-up.ts'
import type { OrdersContext } from '../context.ts'
import { checkedOutElsewhere, paymentPageUnavailable, paymentProviderRejected } from '../errors.ts'
import {
  ProviderRejection,
  ProviderUnavailable,
  type PaymentProvider,
  type SessionToOpen,
} from '../payments/provider.ts'
import { closeAtProvider } from './release-sessions.ts'
import type { StoredSession } from './session.ts'
import { endSessions, findSession, markOpen, noteProviderSession } from './sessions.queries.ts'
import { REQUEST_DEADLINE_MS, withDeadline } from '../payments/with-deadline.ts'

/**
 * Requests the provider's page for a stored session. A failure ends the session and releases everything.
 * @returns the session, open or even paid by now
 */
export async function openAtProvider(
  context: OrdersContext,
  session: StoredSession,
  provider: PaymentProvider,
  quote: Quote,
): Promise<StoredSession> {
  const { db, log } = context
  try {
    const open = () => provider.openSession(sessionToOpen(session, quote))
    const opened = await withDeadline(provider.name, open, REQUEST_DEADLINE_MS)
    const stored = await markOpen(db, session.id, opened)
    if (stored) return stored
    // It was ended, or even paid, during the call to the provider.
    await noteProviderSession(db, session.id, opened.providerSession)
    const current = await findSession(db, session.id)
    if (current?.status === 'completed') return current
    await closeAtProvider(context, { ...session, providerSession: opened.providerSession })
    throw checkedOutElsewhere()
  } catch (error) {
    await endSessions(db, [session], 'failed')
    await giveUp(context, session)
    if (error instanceof ProviderRejection) {
      log.error({ err: error, sessionId: session.id }, 'a payment provider rejected a checkout')
      throw paymentProviderRejected(provider.name)
    }
    if (error instanceof ProviderUnavailable) {
      log.warn({ err: error, sessionId: session.id }, 'a payment provider could not be reached for a checkout')
      throw paymentPageUnavailable(provider.name)
    }
    throw error
  }
}

function sessionToOpen(session: StoredSession, { terms }: Quote): SessionToOpen {
  const { id, orderId, document, email, successUrl, cancelUrl, expiresAt } = session
  const units = document.lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const [first] = document.lines
  return {
    id,
    orderId,
    total: document.total,
    email,
    description: document.lines.length === 1 && first ? `${units} × ${first.title}` : `${units} items`,
    storeName: terms.storeName,
    successUrl: successUrl ?? undefined,
    cancelUrl: cancelUrl ?? undefined,
    expiresAt,
  }
}
