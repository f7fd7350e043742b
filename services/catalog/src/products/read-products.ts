import { replyTo } from '@storefront/messaging'
import { Product, ReadProducts } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { chooseFitting } from './choose-fitting.ts'
import { findNamed, findPublishedItems } from './read-products.queries.ts'

/** Replies to another service with published products, as lists show them. */
export function replyToReadProducts(context: CatalogContext): void {
  const { db, log } = context
  replyTo(context, ReadProducts, async (names) => {
    const named = await findNamed(db, names)
    const { chosen, left } = chooseFitting(named)
    const items = chosen.length === 0 ? [] : await findPublishedItems(db, chosen)
    const products = items.flatMap((item) => {
      const parsed = Product.safeParse(JSON.parse(item))
      // One invalid product would make the consumer reject the whole reply.
      if (!parsed.success) log.error({ issues: parsed.error.issues }, 'an invalid product was left out of a reply')
      return parsed.success ? [parsed.data] : []
    })
    const listed = new Set([...products.map(({ id }) => id), ...left])
    const withheld = named.filter(({ name, id }) => !listed.has(name) && !listed.has(id)).map(({ id }) => id)
    return { products, left, withheld }
  })
}
