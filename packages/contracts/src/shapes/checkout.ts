import { z } from 'zod'
import { CurrencyCode } from '../money.ts'
import { Order } from './order.ts'

/** A checkout that goes on at a payment provider's page. */
export const RedirectCheckout = z
  .object({
    /** Where the buyer pays. */
    url: z.string(),
    /** The payment session, for `GET /checkout/sessions/:id`. */
    id: z.string(),
    /** Opens the session, and the order that becomes of it, without cookies. */
    accessToken: z.string(),
  })
  .meta({ id: 'RedirectCheckout' })
export type RedirectCheckout = z.output<typeof RedirectCheckout>

/** What the storefront opens Razorpay's form with. */
export const RazorpayCheckout = z
  .object({
    razorpay_order_id: z.string(),
    /** Minor units. */
    amount: z.int().nonnegative(),
    currency: CurrencyCode,
    key_id: z.string(),
  })
  .meta({ id: 'RazorpayCheckout' })
export type RazorpayCheckout = z.output<typeof RazorpayCheckout>

/** A checkout that became an order at once, or had before. */
export const OrderCheckout = Order.extend({
  /** Where a storefront that expects to be sent to a page goes on: an order that costs nothing is paid for nowhere. */
  url: z.string().optional(),
}).meta({ id: 'OrderCheckout' })

/** The answer to a checkout, by the storefront's checkout mode (decisions, section 5). */
export const CheckoutAnswer = z.union([OrderCheckout, RedirectCheckout, RazorpayCheckout])
export type CheckoutAnswer = z.output<typeof CheckoutAnswer>

/**
 * `creating`: the provider is being asked. `superseded`: the cart was checked out again with something else, or bought in
 * another way.
 */
export const CHECKOUT_SESSION_STATUSES = [
  'creating',
  'open',
  'completed',
  'cancelled',
  'expired',
  'failed',
  'superseded',
] as const

/** Where a checkout stands that waits for its buyer at a payment provider. */
export const CheckoutSession = z
  .object({
    id: z.string(),
    status: z.enum(CHECKOUT_SESSION_STATUSES),
    /** Of the order that became of it. */
    orderId: z.string().optional(),
    number: z.string().optional(),
  })
  .meta({ id: 'CheckoutSession' })
export type CheckoutSession = z.output<typeof CheckoutSession>
