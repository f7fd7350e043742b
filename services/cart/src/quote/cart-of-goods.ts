import type { z } from 'zod'
import type { QuoteCart } from '@storefront/contracts'
import type { StoredCart } from '../cart/stored-cart.ts'
import type { Database } from '../database.ts'
import { findDiscountFor } from '../discounts/discounts.queries.ts'
import { variantNotFound } from '../errors.ts'
import type { PriceReading } from '../price-projection/read-prices.ts'

export interface CartToQuote extends StoredCart {
  /** Guests' carts that were merged into it. */
  mergedCartIds: string[]
}

/**
 * The goods of a draft order as a guest's cart, which is stored nowhere: it is priced like any other.
 * @throws HttpError `variant_not_found`
 */
export async function cartOfGoods(
  db: Database,
  { cartId: id, goods }: Pick<z.output<typeof QuoteCart.request>, 'cartId' | 'goods'>,
  { entries }: PriceReading,
): Promise<CartToQuote> {
  const lines = (goods?.lines ?? []).map((line) => {
    const facts = entries.get(line.variantId)?.facts
    if (!facts) throw variantNotFound()
    return { ...line, remembered: { ...facts, optionNames: Object.keys(facts.options) } }
  })
  const discountCode = goods?.discountCode ?? null
  const cart = {
    id,
    customerId: null,
    lines,
    version: 1,
    recentKeys: [],
    discountCode,
    discount: null,
    mergedCartIds: [],
  }
  if (discountCode === null) return cart
  return { ...cart, discount: await findDiscountFor(db, discountCode, { id, customerId: null }) }
}
