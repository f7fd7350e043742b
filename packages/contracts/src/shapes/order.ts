import { z } from 'zod'
import { Money } from '../money.ts'
import { Address } from './address.ts'
import { amountFields, CartLine } from './cart.ts'
import { Timestamp } from './common.ts'
import { inOptionOrder } from './product.ts'

export const ORDER_STATUSES = ['placed', 'paid', 'fulfilled', 'delivered', 'cancelled'] as const
export const OrderStatus = z.enum(ORDER_STATUSES)
export type OrderStatus = z.output<typeof OrderStatus>

export const PAYMENT_STATUSES = [
  'pending',
  'authorized',
  'captured',
  'failed',
  'partially_refunded',
  'refunded',
] as const
export const PaymentStatus = z.enum(PAYMENT_STATUSES)
export type PaymentStatus = z.output<typeof PaymentStatus>

/** `pending`: the provider has not said yes for sure, and is asked until it does. Only `succeeded` counts as refunded. */
export const RefundStatus = z.enum(['pending', 'succeeded', 'failed'])
export type RefundStatus = z.output<typeof RefundStatus>

export const Refund = z.object({
  id: z.string().describe('Made by the service; `reference` is the name at the provider.'),
  amount: Money.describe('What goes back with this refund.'),
  reason: z.string().optional().describe('As the merchant gave it; the buyer can read it.'),
  createdAt: Timestamp.describe('When it was requested, ISO 8601 UTC.'),
  reference: z.string().optional().describe('Name of the refund at the payment provider; left out until it is known.'),
  restocked: z.boolean().describe('Whether the goods of the order went back into stock with this refund.'),
  status: RefundStatus.describe('pending until the provider has confirmed it; only succeeded counts as refunded.'),
})
export type Refund = z.output<typeof Refund>

/** Why a person has to look at an order. */
export const OrderAttention = z.enum([
  /** The money came when the goods were gone. */
  'out_of_stock',
  /** Another amount was paid than the order costs. */
  'amount_mismatch',
  /** Money is to be given back: the order was cancelled, or paid twice. */
  'refund_due',
])
export type OrderAttention = z.output<typeof OrderAttention>

export const Tracking = z.object({
  carrier: z.string().describe('Who brings the parcel, such as UPS.'),
  code: z.string().describe('Number of the parcel; empty when there is only a link.'),
  url: z.string().describe('Page that follows the parcel; empty when there is only a number.'),
})
export type Tracking = z.output<typeof Tracking>

export const Order = z
  .object({
    id: z.string().describe('Names the order in paths; random, so that it cannot be guessed.'),
    number: z.string().describe('Sequential, for people, such as SF-10001. Works wherever admins give an order id.'),
    status: OrderStatus.describe('Where the order stands: placed, then paid, fulfilled, delivered, or else cancelled.'),
    placedAt: Timestamp.describe('When it was placed, ISO 8601 UTC.'),
    lines: z.array(CartLine).describe('What was bought, as it was named and priced then.'),
    ...amountFields,
    shippingAddress: Address.describe('Where the goods go; parts are empty when a merchant placed it without them.'),
    shippingMethod: z.string().describe('Id from `commerce.shippingMethods`; empty when the shop has none.'),
    email: z.string().describe('Where mails about the order go; looking an order up needs it beside the number.'),
    customerId: z
      .string()
      .optional()
      .describe('Only for admins: the customer the order belongs to; left out while it is a guest order.'),
    tracking: Tracking.optional().describe('How to follow the parcel; left out until the merchant sets it.'),
    payment: z
      .object({
        provider: z
          .string()
          .describe('demo, stripe, razorpay, invoice, manual, what a merchant named, or none for a total of zero.'),
        status: PaymentStatus.describe(
          'Separate from the status of the order: goods may be sent before the money is there.',
        ),
        method: z.string().optional().describe('Such as card, where the provider or the merchant says so.'),
        reference: z.string().optional().describe('Only for admins: name of the payment at the provider.'),
      })
      .describe('How the order is paid.'),
    refunds: z.array(Refund).describe('Oldest first; the return of a second payment is not among them.'),
    refundedTotal: Money.describe('Sum of the refunds that succeeded.'),
    attention: OrderAttention.optional().describe(
      'Only for admins: goods are gone, another amount was paid, or money is due back. Left out when all is well.',
    ),
    accessToken: z
      .string()
      .optional()
      .describe('Only in the reply of the checkout: opens the order as `X-Order-Token` or `token` without cookies.'),
  })
  .meta({ id: 'Order' })
export type Order = z.output<typeof Order>

/**
 * A refund as events and stored mails may hold it: the version before wrote its amount as a bare integer, in minor units of
 * the order's currency.
 */
export const RecordedRefund = Refund.extend({ amount: z.union([Money, z.int().positive()]) })
export type RecordedRefund = z.output<typeof RecordedRefund>

/** An order as events and stored mails may hold it: its refunds may be of the version before. */
export const RecordedOrder = Order.extend({
  refunds: z.array(RecordedRefund),
  /** Of each line, in the order of the product's options, which JSON in a database loses. Older ones have none. */
  optionNames: z.array(z.array(z.string())).optional(),
})
export type RecordedOrder = z.output<typeof RecordedOrder>

/**
 * Brings a recorded refund into today's shape.
 * @param refund of this version or of the version before
 * @param currency the order's, which a bare amount is in
 * @returns the refund, its amount as Money
 */
export function currentRefund(refund: RecordedRefund, currency: string): Refund {
  const { amount } = refund
  return { ...refund, amount: typeof amount === 'number' ? { amount, currency } : amount }
}

/**
 * Brings a recorded order into today's shape.
 * @param order of this version or of the version before
 * @returns the order, the amounts of its refunds as Money and the options of its lines in their order
 */
export function currentOrder({ optionNames = [], lines, ...order }: RecordedOrder): Order {
  return {
    ...order,
    lines: lines.map((line, place) => ({ ...line, options: inOptionOrder(line.options, optionNames[place] ?? []) })),
    refunds: order.refunds.map((refund) => currentRefund(refund, order.total.currency)),
  }
}
