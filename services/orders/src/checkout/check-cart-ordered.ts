import { replyTo } from '@storefront/messaging'
import { CheckCartOrdered } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { findOrderOfCart } from '../orders/orders.queries.ts'

/** Cart requests this before it returns an open cart, because `order.placed` may not have reached it yet. */
export function replyToCheckCartOrdered(context: OrdersContext): void {
  replyTo(context, CheckCartOrdered, async ({ cartId }) => ({
    ordered: (await findOrderOfCart(context.db, cartId)) !== undefined,
  }))
}
