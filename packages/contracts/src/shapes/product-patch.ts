import { z } from 'zod'
import { declareReadOnly } from '../read-only-fields.ts'
import { LIVE_PRODUCT_FACTS, LIVE_VARIANT_FACTS, MAX_VARIANTS, ProductInput, VariantInput } from './product-input.ts'
import { PinnableBadge } from './product.ts'

const { shape: whole } = ProductInput
const { shape: wholeVariant } = VariantInput

/** A field of a partial product without its default: if left out it stays. */
function kept<Field extends z.ZodType>(field: z.ZodDefault<Field>) {
  return field
    .unwrap()
    .optional()
    .describe(field.description ?? '')
}

/** The same for a field that null resets to the value of a new product. */
function resettable<Field extends z.ZodType>(field: z.ZodDefault<Field>) {
  return field
    .unwrap()
    .nullish()
    .describe(field.description ?? '')
}

/**
 * A variant of a partial product. It is identified by its id, else its SKU, else its options; fields that are left out
 * stay.
 */
export const VariantPatch = z.object({
  id: wholeVariant.id,
  sku: wholeVariant.sku,
  options: kept(wholeVariant.options),
  price: wholeVariant.price,
  priceOverride: wholeVariant.priceOverride,
  compareAtPrice: wholeVariant.compareAtPrice,
  inventory: wholeVariant.inventory,
  imageId: wholeVariant.imageId,
})
export type VariantPatch = z.output<typeof VariantPatch>

/**
 * A partial product as PATCH accepts it: fields that are left out stay, and null resets a field to the value of a new
 * product.
 */
export const ProductPatch = z
  .object({
    slug: whole.slug,
    title: whole.title.optional(),
    subtitle: resettable(whole.subtitle),
    description: resettable(whole.description),
    details: resettable(whole.details),
    care: resettable(whole.care),
    price: whole.price,
    compareAtPrice: kept(whole.compareAtPrice),
    images: resettable(whole.images),
    options: whole.options
      .unwrap()
      .nullish()
      .describe(whole.options.description ?? ''),
    swatches: resettable(whole.swatches),
    variants: z
      .array(VariantPatch)
      .max(MAX_VARIANTS)
      .optional()
      .describe(
        'All variants that the product is to have, in their order; if empty or left out, they stay as they are.',
      ),
    categories: resettable(whole.categories),
    tags: resettable(whole.tags),
    badges: whole.badges
      .unwrap()
      .nullish()
      .describe('Pins `new` and `bestseller` where the product does not show them anyway; see `pinnedBadges`.'),
    pinnedBadges: z
      .array(PinnableBadge)
      .max(5)
      .optional()
      .describe('Pins exactly these badges, whatever the facts; takes precedence over `badges`.'),
    published: kept(whole.published),
    publishAt: whole.publishAt,
    unpublishAt: whole.unpublishAt,
    createdAt: whole.createdAt,
    position: whole.position,
    fit: whole.fit,
    fabric: whole.fabric,
    sizeChartId: whole.sizeChartId,
    enrichment: whole.enrichment,
    relatedSlugs: whole.relatedSlugs,
  })
  .meta({ id: 'ProductPatch' })
export type ProductPatch = z.output<typeof ProductPatch>

/** A partial product as POST accepts it: the title has no default. */
export const NewProduct = ProductPatch.extend({ title: whole.title }).meta({ id: 'NewProduct' })
export type NewProduct = z.output<typeof NewProduct>

declareReadOnly(ProductPatch, { fixed: ['id'], live: LIVE_PRODUCT_FACTS })
declareReadOnly(NewProduct, { fixed: ['id'], live: LIVE_PRODUCT_FACTS })
declareReadOnly(VariantPatch, { live: LIVE_VARIANT_FACTS })
