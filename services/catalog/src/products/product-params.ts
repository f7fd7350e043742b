import { z } from 'zod'

/** A product in a path of the storefront. */
export const ProductSlugParams = z.object({
  slug: z.string().describe('Slug of a published product, current or former.'),
})

/** A product in a path below /admin. */
export const ProductParams = z.object({
  id: z.string().describe('Id of a product, published or not; not its slug.'),
})

/** A variant in a path below that of its product. */
export const ProductVariantParams = ProductParams.extend({
  variantId: z.string().describe('Id of a variant of this product.'),
})
