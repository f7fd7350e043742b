import type { Quote } from '@storefront/contracts'
import { giveUp } from '../checkout/give-up.ts'
import type { OrdersContext } from '../context.ts'
import { checkedOutElsewhere, paymentPageUnavailable, paymentProviderRejected } from '../errors.ts'
import {
  ProviderRejection,
  ProviderUnavailable,
  type OpenedSession,
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
  const { db, log, pageClosings } = context
  const open = async () => provider.openSession(sessionToOpen(session, quote))
  const opening = open()
  let opened: OpenedSession | undefined
  try {
    opened = await withDeadline(provider.name, () => opening, REQUEST_DEADLINE_MS)
    const stored = await markOpen(db, session.id, opened)
    if (stored) return stored
    // It was ended, or even paid, during the call to the provider.
    await noteProviderSession(db, session.id, opened.providerSession)
    const current = await findSession(db, session.id)
    if (current?.status === 'completed') return current
    pageClosings.add(closeAtProvider(context, { ...session, providerSession: opened.providerSession }))
    throw checkedOutElsewhere()
  } catch (error) {
    if (opened === undefined) pageClosings.add(closeWhenOpened(context, session, opening))
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

/** A page that the provider opens too late: no buyer has its address. */
async function closeWhenOpened(
  context: OrdersContext,
  session: StoredSession,
  opening: Promise<OpenedSession>,
): Promise<void> {
  const late = await opening.catch(() => undefined)
  if (!late) return
  const { providerSession } = late
  await closeAtProvider(context, { ...session, providerSession })
  await noteProviderSession(context.db, session.id, providerSession).catch((error: unknown) =>
    context.log.warn({ err: error, sessionId: session.id }, 'the id of a page that was opened too late was not stored'),
  )
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
