import type { OrdersContext } from '../context.ts'
import type { RefundNews } from '../payments/provider.ts'

/** Nothing is given back by a provider yet, so no news of a refund is about anything here. */
export async function takeRefundNews(
  _context: OrdersContext,
  _news: RefundNews,
): Promise<{ kind: 'noted' } | { kind: 'unknown' }> {
  return { kind: 'unknown' }
}
