import type { Quote } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { goodsBoughtElsewhere } from '../errors.ts'
import { findOrderOfCart, hasRedeemingOrder } from '../orders/orders.queries.ts'
import { cartIdsOf } from '../sessions/session.ts'

/**
 * Whether this cart has a discount code and an order that redeemed one sold a cart that was merged with this one: cart
 * counts redemptions of merged carts as one until it has consumed `order.placed`. Final only while the carts are
 * locked.
 */
export async function isCodeRedeemed(db: Database | Tx, quote: Quote, requestedCartId: string): Promise<boolean> {
  if (quote.discountClaim === undefined) return false
  return hasRedeemingOrder(db, cartIdsOf(quote, requestedCartId))
}

/**
 * Called when an order could not be placed, like `requireUnsoldLines`. The order of the cart itself redeemed its own
 * code, which is no conflict.
 * @throws HttpError `conflict` when the order of a cart that is merged with this one has redeemed a code
 */
export async function requireCodeNotRedeemed(db: Database, quote: Quote, requestedCartId: string): Promise<void> {
  if (await findOrderOfCart(db, quote.cartId)) return
  if (await isCodeRedeemed(db, quote, requestedCartId)) throw goodsBoughtElsewhere()
}
