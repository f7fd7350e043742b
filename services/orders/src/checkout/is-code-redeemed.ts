import type { Quote } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { hasRedeemingOrder } from '../orders/orders.queries.ts'
import { cartIdsOf } from '../sessions/session.ts'

/**
 * Whether this cart has a discount code, and an order that redeemed one has sold a cart that is merged into it or that
 * it was merged into: cart counts redemptions of merged carts as one until it has consumed `order.placed`. Final only
 * while the carts are locked.
 */
export async function isCodeRedeemed(db: Database | Tx, quote: Quote, requestedCartId: string): Promise<boolean> {
  if (quote.discountClaim === undefined) return false
  return hasRedeemingOrder(db, cartIdsOf(quote, requestedCartId))
}
