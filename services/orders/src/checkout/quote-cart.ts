import { sendRequest } from '@storefront/messaging'
import { HttpError } from '@storefront/service'
import { QuoteCart, type Quote } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { currencyMismatch } from '../errors.ts'
import type { StoredOrder } from '../orders/order.ts'
import { findOrderOfCart } from '../orders/orders.queries.ts'
import { withOperatorKey } from '../payments/providers.ts'
import { UPDATE_GRACE_SECONDS } from '../sessions/session.ts'
import type { CheckoutRequest } from './checkout-request.ts'

/** How long goods stay reserved for a buyer at a payment provider, and a discount redemption for any checkout. */
export function sessionHoldSeconds({ paymentSessionTtlSeconds }: OrdersContext): number {
  return paymentSessionTtlSeconds + UPDATE_GRACE_SECONDS
}

/**
 * The price of the cart, with a redemption of its discount code held. It is held for as long as a payment session
 * needs, because the checkout mode is unknown before the reply.
 * @returns the order instead, when the cart was ordered meanwhile
 * @throws HttpError `currency_mismatch`, before anything is held, and any error of the cart
 */
export async function quoteCart(
  context: OrdersContext,
  request: CheckoutRequest,
): Promise<Quote | { order: StoredOrder }> {
  const { cartId, details, actorToken, customerId, goods } = request
  const { address, shippingMethod, currency, email } = details
  const quoteRequest = { cartId, address, shippingMethod, ...(goods && { goods }) }
  try {
    if (currency !== undefined) {
      const quote = await sendRequest(context.messaging, QuoteCart, { ...quoteRequest, email }, { actorToken })
      if (quote.currency !== currency) throw currencyMismatch(currency, quote.currency)
    }
    const hold = { email, ttlSeconds: sessionHoldSeconds(context) }
    const { terms, ...quote } = await sendRequest(
      context.messaging,
      QuoteCart,
      { ...quoteRequest, hold },
      { actorToken },
    )
    return { ...quote, terms: withOperatorKey(terms, context.razorpayKeyId) }
  } catch (error) {
    const isGone = error instanceof HttpError && error.code === 'cart_not_found'
    const order = isGone && (await findOrderOfCart(context.db, cartId))
    // A cart that a customer ordered is not found for anyone else, even with its id.
    if (order && (order.customerId === null || order.customerId === customerId)) return { order }
    throw error
  }
}
