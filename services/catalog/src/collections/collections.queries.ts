import { sql } from 'kysely'
import type { Collection, CollectionInput, Picture } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'

type CollectionRow = Omit<Collection, 'image' | 'count'> & { image: Picture | null }

export async function findCollections(db: Database | Tx): Promise<CollectionRow[]> {
  const { rows } = await sql<CollectionRow>`
    select slug, title, blurb, image from collections order by position, slug`.execute(db)
  return rows
}

export interface SavedCollection {
  changed: boolean
  /** Products that came or went. */
  productIds: string[]
}

/** Saves a collection and makes its products exactly these, in this order; slugs without a product are left out. */
export async function upsertCollection(tx: Tx, collection: CollectionInput): Promise<SavedCollection> {
  const image = collection.image ? JSON.stringify(collection.image) : null
  const saved = await sql`
    insert into collections (slug, title, blurb, image)
    values (${collection.slug}, ${collection.title}, ${collection.blurb}, ${image}::jsonb)
    on conflict (slug) do update set title = excluded.title, blurb = excluded.blurb, image = excluded.image
    where (collections.title, collections.blurb, collections.image)
      is distinct from (excluded.title, excluded.blurb, excluded.image)
    returning slug`.execute(tx)
  const removed = await sql<{ productId: string }>`
    delete from collection_products cp using products p
    where p.id = cp.product_id and cp.collection_slug = ${collection.slug} and p.slug <> all(${collection.products})
    returning cp.product_id as "productId"`.execute(tx)
  const placed = await sql<{ productId: string; isNew: boolean }>`
    insert into collection_products (collection_slug, product_id, position)
    select ${collection.slug}, p.id, t.position
    from unnest(${collection.products}::text[]) with ordinality as t (slug, position) join products p on p.slug = t.slug
    on conflict (collection_slug, product_id) do update set position = excluded.position
    where collection_products.position <> excluded.position
    returning product_id as "productId", xmax = 0 as "isNew"`.execute(tx)
  return {
    changed: saved.rows.length + removed.rows.length + placed.rows.length > 0,
    productIds: [...removed.rows, ...placed.rows.filter((row) => row.isNew)].map((row) => row.productId),
  }
}

/** Deletes all collections but these. @returns those that went, and the products that stood in them */
export async function keepOnlyCollections(
  tx: Tx,
  slugs: readonly string[],
): Promise<{ deleted: string[]; productIds: string[] }> {
  const { rows: places } = await sql<{ productId: string }>`
    delete from collection_products where collection_slug <> all(${slugs}) returning product_id as "productId"`.execute(
    tx,
  )
  const { rows } = await sql<{ slug: string }>`
    delete from collections where slug <> all(${slugs}) returning slug`.execute(tx)
  return { deleted: rows.map((row) => row.slug), productIds: places.map((row) => row.productId) }
}
