import { z } from 'zod'
import { Money } from '../money.ts'
import { Address } from './address.ts'
import { CartLine } from './cart.ts'
import { Timestamp } from './common.ts'

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
  id: z.string(),
  amount: Money,
  reason: z.string().optional(),
  createdAt: Timestamp,
  /** The provider's name for it. */
  reference: z.string().optional(),
  restocked: z.boolean(),
  status: RefundStatus,
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

export const Tracking = z.object({ carrier: z.string(), code: z.string(), url: z.string() })
export type Tracking = z.output<typeof Tracking>

export const Order = z
  .object({
    id: z.string(),
    number: z.string(),
    status: OrderStatus,
    placedAt: Timestamp,
    lines: z.array(CartLine),
    subtotal: Money,
    discount: Money,
    shipping: Money,
    tax: Money,
    total: Money,
    discountCode: z.object({ code: z.string(), label: z.string() }).optional(),
    shippingAddress: Address,
    shippingMethod: z.string(),
    email: z.string(),
    /** Only for a merchant: of the customer who was signed in, or whose guest order it has become. */
    customerId: z.string().optional(),
    tracking: Tracking.optional(),
    payment: z.object({
      provider: z.string(),
      status: PaymentStatus,
      method: z.string().optional(),
      reference: z.string().optional(),
    }),
    refunds: z.array(Refund),
    refundedTotal: Money,
    attention: OrderAttention.optional(),
    /** Only in the answer that placed the order: the guest's way back without cookies (decisions, section 6). */
    accessToken: z.string().optional(),
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
export const RecordedOrder = Order.extend({ refunds: z.array(RecordedRefund) })
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
 * @returns the order, the amounts of its refunds as Money
 */
export function currentOrder(order: RecordedOrder): Order {
  return { ...order, refunds: order.refunds.map((refund) => currentRefund(refund, order.total.currency)) }
}
