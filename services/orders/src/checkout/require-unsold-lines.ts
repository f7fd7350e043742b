import type { Quote } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { goodsBoughtElsewhere } from '../errors.ts'
import { findOrderOfCart, findOrderOfLines } from '../orders/orders.queries.ts'
import { lineIdsOf } from '../sessions/session.ts'

/**
 * Called when a checkout could not be placed: a guest's cart may have been ordered while it was merged into this one.
 * Another attempt would sell less than the buyer agreed to.
 * @throws HttpError `conflict` when one of the lines is in the order of another cart
 */
export async function requireUnsoldLines(db: Database, quote: Quote): Promise<void> {
  if (await findOrderOfCart(db, quote.cartId)) return
  if (await findOrderOfLines(db, lineIdsOf(quote))) throw goodsBoughtElsewhere()
}
