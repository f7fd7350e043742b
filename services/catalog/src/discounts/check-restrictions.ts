import { replyTo } from '@storefront/messaging'
import { CheckRestrictions } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { findUnknownNames } from './restrictions.queries.ts'

/** Replies to cart with the products and categories of a discount that the shop does not have. */
export function replyToCheckRestrictions(context: CatalogContext): void {
  replyTo(context, CheckRestrictions, async (names) => {
    const { unknown, total } = await findUnknownNames(context.db, names)
    return {
      unknown: unknown.map(({ suggestion, ...name }) => ({ ...name, ...(suggestion !== null && { suggestion }) })),
      total,
    }
  })
}
