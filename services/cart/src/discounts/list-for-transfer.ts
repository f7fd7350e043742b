import { pageForMessage, replyTo } from '@storefront/messaging'
import { ListDiscounts } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { inputOf } from './discount.ts'
import { findDiscountsAfter } from './discounts.queries.ts'
import { findLastApplied } from './imports.queries.ts'

/**
 * The discounts of the shop for export and import, which catalog writes and reads, and how far imports have taken
 * effect.
 */
export function replyToListForTransfer(context: CartContext): void {
  const { db } = context
  replyTo(context, ListDiscounts, async ({ after = '', limit }) => {
    // Read before the discounts, which are then those of this import or of a later one.
    const imported = await findLastApplied(db)
    const rows = limit === 0 ? [] : await findDiscountsAfter(db, after, limit)
    const { records: discounts, ...page } = pageForMessage(rows, {
      limit,
      recordOf: inputOf,
      nextOf: ({ code }) => code,
    })
    return { discounts, ...page, imported }
  })
}
