import { sql } from 'kysely'
import { inOptionOrder, type ProductInput, type VariantInput } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
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

interface Row extends ProductFields {
  version: number
  categories: string[]
  variants: (VariantFields & { inventory: number })[]
}

/** Stored products in the form in which merchants write them, by id. The caller locks those that it will change. */
export async function findRawProducts(db: Database | Tx, ids: readonly string[]): Promise<StoredProduct[]> {
  const { rows } = await sql<Row>`
    select p.id, p.slug, p.title, p.published, p.document, p.price_minor as "priceMinor",
      p.compare_at_minor as "compareAtMinor", p.currency, p.tags, p.position, p.created_at as "createdAt",
      p.publish_at as "publishAt", p.unpublish_at as "unpublishAt", p.version,
      array(select category_slug from product_categories c where c.product_id = p.id order by 1) as categories,
      (select coalesce(jsonb_agg(jsonb_build_object(
          'id', v.id, 'sku', v.sku, 'options', v.options, 'priceMinor', v.price_minor,
          'compareAtMinor', v.compare_at_minor, 'imageId', v.image_id, 'inventory', s.on_hand - s.reserved
        ) order by v.position), '[]')
        from variants v join stock s on s.variant_id = v.id where v.product_id = p.id) as variants
    from products p where p.id = any(${ids}) order by p.id`.execute(db)
  return rows.map((row) => ({ version: row.version, raw: rawOf(row) }))
}

/** Converts a row, which has more than a merchant writes. */
export function rawOf(row: Omit<Row, 'version'>): RawProduct {
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
  { id, sku, options, priceMinor, compareAtMinor, imageId, inventory }: Row['variants'][number],
  product: Pick<Row, 'compareAtMinor'>,
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
