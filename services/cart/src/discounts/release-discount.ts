import { replyTo } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import { ReleaseDiscount } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { releaseRedemptions } from './redemptions.queries.ts'

/** Releases the discount redemption of a failed checkout. Orders has recorded the claim as abandoned before. */
export function replyToReleaseDiscount(context: CartContext): void {
  replyTo(context, ReleaseDiscount, async ({ claim }) => {
    const released = await transaction(context.db, (tx) => releaseRedemptions(tx, [claim], ['held']))
    return { released: released > 0 }
  })
}
