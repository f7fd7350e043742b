import type { OrdersContext } from '../context.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { PaymentNews } from './provider.ts'

/** Nothing waits at a provider yet, so no news of a payment is about anything here. */
export async function takePaymentNews(
  _context: OrdersContext,
  _news: PaymentNews,
): Promise<{ kind: 'order'; order: StoredOrder } | { kind: 'noted' } | { kind: 'unknown' }> {
  return { kind: 'unknown' }
}
