import type { Finding } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { ProviderUnavailable } from '../payments/provider.ts'
import { takePaymentNews } from '../payments/take-payment-news.ts'
import { findEndedSessions, markReconciled } from './books.queries.ts'

const BATCH = 50
/** A buyer may pay in the last moment, and the provider's webhook may be hours late. */
const ASK_AFTER_MS = 15 * 60_000

/**
 * Asks once more what became of checkouts that ended without an order: money that came in their last moment, and whose
 * webhook was lost, becomes an order now or goes back.
 * @returns what was found, by the id of the session
 */
export async function askAboutEndedSessions(context: OrdersContext): Promise<Finding[]> {
  const { db, clock, log, providers } = context
  const endedBefore = new Date(clock.now().getTime() - ASK_AFTER_MS)
  const repaired: Finding[] = []
  for (const session of await findEndedSessions(db, { endedBefore, limit: BATCH })) {
    const provider = providers.get(session.provider)
    if (!provider?.isConfigured()) continue
    try {
      const news = await provider.inspectSession(session)
      if (news?.status === 'captured') {
        await takePaymentNews(context, news)
        repaired.push({
          kind: 'payment_found',
          subject: session.id,
          message: 'This checkout was paid, and nobody had told us: its order was placed, or the money goes back.',
        })
      }
      await markReconciled(db, session.id, clock.now())
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error
      log.warn({ err: error, session: session.id }, 'a checkout that ended cannot be asked about now')
      return repaired
    }
  }
  return repaired
}
