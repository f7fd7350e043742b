import { z } from 'zod'
import { demoShop } from '@storefront/demo'
import type { RunningShop } from '@storefront/tools/launch'
import { signInMerchant } from './merchant.ts'
import { makeDataFolder, openShop } from './open-shop.ts'
import type { Ground } from './scenarios.ts'

const Items = z.object({
  items: z.array(z.object({ slug: z.string(), variants: z.array(z.object({ id: z.string() })) })),
})
const OneProduct = z.object({ variants: z.array(z.object({ id: z.string() })) })
const PLENTY = 5_000_000

/** A shop of its own in a temporary folder, with the demo catalog and more stock than can be sold in the time. */
export async function openGround(options: {
  edgeCache: boolean
  print: (line: string) => void
  storefrontUrl?: string
  ownStorefront?: boolean
}) {
  const folder = await makeDataFolder()
  const open = await openShop({ dataDir: folder.path, ...options })
  return {
    ground: await stockShop(open.shop),
    /** A product in one size, with so many pieces of it. */
    async addProduct(slug: string, units: number): Promise<{ slug: string; variantId: string }> {
      const merchant = await signInMerchant(open.shop)
      const price = { amount: 4000, currency: 'USD' }
      const variants = [{ sku: slug.toUpperCase(), options: {}, inventory: units }]
      await merchant.importCatalogue({ mode: 'merge', products: [{ slug, title: slug, price, variants }] })
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

async function stockShop(shop: RunningShop): Promise<Ground> {
  const { discounts: _discounts, ...catalogue } = demoShop({ now: new Date() })
  const products = catalogue.products.map((product) => ({
    ...product,
    variants: product.variants.map((variant) => ({ ...variant, inventory: PLENTY })),
  }))
  const merchant = await signInMerchant(shop)
  await merchant.importCatalogue({ mode: 'replace', ...catalogue, products })
  const response = await fetch(`${shop.url}/products?per_page=48`)
  const { items } = Items.parse(await response.json())
  const variantIds = items.flatMap((item) => item.variants.map((variant) => variant.id))
  const { url, infrastructure } = shop
  const natsUrl = infrastructure.nats.urlFor('orders')
  return { shop, url, natsUrl, slugs: items.map((item) => item.slug), variantIds, hotVariantId: variantIds[0] ?? '' }
}
