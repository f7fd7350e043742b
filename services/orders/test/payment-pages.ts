import { RedirectCheckout } from '@storefront/contracts'
import { takePaymentNews } from '../src/payments/take-payment-news.ts'
import { usd, type Answer, type Shop } from './shop.ts'

/** The page in the response of a checkout in the mode `redirect`. */
export function pageOf({ status, body }: Answer): RedirectCheckout {
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
  return RedirectCheckout.parse(body)
}

/** Stripe reports a payment of a session. @param amount in minor units */
export function payAtStripe(shop: Shop, sessionId: string, reference: string, amount = 8920) {
  return takePaymentNews(shop.orders.context, {
    kind: 'payment',
    provider: 'stripe',
    status: 'captured',
    reference,
    sessionId,
    providerSession: undefined,
    orderId: undefined,
    amount: usd(amount),
    method: 'card',
  })
}

export async function sessionStatus({ suite }: Pick<Shop, 'suite'>, sessionId: string): Promise<string | undefined> {
  const sql = 'select status from orders.payment_sessions where id = $1'
  const [row] = await suite.sql<{ status: string }>(sql, [sessionId])
  return row?.status
}
