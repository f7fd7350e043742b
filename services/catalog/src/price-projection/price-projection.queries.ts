import { sql } from 'kysely'
import { inOptionOrder, type PriceEntry, type ProductOption } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { imagesOf, shownImageId } from '../products/product-response.ts'
import type { StoredImage } from '../products/product.ts'
import { namesOf } from '../products/product-options.ts'

interface EntryRow {
  variantId: string
  productId: string
  sku: string
  options: Record<string, string>
  imageId: string | null
  color: string | null
  priceMinor: number | null
  inventory: number
  stockVersion: number
}

interface ProductRow {
  productId: string
  productSlug: string
  title: string
  images: StoredImage[]
  optionList: ProductOption[]
  priceMinor: number
  currency: string
  categories: string[]
  published: boolean
  factsVersion: number
}

export async function findPriceEntries(
  db: Database | Tx,
  variantIds: readonly string[],
  publicUrl: string,
): Promise<PriceEntry[]> {
  const { rows } = await sql<{ productId: string }>`
    select distinct product_id as "productId" from variants where id = any(${variantIds})`.execute(db)
  const ids = rows.map((row) => row.productId)
  const wanted = new Set(variantIds)
  return (await findPriceEntriesOfProducts(db, ids, publicUrl)).filter(({ variantId }) => wanted.has(variantId))
}

/**
 * Entries of all variants of these products. `offset 0` prevents joins of whole tables, which PostgreSQL plans without
 * statistics: during the first import they took ten times as long.
 */
export async function findPriceEntriesOfProducts(
  db: Database | Tx,
  productIds: readonly string[],
  publicUrl: string,
): Promise<PriceEntry[]> {
  const { rows } = await sql<ProductRow & { variants: EntryRow[] }>`
    select p.id as "productId", p.slug as "productSlug", p.title, p.document->'images' as images,
      p.document->'options' as "optionList",
      p.price_minor as "priceMinor", p.currency, p.published, p.version as "factsVersion",
      array(
        select distinct a.ancestor from product_categories c join category_ancestors a on a.slug = c.category_slug
        where c.product_id = p.id order by 1) as categories,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'variantId', v.id, 'productId', v.product_id, 'sku', v.sku, 'options', v.options, 'imageId', v.image_id, 'color', v.color,
          'priceMinor', v.price_minor, 'inventory', s.inventory, 'stockVersion', s.version))
        from (select * from variants where product_id = p.id offset 0) v
          cross join lateral (
            select on_hand - reserved as inventory, version from stock where variant_id = v.id offset 0) s
      ), '[]') as variants
    from unnest(${productIds}::text[]) as wanted (id)
      cross join lateral (select * from products where id = wanted.id offset 0) p`.execute(db)
  return rows.flatMap(({ variants, ...product }) => {
    const images = imagesOf(product.images, product.title, publicUrl)
    return variants.map((variant) => entryOf(product, variant, images))
  })
}

export interface VersionRow {
  variantId: string
  /** Null for a deleted variant. */
  facts: number | null
  stock: number
}

/** Versions of a page of variants, by id, for the sweep. Includes deleted variants, whose stock rows stay. */
export async function findVersionsAfter(db: Database, after: string, limit: number): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select s.variant_id as "variantId", p.version as facts, s.version as stock
    from (select variant_id, version from stock where variant_id > ${after} order by variant_id limit ${limit}) s
      left join lateral (select product_id from variants where id = s.variant_id offset 0) v on true
      left join lateral (select version from products where id = v.product_id offset 0) p on true
    order by s.variant_id`.execute(db)
  return rows
}

function entryOf(product: ProductRow, variant: EntryRow, images: ReturnType<typeof imagesOf>): PriceEntry {
  // The picture that the client shows: one with the color, or else the variant's own, or else the first.
  const image =
    images.find((each) => variant.color !== null && 'color' in each && each.color === variant.color) ??
    images.find((each) => each.id === shownImageId(images, variant.imageId))
  return {
    variantId: variant.variantId,
    facts: {
      productId: product.productId,
      productSlug: product.productSlug,
      sku: variant.sku,
      title: product.title,
      options: inOptionOrder(variant.options, namesOf(product.optionList)),
      image: { url: image?.url ?? '', alt: image?.alt ?? product.title },
      price: { amount: variant.priceMinor ?? product.priceMinor, currency: product.currency },
      categories: product.categories,
      published: product.published,
    },
    factsVersion: product.factsVersion,
    inventory: variant.inventory,
    stockVersion: variant.stockVersion,
  }
}
