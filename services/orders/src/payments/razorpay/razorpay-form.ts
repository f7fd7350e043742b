import { unconfirmedPayment } from '../../errors.ts'
import { isSignedWith } from '../hex-signature.ts'
import { ProviderRejection, type PaymentUpdate, type SignedResult } from '../provider.ts'
import type { ProviderSecret } from '../provider-secret.ts'
import type { RazorpayApi } from './razorpay-api.ts'
import { RazorpayOrder, RazorpayPayment } from './razorpay-shapes.ts'
import { updateOfPayment } from './razorpay-updates.ts'

/**
 * What the signed result of Razorpay's form means.
 * @returns undefined when the payment does not belong to the order
 * @throws HttpError `bad_signature`
 */
export async function updateOfForm(
  { providerSession, reference, signature }: SignedResult,
  { call, keySecret }: { call: RazorpayApi; keySecret: ProviderSecret },
): Promise<PaymentUpdate | undefined> {
  if (!isSignedWith(keySecret(), `${providerSession}|${reference}`, signature)) throw unconfirmedPayment()
  const [payment, order] = await Promise.all([
    readPayment(call, reference),
    call({ path: `/orders/${encodeURIComponent(providerSession)}`, schema: RazorpayOrder }),
  ])
  if (payment.order_id !== order.id) return undefined
  return updateOfPayment(await capture(call, payment, order), order)
}

function readPayment(call: RazorpayApi, id: string): Promise<RazorpayPayment> {
  return call({ path: `/payments/${encodeURIComponent(id)}`, schema: RazorpayPayment })
}

/** Captures an authorized payment when its amount is the order's total. */
async function capture(call: RazorpayApi, payment: RazorpayPayment, order: RazorpayOrder): Promise<RazorpayPayment> {
  const { amount, currency } = payment
  if (payment.status !== 'authorized' || amount !== order.amount || currency !== order.currency) return payment
  const path = `/payments/${encodeURIComponent(payment.id)}/capture`
  try {
    return await call({ path, schema: RazorpayPayment, body: { amount, currency } })
  } catch (error) {
    // Another request may have captured it: then Razorpay rejects a second capture.
    if (error instanceof ProviderRejection) return readPayment(call, payment.id)
    throw error
  }
}
