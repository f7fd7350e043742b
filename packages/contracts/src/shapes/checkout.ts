import { z } from 'zod'
import { CurrencyCode } from '../money.ts'
import { Order } from './order.ts'

/** A checkout that continues at a payment provider's page. */
export const RedirectCheckout = z
  .object({
    url: z.string().describe('Page of the payment provider that the buyer is sent to.'),
    id: z.string().describe('The payment session, for `GET /checkout/sessions/{id}`.'),
    accessToken: z
      .string()
      .describe('Gives access to the session, and to the order that is created from it, without cookies.'),
  })
  .meta({ id: 'RedirectCheckout' })
export type RedirectCheckout = z.output<typeof RedirectCheckout>

/** The parameters with which the storefront opens Razorpay's form. */
export const RazorpayCheckout = z
  .object({
    razorpay_order_id: z.string().describe('The order at Razorpay; also for POST /payments/verify.'),
    amount: z.int().nonnegative().describe('What the buyer pays, in minor units such as paise.'),
    currency: CurrencyCode.describe('ISO 4217 code of the amount.'),
    key_id: z.string().describe('Public key of the shop at Razorpay, `checkout.publicKey` of the configuration.'),
  })
  .meta({ id: 'RazorpayCheckout' })
export type RazorpayCheckout = z.output<typeof RazorpayCheckout>

/** A checkout that became an order immediately, or had before. */
export const OrderCheckout = Order.extend({
  url: z
    .string()
    .optional()
    .describe('Where to redirect the buyer when no payment page is needed; left out for orders that are paid later.'),
}).meta({ id: 'OrderCheckout' })

/** The reply to a checkout, by the storefront's checkout mode. */
export const CheckoutResponse = z.union([OrderCheckout, RedirectCheckout, RazorpayCheckout])
export type CheckoutResponse = z.output<typeof CheckoutResponse>

/**
 * `creating`: the request to the provider is in progress. `superseded`: the cart was checked out again with other
 * content, or bought another way.
 */
const CHECKOUT_SESSION_STATUSES = [
  'creating',
  'open',
  'completed',
  'cancelled',
  'expired',
  'failed',
  'superseded',
] as const

/** The status of a checkout that waits for its buyer at a payment provider. */
export const CheckoutSession = z
  .object({
    id: z.string().describe('The id from the reply of the checkout.'),
    status: z
      .enum(CHECKOUT_SESSION_STATUSES)
      .describe('open while the buyer can pay, completed with an order, superseded by another checkout of the cart.'),
    orderId: z
      .string()
      .optional()
      .describe('Id of the order that was created from the cart; left out until there is one.'),
    number: z.string().optional().describe('Number of that order, for display.'),
  })
  .meta({ id: 'CheckoutSession' })
export type CheckoutSession = z.output<typeof CheckoutSession>
