import { setTimeout as pause } from 'node:timers/promises'
import { StorefrontError } from '@storefront/client'
import type { Storefront } from '../server/storefront.ts'
import type { ProductList, ProductQuery } from '../shop/catalog.ts'
import { SITEMAP_END, SITEMAP_START, sitemapEntry } from './sitemap-xml.ts'

const PER_REQUEST = 48
const REQUESTS_PER_PART = 937
/** A sitemap may have 50,000 addresses: a part ends where a page of the shop's list ends. */
const PRODUCTS_PER_PART = PER_REQUEST * REQUESTS_PER_PART
const MAX_PICTURES = 5
/** The shop limits the requests of one client within a minute. */
const LIMIT_PAUSE_MS = 10_000
const MAX_PAUSES = 9
/** New products come first, so that the other parts change little. */
const ORDER = { sort: 'newest', per_page: PER_REQUEST } as const

/** @returns how many parts the products fill, one at least */
export async function countProductParts(storefront: Storefront): Promise<number> {
  const { total } = await storefront.shop.get('/products', { params: { query: { per_page: 1 } } })
  return Math.max(1, Math.ceil(total / PRODUCTS_PER_PART))
}

/** Reads one page of products after the other, by cursors: only one is in memory. @param part counted from 1 */
export async function* productPart(storefront: Storefront, part: number): AsyncGenerator<string> {
  const { settings } = await storefront.frames.read()
  const hasPictures = settings.seo?.sitemapImages === true
  const url = storefront.config.STOREFRONT_URL
  yield SITEMAP_START
  let query: ProductQuery = { ...ORDER, page: (part - 1) * REQUESTS_PER_PART + 1 }
  for (let request = 0; request < REQUESTS_PER_PART; request++) {
    const { items, nextCursor } = await read(storefront, query)
    const entries = items.map(({ slug, images }) =>
      sitemapEntry({
        address: `${url}/product/${encodeURIComponent(slug)}`,
        pictures: hasPictures ? images.slice(0, MAX_PICTURES).map((image) => image.url) : [],
      }),
    )
    yield entries.join('')
    if (nextCursor === undefined) break
    query = { ...ORDER, cursor: nextCursor }
  }
  yield SITEMAP_END
}

async function read({ shop }: Storefront, query: ProductQuery): Promise<ProductList> {
  for (let pauses = 0; ; pauses++) {
    try {
      return await shop.get('/products', { params: { query } })
    } catch (error) {
      if (!(error instanceof StorefrontError) || error.status !== 429 || pauses >= MAX_PAUSES) throw error
      await pause(LIMIT_PAUSE_MS)
    }
  }
}
