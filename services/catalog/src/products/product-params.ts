import { z } from 'zod'

/** A product in an address of the storefront. */
export const ProductSlugParams = z.object({
  slug: z.string().describe('Slug of a published product, current or former.'),
})

/** A product in an address below /admin. */
export const ProductParams = z.object({
  id: z.string().describe('Id of a product, published or not; not its slug.'),
})

/** A variant in an address below that of its product. */
export const ProductVariantParams = ProductParams.extend({
  variantId: z.string().describe('Id of a variant of this product.'),
})
