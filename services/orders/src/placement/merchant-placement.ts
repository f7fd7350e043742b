import { z } from 'zod'
import { Money, PostalAddress } from '@storefront/contracts'
import { paymentFailed } from '../errors.ts'
import { freeCapture, isFree } from '../payments/free-order.ts'
import { PaymentMethod } from '../payments/payment-method.ts'
import type { CapturedPayment } from '../payments/payments.queries.ts'
import type { OrderDraft } from '../orders/orders.queries.ts'

const text = z.string().trim().min(1)

export const MerchantPlacement = z
  .object({
    cart_id: z.string().min(1).max(200).describe('The cart to sell, whether it is that of a customer or of a guest.'),
    email: z
      .string()
      .max(320)
      .optional()
      .describe('Where mails about the order go. May be left out if the cart was at a payment page within a day.'),
    payment: z
      .object({
        provider: text.max(50).optional().describe('Who took the money, such as stripe; `manual` if left out.'),
        status: z
          .enum(['pending', 'authorized', 'captured', 'failed'])
          .optional()
          .describe('`captured`: the money is there. `failed` places no order. `pending` if left out.'),
        reference: text
          .max(255)
          .optional()
          .describe("The provider's name for the payment, also the key of the order if there is no `idempotency_key`."),
        method: PaymentMethod.optional(),
        amount: z
          .union([z.int().nonnegative(), Money])
          .optional()
          .describe("What was captured, as Money or as minor units of the cart's currency; the total if left out."),
      })
      .optional()
      .describe('What is known of the money; without it, an order that costs anything waits for its payment.'),
    idempotency_key: text
      .max(255)
      .optional()
      .describe('However often it is sent, the same key stands for the same order.'),
    shipping_address: PostalAddress.optional().describe(
      'Without it, the one that the cart had at its payment page, if any.',
    ),
    shipping_method: z
      .string()
      .max(100)
      .optional()
      .describe('`id` of one of the shipping methods of the shop; without it, the one from the payment page.'),
  })
  .meta({ id: 'MerchantPlacement' })
export type MerchantPlacement = z.output<typeof MerchantPlacement>

/** The same key places nothing twice. @returns undefined when the merchant gave neither a key nor a payment */
export function placementKeyOf({ idempotency_key, payment }: MerchantPlacement): string | undefined {
  return idempotency_key ?? payment?.reference
}

/** What the merchant says of the money. @throws Refusal `payment_failed` */
export function paymentOf({ payment }: MerchantPlacement, capture?: { provider: string }): OrderDraft['payment'] {
  const { status = 'pending', method = null, reference = null } = payment ?? {}
  const provider = capture?.provider ?? payment?.provider ?? 'manual'
  if (status === 'failed') throw paymentFailed()
  // What is captured becomes so in the same transaction, by the one function that does that.
  return { provider, status: status === 'captured' ? 'pending' : status, method, reference }
}

/** The money that came with the order, if it did. Who leaves out how much it was means all of it. */
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
