import { setTimeout as pause } from 'node:timers/promises'
import { hashSecret } from '../access/capability.ts'
import type { OrdersContext } from '../context.ts'
import { paymentPageUnavailable } from '../errors.ts'
import type { SessionRequest } from './session-request.ts'
import { isReusable, agreementHashOf, type StoredSession } from './session.ts'
import { admitToSession, findWaitingSession } from './sessions.queries.ts'

const POLL_MS = 100
/** How long a request waits for a concurrent one that is calling the provider. */
const TIMEOUT_MS = 7000

/**
 * The open payment page of this cart, when the same checkout is repeated and enough time is left. Waits for a
 * concurrent request that is just calling the provider for it.
 */
export async function findSamePage(
  { db, clock }: OrdersContext,
  { request, quote, provider }: SessionRequest,
): Promise<StoredSession | undefined> {
  const requestHash = agreementHashOf(quote, request.details, provider.name)
  const deadlineMs = performance.now() + TIMEOUT_MS
  while (performance.now() < deadlineMs) {
    const waiting = await findWaitingSession(db, quote.cartId)
    if (!waiting?.requestHash.equals(requestHash) || !isReusable(waiting, request, clock.now())) return undefined
    if (waiting.status === 'open') {
      const secretHashes = request.secrets.map(hashSecret)
      return await admitToSession(db, waiting.id, { secretHashes, discountClaim: quote.discountClaim ?? null })
    }
    await pause(POLL_MS)
  }
  throw paymentPageUnavailable(provider.name)
}
