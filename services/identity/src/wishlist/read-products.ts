import { sendRequest, type Messaging } from '@storefront/messaging'
import { DependencyUnavailable, chunksOf } from '@storefront/service'
import { ReadProducts, type Product } from '@storefront/contracts'

/** Products of one request; catalog puts as many of them into a reply as a message holds. */
const CHUNK = 50

/**
 * The published products with these ids, in this order.
 * @throws DependencyUnavailable when catalog cannot be reached
 */
export async function readProducts(messaging: Messaging, ids: readonly string[]): Promise<Product[]> {
  const found = new Map<string, Product>()
  for (const chunk of chunksOf(ids, CHUNK)) {
    let open = chunk
    while (open.length > 0) {
      const { products, left } = await sendRequest(messaging, ReadProducts, { ids: open })
      for (const product of products) found.set(product.id, product)
      // Every reply must bring the loop nearer to its end.
      if (left.length >= open.length) throw new DependencyUnavailable('catalog (product.read)')
      open = left
    }
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}

/**
 * The published product with this current or former slug.
 * @throws DependencyUnavailable when catalog cannot be reached
 */
export async function readProductBySlug(messaging: Messaging, slug: string): Promise<Product | undefined> {
  const { products } = await sendRequest(messaging, ReadProducts, { slugs: [slug] })
  return products[0]
}
