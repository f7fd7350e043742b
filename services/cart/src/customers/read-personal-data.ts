import { pageForMessage, replyTo } from '@storefront/messaging'
import { ReadCartPersonalData } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { findRedemptionsAfter } from '../discounts/redemptions.queries.ts'
import { findOpenCartsAfter, type ExportedCart } from './customer-carts.queries.ts'

const BATCH = 20

/**
 * A customer's open carts and discount redemptions, for the export of all personal data. A cart that was bought is an
 * order.
 */
export function replyToReadPersonalData(context: CartContext): void {
  replyTo(context, ReadCartPersonalData, async ({ customerId, after = '' }) => {
    const { db } = context
    // Ids of redemptions sort after those of carts, so a page that starts after a redemption holds no carts.
    const carts = after.startsWith('use_') ? [] : await findOpenCartsAfter(db, customerId, { after, limit: BATCH })
    const left = BATCH - carts.length
    const redemptions = left === 0 ? [] : await findRedemptionsAfter(db, customerId, { after, limit: left })
    const rows = [
      ...carts.map((cart) => ({ id: cart.id, kind: 'cart', record: recordOf(cart) })),
      ...redemptions.map(({ id, code, status, heldAt }) => ({
        id,
        kind: 'discount-use',
        record: { code, status, at: heldAt.toISOString() },
      })),
    ]
    return pageForMessage(rows, {
      limit: BATCH,
      recordOf: ({ kind, record }) => ({ kind, record }),
      nextOf: ({ id }) => id,
    })
  })
}

function recordOf({ id, createdAt, expiresAt, discountCode, lines }: ExportedCart): Record<string, unknown> {
  return {
    id,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...(discountCode !== null && { discountCode }),
    lines: lines.map(({ variantId, quantity, remembered: { productSlug, title, options } }) => ({
      variantId,
      productSlug,
      title,
      options,
      quantity,
    })),
  }
}
