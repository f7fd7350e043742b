import type { LiveRequest } from '../../server/live-page.tsx'
import { found, type Product } from '../../shop/catalog.ts'
import type { Cart } from './bag-contents.tsx'

const DEFAULT_LIMIT = 3
const MAX = 12

/** Products that go with the newest one in the bag, without those that are in it. */
export async function recommendedFor({ shop, context }: LiveRequest, { lines }: Cart): Promise<Product[]> {
  const { enabled, limit, strategy } = context.frame.settings.recommendations?.inCart ?? {}
  const slug = lines.at(-1)?.productSlug
  if (enabled !== true || slug === undefined) return []
  const wanted = Math.min(limit ?? DEFAULT_LIMIT, MAX)
  const inBag = new Set(lines.map(({ productSlug }) => productSlug))
  // As many more as the bag may have of them.
  const query = { limit: Math.min(wanted + inBag.size, MAX), ...(strategy && { strategy }) }
  const related = shop.get('/products/{slug}/related', { params: { path: { slug }, query } })
  // If they cannot be read, the bag is shown without them.
  const list = await found(related).catch(() => undefined)
  return (list?.items ?? []).filter((product) => !inBag.has(product.slug)).slice(0, wanted)
}
