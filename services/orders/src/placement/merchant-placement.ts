import { z } from 'zod'
import { Money, PostalAddress } from '@storefront/contracts'
import { paymentFailed } from '../errors.ts'
import type { OrderDraft } from '../orders/place-order.queries.ts'
import { freeCapture, isFree } from '../payments/free-order.ts'
import { PaymentMethod } from '../payments/payment-method.ts'
import type { CapturedPayment } from '../payments/payments.queries.ts'
import { isPaymentProvider } from '../payments/providers.ts'

const text = z.string().trim().min(1)

export const MerchantPlacement = z
  .object({
    cart_id: z.string().min(1).max(200).describe('The cart to order, of a customer or of a guest.'),
    email: z
      .string()
      .max(320)
      .optional()
      .describe('Where mails about the order go. Optional if the cart was at a payment page within the last day.'),
    payment: z
      .object({
        provider: text.max(50).optional().describe('The payment provider, such as stripe; `manual` if omitted.'),
        status: z
          .enum(['pending', 'authorized', 'captured', 'failed'])
          .optional()
          .describe('`captured`: the money was received. `failed` places no order. `pending` if omitted.'),
        reference: text
          .max(255)
          .optional()
          .describe(
            "The provider's reference of the payment, also the key of the order if there is no `idempotency_key`.",
          ),
        method: PaymentMethod.optional(),
        amount: z
          .union([z.int().nonnegative(), Money])
          .optional()
          .describe("The captured amount, as Money or as minor units of the cart's currency; the total if omitted."),
      })
      .optional()
      .describe('The payment; without it, an order that is not free waits for its payment.'),
    idempotency_key: text.max(255).optional().describe('The same key always returns the same order.'),
    shipping_address: PostalAddress.optional().describe(
      'Without it, the one that was given at the payment page, if any.',
    ),
    shipping_method: z
      .string()
      .max(100)
      .optional()
      .describe('`id` of one of the shipping methods of the shop; without it, the one from the payment page.'),
  })
  .meta({ id: 'MerchantPlacement' })
export type MerchantPlacement = z.output<typeof MerchantPlacement>

/** The same key never places a second order. @returns undefined when the merchant sent neither a key nor a payment */
export function placementKeyOf({ idempotency_key, payment }: MerchantPlacement): string | undefined {
  return idempotency_key ?? payment?.reference
}

/** The payment as the merchant reports it. @throws HttpError `payment_failed` */
export function paymentOf({ payment }: MerchantPlacement, capture?: { provider: string }): OrderDraft['payment'] {
  const { status = 'pending', method = null, reference = null } = payment ?? {}
  const provider = capture?.provider ?? payment?.provider ?? 'manual'
  if (status === 'failed') throw paymentFailed()
  // `confirmPayments` records the capture in the same transaction.
  return { provider, status: status === 'captured' ? 'pending' : status, method, reference }
}

export interface ExpectedPayment {
  provider: string
  reference: string
  status: 'pending' | 'authorized'
  method: string | null
}

/** The payment of the request if it is not captured yet and its provider will report about it. */
export function expectedPaymentOf({ payment }: MerchantPlacement): ExpectedPayment | undefined {
  const { provider = 'manual', reference, status = 'pending', method = null } = payment ?? {}
  if (reference === undefined || !isPaymentProvider(provider)) return undefined
  return status === 'captured' || status === 'failed' ? undefined : { provider, reference, status, method }
}

/** Whether the merchant reports that money was taken. */
export function isPaid({ payment: { status, amount } = {} }: MerchantPlacement): boolean {
  return status === 'captured' && (typeof amount === 'object' ? amount.amount : amount) !== 0
}

/** The captured payment of the request, if any. Without an amount it is the total. */
export function captureOf(
  { payment }: MerchantPlacement,
  { id, total }: { id: string; total: Money },
): Omit<CapturedPayment, 'orderId'> | undefined {
  if (payment === undefined && isFree({ total })) return freeCapture(id, total)
  if (payment?.status !== 'captured') return undefined
  const { provider = 'manual', reference = `manual_${id}`, method = null, amount = total } = payment
  const paid = typeof amount === 'number' ? { amount, currency: total.currency } : amount
  return { provider, reference, method, amountMinor: paid.amount, currency: paid.currency }
}
