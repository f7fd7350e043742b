import { answer, type ActorVerifier, type Log, type Messaging } from '@storefront/chassis'
import { ReadCartPersonalData } from '@storefront/contracts'
import { findOpenCartsAfter, type KeptCart } from '../cart/carts.queries.ts'
import type { Database } from '../database.ts'

const BATCH = 20
/** What a page holds, as long as it is more than one cart. */
const PAGE_BYTES = 256_000

/** A customer's open carts, for the document of everything that is kept about a person. One that was bought is an order. */
export function answerReadPersonalData(context: {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
}): void {
  answer(context, ReadCartPersonalData, async ({ customerId, after = '' }) => {
    const carts = await findOpenCartsAfter(context.db, customerId, { after, limit: BATCH })
    const records: { kind: string; record: Record<string, unknown> }[] = []
    let bytes = 0
    for (const cart of carts) {
      const record = { kind: 'cart', record: recordOf(cart) }
      bytes += Buffer.byteLength(JSON.stringify(record))
      if (records.length > 0 && bytes > PAGE_BYTES) break
      records.push(record)
    }
    const last = carts[records.length - 1]
    const isAll = records.length === carts.length && carts.length < BATCH
    return { records, ...(isAll || !last ? {} : { next: last.id }) }
  })
}

function recordOf({ id, createdAt, expiresAt, lines }: KeptCart): Record<string, unknown> {
  return {
    id,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lines: lines.map(({ variantId, quantity, remembered: { productSlug, title, options } }) => ({
      variantId,
      productSlug,
      title,
      options,
      quantity,
    })),
  }
}
