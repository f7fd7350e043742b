import { z } from 'zod'
import { Money } from '../money.ts'
import { Address } from './address.ts'
import { amountFields, CartLine } from './cart.ts'
import { Timestamp } from './common.ts'
import { inOptionOrder } from './product.ts'

export const ORDER_STATUSES = ['placed', 'paid', 'fulfilled', 'delivered', 'cancelled'] as const
export const OrderStatus = z.enum(ORDER_STATUSES)
export type OrderStatus = z.output<typeof OrderStatus>

const PAYMENT_STATUSES = ['pending', 'authorized', 'captured', 'failed', 'partially_refunded', 'refunded'] as const
export const PaymentStatus = z.enum(PAYMENT_STATUSES)
export type PaymentStatus = z.output<typeof PaymentStatus>

/**
 * `pending`: the provider has not confirmed it yet; its status is requested until it does. Only `succeeded` counts as
 * refunded.
 */
export const RefundStatus = z.enum(['pending', 'succeeded', 'failed'])
export type RefundStatus = z.output<typeof RefundStatus>

/** Units of one line of an order that a refund is for. */
export const RefundedLine = z.object({
  lineId: z.string().describe('Id of a line of the order.'),
  quantity: z.int().positive().describe('Units of this line.'),
  amount: Money.describe(
    'What the buyer paid for these units: after their share of the discount and with their tax. The amount of the refund may differ.',
  ),
  restock: z.boolean().describe('Whether they are to be returned to the stock once the refund has succeeded.'),
  restocked: z
    .int()
    .nonnegative()
    .describe('How many of them this refund returned to the stock: none that came back already.'),
})
export type RefundedLine = z.output<typeof RefundedLine>

export const Refund = z.object({
  id: z.string().describe('Created by the service; `reference` is the id at the provider.'),
  amount: Money.describe('Amount of this refund.'),
  reason: z.string().optional().describe('As the merchant entered it; the buyer can read it.'),
  createdAt: Timestamp.describe('When it was requested, ISO 8601 UTC.'),
  reference: z.string().optional().describe('Id of the refund at the payment provider; left out until it is known.'),
  restocked: z.boolean().describe('Whether this refund returned the goods of the order to the stock.'),
  lines: z
    .array(RefundedLine)
    .optional()
    .describe('Only for admins: the units that it is for; left out for a refund of an amount alone.'),
  status: RefundStatus.describe('pending until the provider has confirmed it; only succeeded counts as refunded.'),
})
export type Refund = z.output<typeof Refund>

/** Why an order needs a person's attention. */
export const OrderAttention = z.enum([
  /** The payment arrived when the goods were sold out. */
  'out_of_stock',
  /** The amount paid differs from the order's total. */
  'amount_mismatch',
  /** A refund is due: the order was canceled, or paid twice. */
  'refund_due',
])
export type OrderAttention = z.output<typeof OrderAttention>

export const Tracking = z.object({
  carrier: z.string().describe('Carrier, such as UPS.'),
  code: z.string().describe('Tracking number; empty when there is only a link.'),
  url: z.string().describe('Tracking page; empty when there is only a number.'),
})
export type Tracking = z.output<typeof Tracking>

/** Units of one line of an order. */
export const FulfilledLine = z.object({
  lineId: z.string().describe('Id of a line of the order.'),
  quantity: z.int().positive().describe('Units of this line.'),
})
export type FulfilledLine = z.output<typeof FulfilledLine>

export const Fulfilment = z
  .object({
    id: z.string().describe('Identifies the parcel among those of all orders.'),
    lines: z.array(FulfilledLine).describe('What is in it.'),
    tracking: Tracking.optional().describe('Tracking details of this parcel, if it has any.'),
    createdAt: Timestamp.describe('When it was sent, ISO 8601 UTC.'),
  })
  .meta({ id: 'Fulfilment' })
export type Fulfilment = z.output<typeof Fulfilment>

