import { ask, Refusal } from '@storefront/chassis'
import { QuoteCart, type Quote } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { currencyMismatch } from '../errors.ts'
import type { StoredOrder } from '../orders/order.ts'
import { findOrderOfCart } from '../orders/orders.queries.ts'
import { NEWS_GRACE_SECONDS } from '../sessions/session.ts'
import type { CheckoutRequest } from './checkout.ts'

/** How long goods stay held for a buyer at a payment provider, and a use of the discount code for any checkout. */
export function sessionHoldSeconds({ paymentSessionTtlSeconds }: OrdersContext): number {
  return paymentSessionTtlSeconds + NEWS_GRACE_SECONDS
}

/**
 * What the cart costs, with a use of its discount code held. For as long as a payment session needs it: before the answer
 * nobody knows how the shop sells.
 * @returns the order instead, when the cart became one while we asked
 * @throws Refusal `currency_mismatch`, before anything is held, and what the cart refuses
 */
export async function quoteCart(
  context: OrdersContext,
  request: CheckoutRequest,
): Promise<Quote | { order: StoredOrder }> {
  const { cartId, details, actorToken, customerId } = request
  const { address, shippingMethod, currency, email } = details
  const question = { cartId, address, shippingMethod }
  try {
    if (currency !== undefined) {
      const quote = await ask(context.messaging, QuoteCart, question, { actorToken })
      if (quote.currency !== currency) throw currencyMismatch(currency, quote.currency)
    }
    const hold = { email, ttlSeconds: sessionHoldSeconds(context) }
    const { terms, ...quote } = await ask(context.messaging, QuoteCart, { ...question, hold }, { actorToken })
    // Of an operator who takes the money for a merchant.
    return {
      ...quote,
      terms: context.razorpayKeyId === undefined ? terms : { razorpayKeyId: context.razorpayKeyId, ...terms },
    }
  } catch (error) {
    const isGone = error instanceof Refusal && error.code === 'cart_not_found'
    const order = isGone && (await findOrderOfCart(context.db, cartId))
    // What a customer bought is not there for anybody else, however he came to know the cart.
    if (order && (order.customerId === null || order.customerId === customerId)) return { order }
    throw error
  }
}
