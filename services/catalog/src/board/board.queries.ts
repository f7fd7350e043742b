import { sql } from 'kysely'
import type { BoardEntry } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { imagesOf } from '../products/product-answer.ts'
import type { StoredImage } from '../products/product.ts'

interface EntryRow {
  variantId: string
  productId: string
  productSlug: string
  title: string
  options: Record<string, string>
  imageId: string | null
  color: string | null
  images: StoredImage[]
  priceMinor: number
  currency: string
  categories: string[]
  published: boolean
  factsVersion: number
  inventory: number
  stockVersion: number
}

const COLUMNS = sql`
  v.id as "variantId", p.id as "productId", p.slug as "productSlug", p.title, v.options, v.image_id as "imageId", v.color,
  p.document->'images' as images, coalesce(v.price_minor, p.price_minor) as "priceMinor", p.currency, p.published,
  array(select category_slug from product_categories c where c.product_id = p.id order by 1) as categories,
  p.version as "factsVersion", s.on_hand - s.reserved as inventory, s.version as "stockVersion"
  from variants v join products p on p.id = v.product_id join stock s on s.variant_id = v.id`

export async function findBoardEntries(
  db: Database | Tx,
  variantIds: readonly string[],
  publicUrl: string,
): Promise<BoardEntry[]> {
  const { rows } = await sql<EntryRow>`select ${COLUMNS} where v.id = any(${variantIds})`.execute(db)
  return rows.map((row) => entryOf(row, publicUrl))
}

export async function findBoardEntriesOfProducts(
  db: Database | Tx,
  productIds: readonly string[],
  publicUrl: string,
): Promise<BoardEntry[]> {
  const { rows } = await sql<EntryRow>`select ${COLUMNS} where v.product_id = any(${productIds})`.execute(db)
  return rows.map((row) => entryOf(row, publicUrl))
}

/** Versions of a page of variants, by id, for the sweep. */
export async function findVersionsAfter(
  db: Database,
  after: string,
  limit: number,
): Promise<{ variantId: string; facts: number; stock: number }[]> {
  const { rows } = await sql<{ variantId: string; facts: number; stock: number }>`
    select v.id as "variantId", p.version as facts, s.version as stock
    from (select id, product_id from variants where id > ${after} order by id limit ${limit}) v
      join products p on p.id = v.product_id join stock s on s.variant_id = v.id
    order by v.id`.execute(db)
  return rows
}

function entryOf(row: EntryRow, publicUrl: string): BoardEntry {
  const images = imagesOf(row.images, row.title, publicUrl)
  // The picture the client would show: tagged with the colour, else the variant's own, else the first.
  const image =
    images.find((each) => row.color !== null && 'color' in each && each.color === row.color) ??
    images.find((each) => each.id === row.imageId) ??
    images[0]
  return {
    variantId: row.variantId,
    facts: {
      productId: row.productId,
      productSlug: row.productSlug,
      title: row.title,
      options: row.options,
      image: { url: image?.url ?? '', alt: image?.alt ?? row.title },
      price: { amount: row.priceMinor, currency: row.currency },
      categories: row.categories,
      published: row.published,
    },
    factsVersion: row.factsVersion,
    inventory: row.inventory,
    stockVersion: row.stockVersion,
  }
}
