import { RedirectCheckout } from '@storefront/contracts'
import { applyPaymentUpdate } from '../src/payments/apply-payment-update.ts'
import { usd, type TestResponse, type Shop } from './shop.ts'

/** The page in the response of a checkout in the mode `redirect`. */
export function pageOf({ status, body }: TestResponse): RedirectCheckout {
  if (status !== 200) throw new Error(`the status is ${status}: ${JSON.stringify(body)}`)
  return RedirectCheckout.parse(body)
}

/** Stripe reports a payment of a session. @param amount in minor units */
export function payAtStripe(shop: Shop, sessionId: string, reference: string, amount = 8920) {
  return applyPaymentUpdate(shop.orders.context, {
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
