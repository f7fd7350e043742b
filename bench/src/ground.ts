import { z } from 'zod'
import { demoShop } from '@storefront/demo'
import type { RunningShop } from '@storefront/tools/launch'
import type { GeneratedCatalog } from './generated-catalog.ts'
import { loadCatalog } from './load-catalog.ts'
import { signInMerchant } from './merchant.ts'
import { makeDataFolder, openShop } from './open-shop.ts'
import type { Ground } from './scenarios.ts'

const Items = z.object({
  total: z.int(),
  items: z.array(z.object({ slug: z.string(), variants: z.array(z.object({ id: z.string() })) })),
})
const OneProduct = z.object({ variants: z.array(z.object({ id: z.string() })) })
const PLENTY = 5_000_000
/**
 * This many products are read and bought, whatever the size of the catalog: otherwise their number would affect the
 * result.
 */
const PRODUCTS = 48
const PAGES_OF_CATALOG = 8

/** A shop of its own in a temporary folder, with the demo catalog and more stock than can be sold in the time. */
export async function openGround(options: { edgeCache: boolean; storefrontUrl?: string; ownStorefront?: boolean }) {
  const folder = await makeDataFolder()
  const open = await openShop({ dataDir: folder.path, ...options })
  return {
    ground: await stockShop(open.shop),
    /**
     * Adds a generated catalog, also with more stock than can be sold.
     * @returns the ground with products from all of the catalog
     */
    async addCatalog(catalog: GeneratedCatalog): Promise<Ground> {
      await loadCatalog(await signInMerchant(open.shop), inPlenty(catalog))
      return groundOf(open.shop, PAGES_OF_CATALOG)
    },
    /** A product in one size, with this many units. */
    async addProduct(slug: string, units: number): Promise<{ slug: string; variantId: string }> {
      const merchant = await signInMerchant(open.shop)
      const price = { amount: 4000, currency: 'USD' }
      const variants = [{ sku: slug.toUpperCase(), options: {}, inventory: units }]
      await merchant.importCatalog({ mode: 'merge', products: [{ slug, title: slug, price, variants }] })
      const response = await fetch(`${open.shop.url}/products/${slug}`)
      const variantId = OneProduct.parse(await response.json()).variants[0]?.id
      if (variantId === undefined) throw new Error(`${slug} has no variant`)
      return { slug, variantId }
    },
    async close() {
      await open.close()
      await folder.remove()
    },
  }
}

function inPlenty(catalog: GeneratedCatalog): GeneratedCatalog {
  return {
    ...catalog,
    *chunks(size) {
      for (const products of catalog.chunks(size)) yield products.map(withPlenty)
    },
  }
}

function withPlenty<Product extends { variants: readonly object[] }>(product: Product) {
  return { ...product, variants: product.variants.map((variant) => ({ ...variant, inventory: PLENTY })) }
}

/** Loads the demo catalog with more stock than can be sold. */
async function stockShop(shop: RunningShop): Promise<Ground> {
  const { discounts: _discounts, ...catalog } = demoShop({ now: new Date() })
  const products = catalog.products.map(withPlenty)
  const merchant = await signInMerchant(shop)
  await merchant.importCatalog({ mode: 'replace', ...catalog, products })
  return groundOf(shop, 1)
}

/**
 * What the scenarios read and buy in a shop whose stock is plenty.
 * @param pages how many pages the products are from, spread over the whole list
 */
async function groundOf(shop: RunningShop, pages: number): Promise<Ground> {
  const { url, infrastructure } = shop
  const perPage = PRODUCTS / pages
  const read = async (page: number) =>
    Items.parse(await (await fetch(`${url}/products?per_page=${perPage}&page=${page}`)).json())
  const { items, total } = await read(1)
  const pagesApart = Math.floor(total / perPage / pages)
  for (let page = 1; page < pages; page++) items.push(...(await read(1 + page * pagesApart)).items)
  const variantIds = items.flatMap((item) => item.variants.map((variant) => variant.id))
  return {
    shop,
    url,
    natsUrl: infrastructure.nats.urlFor('orders'),
    slugs: items.map((item) => item.slug),
    variantIds,
    hotVariantId: variantIds[0] ?? '',
  }
}
