import { answer, type ActorVerifier, type Log, type Messaging } from '@storefront/chassis'
import { Product, ReadProducts } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findNamed, findPublishedItems, type NamedProduct } from './read-products.queries.ts'

/** What an answer holds, as long as it is more than one product. */
const FITTING_BYTES = 400_000
/** NATS carries 1 MiB, and the answer around a product takes a little of it. */
const MAX_PRODUCT_BYTES = 1_000_000

/** Published products for another service, as lists show them. */
export function answerReadProducts(context: {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
}): void {
  const { db, log } = context
  answer(context, ReadProducts, async (names) => {
    const { chosen, left } = chooseFitting(await findNamed(db, names))
    const items = chosen.length === 0 ? [] : await findPublishedItems(db, chosen)
    const products = items.flatMap((item) => {
      const parsed = Product.safeParse(JSON.parse(item))
      // Whoever asked would have to refuse the whole answer for it.
      if (!parsed.success) log.error({ issues: parsed.error.issues }, 'a stored product response is not valid')
      return parsed.success ? [parsed.data] : []
    })
    return { products, left }
  })
}

/**
 * Which of the products go into one answer: as many as fit, and one at least. A product that no message can carry is
 * neither answered nor left, or it would be asked for for ever.
 */
export function chooseFitting(named: readonly NamedProduct[]): { chosen: string[]; left: string[] } {
  const chosen = new Set<string>()
  const left: string[] = []
  let total = 0
  for (const { name, id, bytes } of named) {
    if (bytes > MAX_PRODUCT_BYTES || chosen.has(id)) continue
    if (chosen.size > 0 && total + bytes > FITTING_BYTES) {
      left.push(name)
      continue
    }
    chosen.add(id)
    total += bytes
  }
  return { chosen: [...chosen], left }
}
