import { sendRequest, type Messaging } from '@storefront/messaging'
import { DependencyUnavailable, chunksOf } from '@storefront/service'
import { ReadProducts, type Product } from '@storefront/contracts'

/** Products in one request; catalog replies with as many of them as fit into a message. */
const CHUNK = 50

/**
 * @returns the published products with these ids, in this order, and the ids of products that were deleted
 * @throws DependencyUnavailable when catalog cannot be reached
 */
export async function readProducts(
  messaging: Messaging,
  ids: readonly string[],
): Promise<{ products: Product[]; deleted: string[] }> {
  const found = new Map<string, Product>()
  const withheldIds = new Set<string>()
  for (const chunk of chunksOf(ids, CHUNK)) {
    let remaining = chunk
    while (remaining.length > 0) {
      // An earlier version of catalog does not name what it withholds, so nothing counts as deleted.
      const { products, left, withheld = remaining } = await sendRequest(messaging, ReadProducts, { ids: remaining })
      for (const product of products) found.set(product.id, product)
      for (const id of withheld) withheldIds.add(id)
      // A reply without progress would cause an endless loop.
      if (left.length >= remaining.length) throw new DependencyUnavailable('catalog (product.read)')
      remaining = left
    }
  }
  return {
    products: ids.flatMap((id) => found.get(id) ?? []),
    deleted: ids.filter((id) => !found.has(id) && !withheldIds.has(id)),
  }
}

/**
 * The published product with this current or former slug.
 * @throws DependencyUnavailable when catalog cannot be reached
 */
export async function readProductBySlug(messaging: Messaging, slug: string): Promise<Product | undefined> {
  const { products } = await sendRequest(messaging, ReadProducts, { slugs: [slug] })
  return products[0]
}

/**
 * The id of the product with this current or former slug, published or not.
 * @throws DependencyUnavailable when catalog cannot be reached
 */
export async function readProductId(messaging: Messaging, slug: string): Promise<string | undefined> {
  const { products, withheld } = await sendRequest(messaging, ReadProducts, { slugs: [slug] })
  return products[0]?.id ?? withheld?.[0]
}
