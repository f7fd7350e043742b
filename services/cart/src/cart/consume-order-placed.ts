import type { z } from 'zod'
import { consume, type Consumer } from '@storefront/messaging'
import { OrderPlaced } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { redeemForOrders } from '../discounts/redemptions.queries.ts'
import { markAliasesOrdered } from './aliases.queries.ts'
import { lockCarts, replaceLines } from './carts.queries.ts'
import { closeOrderedCarts, type OrderedCart } from './close-ordered-carts.ts'
import { splitOrdered } from './stored-cart.ts'

/**
 * Closes a cart that became an order and redeems its held discount; the client creates a new cart. Lines added after
 * the checkout are in the customer's next cart.
 */
export function consumeOrderPlaced(context: CartContext): Consumer {
  return consume(context, OrderPlaced, async (tx, events) => {
    const orders = new Map(events.map(({ data }) => [data.cartId, orderedCart(data)]))
    const now = context.clock.now()
    await closeOrderedCarts(tx, orders, { now, ttlDays: context.ttlDays })
    // After the carts are locked: a merge that was in progress has recorded its alias by then.
    await removeOrderedGoods(tx, orders, now)
    await redeemForOrders(
      tx,
      events.flatMap(({ data: { discountClaim: claim, customerId = null, order } }) =>
        claim === undefined
          ? []
          : [{ claim, customerId, buyerHash: context.buyers.keysOf(order.email)?.hashes[0] ?? null }],
      ),
    )
  })
}

/** An event of an earlier version has neither `lineIds` nor `cartIds`: its lines and its `cartId` replace them. */
function orderedCart({ order, cartId, cartIds, lineIds }: z.output<typeof OrderPlaced.data>): OrderedCart {
  const { lines } = order
  return { lines, lineIds: new Set(lineIds ?? lines.map(({ id }) => id)), cartIds: cartIds ?? [cartId] }
}

/**
 * A guest cart that was at a payment page when it was merged may still be paid for: the goods bought with it must not
 * stay in the other cart to be bought again.
 */
async function removeOrderedGoods(tx: Tx, orders: ReadonlyMap<string, OrderedCart>, now: Date): Promise<void> {
  const aliases = await markAliasesOrdered(tx, [...orders.keys()])
  if (aliases.length === 0) return
  const carts = await lockCarts(tx, [...new Set(aliases.map(({ cartId }) => cartId))], now)
  for (const { id, lines } of carts) {
    const bought = aliases.filter(({ cartId }) => cartId === id).flatMap(({ alias }) => orders.get(alias) ?? [])
    const goods = {
      lines: bought.flatMap((order) => order.lines),
      lineIds: new Set(bought.flatMap((order) => [...order.lineIds])),
    }
    await replaceLines(tx, id, splitOrdered(lines, goods).remaining)
  }
}
