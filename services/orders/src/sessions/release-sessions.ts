import { giveUp } from '../checkout/give-up.ts'
import type { OrdersContext } from '../context.ts'
import type { StoredSession } from './session.ts'
import { REQUEST_DEADLINE_MS, withDeadline } from '../payments/with-deadline.ts'

/**
 * Begins to close ended sessions at their providers, and releases what they held. Failures are tolerated: a buyer who
 * still pays gets the order, and a hold has a deadline.
 */
export async function releaseSessions(context: OrdersContext, sessions: readonly StoredSession[]): Promise<void> {
  // No request waits for it: the provider may take as long as the whole request may.
  for (const session of sessions) context.pageClosings.add(closeAtProvider(context, session))
  for (const session of sessions) await giveUp(context, session)
}

/** Closes the page at the provider, if the provider can be reached. */
export async function closeAtProvider(
  { providers, log }: Pick<OrdersContext, 'providers' | 'log'>,
  { id, provider, providerSession }: StoredSession,
): Promise<void> {
  if (providerSession === null) return
  try {
    const close = async () => providers.get(provider)?.closeSession({ id, providerSession })
    await withDeadline(provider, close, REQUEST_DEADLINE_MS)
  } catch (error) {
    log.warn(
      { err: error, sessionId: id, provider },
      'a payment session could not be closed at its provider; a payment made there is still processed',
    )
  }
}
