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

export const Refund = z.object({
  id: z.string(),
  amount: z.int().positive(),
  reason: z.string().optional(),
  createdAt: Timestamp,
  reference: z.string().optional(),
  restocked: z.boolean(),
})

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
    tracking: z.object({ carrier: z.string(), code: z.string(), url: z.string() }).optional(),
    payment: z.object({
      provider: z.string(),
      status: PaymentStatus,
      method: z.string().optional(),
      reference: z.string().optional(),
    }),
    refunds: z.array(Refund),
    refundedTotal: Money,
    attention: z.string().optional(),
    /** Only in the answer that placed the order: the guest's way back without cookies (decisions, section 6). */
    accessToken: z.string().optional(),
  })
  .meta({ id: 'Order' })
export type Order = z.output<typeof Order>
