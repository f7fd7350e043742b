import { answer, messagePage, type ActorVerifier, type Log, type Messaging } from '@storefront/chassis'
import { ReadCartPersonalData } from '@storefront/contracts'
import { findOpenCartsAfter, type KeptCart } from '../cart/carts.queries.ts'
import type { Database } from '../database.ts'

const BATCH = 20

/** A customer's open carts, for the document of everything that is kept about a person. One that was bought is an order. */
export function answerReadPersonalData(context: {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
}): void {
  answer(context, ReadCartPersonalData, async ({ customerId, after = '' }) => {
    const carts = await findOpenCartsAfter(context.db, customerId, { after, limit: BATCH })
    return messagePage(carts, {
      limit: BATCH,
      recordOf: (cart) => ({ kind: 'cart', record: recordOf(cart) }),
      nextOf: ({ id }) => id,
    })
  })
}

function recordOf({ id, createdAt, expiresAt, discountCode, lines }: KeptCart): Record<string, unknown> {
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