export const Order = z
  .object({
    id: z.string().describe('Identifies the order in paths; random, so that it cannot be guessed.'),
    number: z
      .string()
      .describe('Sequential, for display, such as SF-10001. Accepted wherever admins give an order id.'),
    status: OrderStatus.describe('Status of the order: placed, then paid, fulfilled, delivered, or else cancelled.'),
    placedAt: Timestamp.describe('When it was placed, ISO 8601 UTC.'),
    lines: z.array(CartLine).describe('The ordered items, with their names and prices at that time.'),
    ...amountFields,
    shippingAddress: Address.describe(
      'Delivery address; parts are empty when a merchant placed the order without them.',
    ),
    shippingMethod: z.string().describe('Id from `commerce.shippingMethods`; empty when the shop has none.'),
    giftMessage: z
      .string()
      .optional()
      .describe('What the buyer wrote for the recipient, in one or more lines; left out if there is nothing.'),
    email: z
      .string()
      .describe('Address for mails about the order; an order look-up needs it together with the number.'),
    customerId: z
      .string()
      .optional()
      .describe('Only for admins: the customer the order belongs to; left out while it is a guest order.'),
    tracking: Tracking.optional().describe(
      'Tracking details; left out until the merchant sets them. Of several parcels, the newest.',
    ),
    payment: z
      .object({
        provider: z
          .string()
          .describe(
            'demo, stripe, razorpay, invoice, manual, a name given by the merchant, or none for a total of zero.',
          ),
        status: PaymentStatus.describe(
          'Separate from the status of the order: goods may be shipped before the payment arrives.',
        ),
        method: z.string().optional().describe('Such as card, if the provider or the merchant reports it.'),
        reference: z.string().optional().describe('Only for admins: id of the payment at the provider.'),
      })
      .describe('The payment of the order.'),
    refunds: z.array(Refund).describe('Oldest first; the refund of a second payment is not included.'),
    refundedTotal: Money.describe('Sum of the refunds that succeeded.'),
    paidForLines: Money.optional().describe(
      'Only for admins: what the buyer pays for the lines, after the discount and with their tax, without shipping.',
    ),
    attention: OrderAttention.optional().describe(
      'Only for admins: goods are sold out, a different amount was paid, or a refund is due. Left out if there is no problem.',
    ),
    tags: z
      .array(z.string())
      .optional()
      .describe('Only for admins: words of the merchant for the order, in the order in which they were given.'),
    fulfilments: z
      .array(Fulfilment)
      .optional()
      .describe(
        'Only for admins: the parcels that were sent, oldest first. Orders that were sent by an older version have none.',
      ),
    accessToken: z
      .string()
      .optional()
      .describe(
        'Only in the reply of the checkout: gives access to the order as `X-Order-Token` or `token` without cookies.',
      ),
  })
  .meta({ id: 'Order' })
export type Order = z.output<typeof Order>

/**
 * A refund as events and stored mails may hold it: the previous version wrote its amount as a bare integer, in minor
 * units of the order's currency.
 */
export const RecordedRefund = Refund.omit({ lines: true }).extend({ amount: z.union([Money, z.int().positive()]) })
export type RecordedRefund = z.output<typeof RecordedRefund>

/**
 * An order as events and stored mails may hold it: its refunds may be in the form of the previous version. Events lead
 * to buyers, so it has no fields that only admins see.
 */
export const RecordedOrder = Order.omit({ tags: true, fulfilments: true, paidForLines: true }).extend({
  refunds: z.array(RecordedRefund),
  /**
   * Of each line, in the order of the product's options, which JSON in a database does not keep. Older orders have
   * none.
   */
  optionNames: z.array(z.array(z.string())).optional(),
})
export type RecordedOrder = z.output<typeof RecordedOrder>

/**
 * Converts a stored refund to the current shape.
 * @param refund of this version or of the previous version
 * @param currency the order's, for a bare amount
 * @returns the refund, its amount as Money
 */
export function currentRefund(refund: RecordedRefund, currency: string): Refund {
  const { amount } = refund
  return { ...refund, amount: typeof amount === 'number' ? { amount, currency } : amount }
}

/**
 * Converts a stored order to the current shape.
 * @param order of this version or of the previous version
 * @returns the order, the amounts of its refunds as Money and the options of its lines in their order
 */
export function currentOrder({ optionNames = [], lines, ...order }: RecordedOrder): Order {
  return {
    ...order,
    lines: lines.map((line, place) => ({ ...line, options: inOptionOrder(line.options, optionNames[place] ?? []) })),
    refunds: order.refunds.map((refund) => currentRefund(refund, order.total.currency)),
  }
}
