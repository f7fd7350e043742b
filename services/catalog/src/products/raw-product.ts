import { inOptionOrder, type ProductInput, type VariantInput } from '@storefront/contracts'
import type { ProductDocument } from './product.ts'
import type { ProductFields, VariantFields } from './product-fields.ts'
import { namesOf } from './product-options.ts'

/** A product in the form in which a merchant would write it to get exactly the stored one. */
export interface RawProduct
  extends Omit<ProductInput, keyof ProductDocument | 'id' | 'slug' | 'variants'>, ProductDocument {
  id: string
  slug: string
  variants: (VariantInput & { id: string; sku: string })[]
}

export interface StoredProduct {
  version: number
  raw: RawProduct
}

/** A product with its variants, as its statement returns it. */
export interface RawRow extends ProductFields {
  version: number
  categories: string[]
  variants: (VariantFields & { inventory: number })[]
}

/** Converts a row, which has more than a merchant writes. */
export function rawOf(row: Omit<RawRow, 'version'>): RawProduct {
  const { images, ...document } = row.document
  const optionNames = namesOf(document.options)
  const money = (amount: number) => ({ amount, currency: row.currency })
  return {
    ...document,
    id: row.id,
    slug: row.slug,
    title: row.title,
    price: money(row.priceMinor),
    compareAtPrice: row.compareAtMinor === null ? null : money(row.compareAtMinor),
    images,
    variants: row.variants.map((variant) => rawVariant(variant, row, optionNames, money)),
    categories: row.categories,
    tags: row.tags,
    published: row.published,
    ...(row.publishAt && { publishAt: row.publishAt.toISOString() }),
    ...(row.unpublishAt && { unpublishAt: row.unpublishAt.toISOString() }),
    createdAt: row.createdAt.toISOString(),
    position: row.position,
  }
}

function rawVariant(
  { id, sku, options, priceMinor, compareAtMinor, imageId, inventory }: RawRow['variants'][number],
  product: Pick<RawRow, 'compareAtMinor'>,
  optionNames: readonly string[],
  money: (amount: number) => { amount: number; currency: string },
): RawProduct['variants'][number] {
  // Earlier versions stored the product's compare-at price with each variant that was sent with it.
  const hasOwnCompareAt = priceMinor !== null || compareAtMinor !== product.compareAtMinor
  return {
    id,
    sku,
    options: inOptionOrder(options, optionNames),
    ...(priceMinor !== null && { price: money(priceMinor), priceOverride: true }),
    ...(compareAtMinor !== null && hasOwnCompareAt && { compareAtPrice: money(compareAtMinor) }),
    inventory,
    ...(imageId !== null && { imageId }),
  }
}
