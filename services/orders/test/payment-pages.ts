import { RedirectCheckout } from '@storefront/contracts'
import { applyPaymentUpdate } from '../src/payments/apply-payment-update.ts'
import type { PaymentUpdate } from '../src/payments/provider.ts'
import { usd, type TestResponse, type Shop } from './shop.ts'

/** The page in the response of a checkout in the mode `redirect`. */
export function pageOf({ status, body }: TestResponse): RedirectCheckout {
  if (status !== 200) throw new Error(`the status is ${status}: ${JSON.stringify(body)}`)
  return RedirectCheckout.parse(body)
}

/** What a provider reports of a payment: by default Stripe, which captured 89.20. */
export function paymentUpdate(more: Partial<PaymentUpdate>): PaymentUpdate {
  return {
    kind: 'payment',
    provider: 'stripe',
    status: 'captured',
    reference: undefined,
    sessionId: undefined,
    providerSession: undefined,
    orderId: undefined,
    amount: usd(8920),
    method: 'card',
    ...more,
  }
}

/** Stripe reports a payment of a session. @param amount in minor units */
export function payAtStripe(shop: Shop, sessionId: string, reference: string, amount = 8920) {
  return applyPaymentUpdate(shop.orders.context, paymentUpdate({ sessionId, reference, amount: usd(amount) }))
}

export async function sessionStatus({ suite }: Pick<Shop, 'suite'>, sessionId: string): Promise<string | undefined> {
  const sql = 'select status from orders.payment_sessions where id = $1'
  const [row] = await suite.sql<{ status: string }>(sql, [sessionId])
  return row?.status
}
