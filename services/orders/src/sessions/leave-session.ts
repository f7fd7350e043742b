import { giveUp } from '../checkout/give-up.ts'
import type { OrdersContext } from '../context.ts'
import { providerNamed } from '../payments/providers.ts'
import type { StoredSession } from './session.ts'
import { withDeadline } from './with-deadline.ts'

/**
 * What follows when sessions have ended: nobody shall pay there any more, and what they held is given up. Both as well as
 * it goes: whoever pays all the same gets his order, and what stays held has a deadline.
 */
export async function leaveSessions(context: OrdersContext, sessions: readonly StoredSession[]): Promise<void> {
  for (const session of sessions) {
    await closeAtProvider(context, session)
    await giveUp(context, session)
  }
}

/** Lets nobody pay there any more, if the provider can be reached. */
export async function closeAtProvider(
  { providers, log }: Pick<OrdersContext, 'providers' | 'log'>,
  { id, provider, providerSession }: StoredSession,
): Promise<void> {
  if (providerSession === null) return
  try {
    await withDeadline(provider, async () => providerNamed(providers, provider)?.closeSession({ id, providerSession }))
  } catch (error) {
    log.warn({ err: error, sessionId: id, provider }, 'a payment session could not be closed at its provider')
  }
}
