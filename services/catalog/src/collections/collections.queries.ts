import { sql } from 'kysely'
import type { Collection, CollectionInput, Picture } from '@storefront/contracts'
import { lastPosition } from '../categories/categories.queries.ts'
import type { Database, Tx } from '../database.ts'

export type StoredCollection = Omit<Collection, 'image' | 'count'> & { image: Picture | null; position: number }

/** A collection that is to be stored; without a position it comes last. */
export type NewCollection = Omit<StoredCollection, 'position'> & { position: number | undefined }

/** All collections in the merchant's order. */
export async function findCollections(db: Database | Tx): Promise<StoredCollection[]> {
  const { rows } = await sql<StoredCollection>`
    select slug, title, blurb, image, position from collections order by position, slug`.execute(db)
  return rows
}

export async function findStoredCollection(db: Database | Tx, slug: string): Promise<StoredCollection | undefined> {
  const { rows } = await sql<StoredCollection>`
    select slug, title, blurb, image, position from collections where slug = ${slug}`.execute(db)
  return rows[0]
}

export async function insertCollection(tx: Tx, collection: NewCollection): Promise<StoredCollection> {
  const { position, image, ...rest } = collection
  const row = await tx
    .insertInto('collections')
    .values({ ...rest, image: image && JSON.stringify(image), position: position ?? lastPosition('collections') })
    .returning('position')
    .executeTakeFirstOrThrow()
  return { ...collection, position: row.position }
}

export async function updateCollection(tx: Tx, { slug, image, ...collection }: StoredCollection): Promise<void> {
  await tx
    .updateTable('collections')
    .set({ ...collection, image: image && JSON.stringify(image) })
    .where('slug', '=', slug)
    .execute()
}

export async function deleteCollection(tx: Tx, slug: string): Promise<void> {
  await tx.deleteFrom('collections').where('slug', '=', slug).execute()
}

export interface PlacedProduct {
  id: string
  slug: string
}

/** Products of a collection in the merchant's order, drafts too. */
export async function findProductsInCollection(db: Database | Tx, slug: string): Promise<PlacedProduct[]> {
  const { rows } = await sql<PlacedProduct>`
    select p.id, p.slug from collection_products cp join products p on p.id = cp.product_id
    where cp.collection_slug = ${slug} order by cp.position, p.slug`.execute(db)
  return rows
}

/** Slugs of the products of every collection, in the merchant's order, drafts too. */
export async function findProductsByCollection(db: Database): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ collection: string; products: string[] }>`
    select cp.collection_slug as collection, array_agg(p.slug order by cp.position, p.slug) as products
    from collection_products cp join products p on p.id = cp.product_id group by 1`.execute(db)
  return new Map(rows.map((row) => [row.collection, row.products]))
}

/** The number of products of every collection, drafts too, read from an index alone. */
export async function countProductsByCollection(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ collection: string; count: number }>`
    select collection_slug as collection, count(*)::int as count from collection_products group by 1`.execute(db)
  return new Map(rows.map((row) => [row.collection, row.count]))
}

/** Locks the products in a collection and those with one of these slugs, current or former. */
export async function lockProductsToPlace(tx: Tx, collection: string, slugs: readonly string[]): Promise<void> {
  await sql`
    select 1 from products
    where slug = any(${slugs}) or id in (select product_id from former_slugs where slug = any(${slugs}))
      or id in (select product_id from collection_products where collection_slug = ${collection})
    order by id for update`.execute(tx)
}

/** Products by these slugs, current or former. */
export async function findProductsBySlugs(tx: Tx, slugs: readonly string[]): Promise<Map<string, PlacedProduct>> {
  const { rows } = await sql<PlacedProduct & { requested: string }>`
    select f.slug as requested, p.id, p.slug from former_slugs f join products p on p.id = f.product_id
    where f.slug = any(${slugs})
    union all select slug, id, slug from products where slug = any(${slugs})`.execute(tx)
  return new Map(rows.map(({ requested, ...product }) => [requested, product]))
}

/** Replaces the products of a collection by these, in this order. @param removed those that are no longer in it */
export async function placeProducts(
  tx: Tx,
  collection: string,
  productIds: readonly string[],
  removed: readonly string[],
): Promise<void> {
  if (removed.length > 0) {
    await sql`
      delete from collection_products where collection_slug = ${collection} and product_id = any(${removed})
      /* sent with the next */`.execute(tx)
  }
  if (productIds.length === 0) return
  await sql`
    insert into collection_products (collection_slug, product_id, position)
    select ${collection}, id, place from unnest(${productIds}::text[]) with ordinality as t (id, place)
    on conflict (collection_slug, product_id) do update set position = excluded.position
    where collection_products.position <> excluded.position /* sent with the next */`.execute(tx)
}

export interface SavedCollection {
  changed: boolean
  /** Products that were added or removed. */
  productIds: string[]
}

/** Saves a collection and replaces its products by these, in this order; slugs without a product are left out. */
export async function upsertCollection(tx: Tx, collection: CollectionInput): Promise<SavedCollection> {
  const image = collection.image ? JSON.stringify(collection.image) : null
  const saved = await sql`
    insert into collections (slug, title, blurb, image, position)
    values (${collection.slug}, ${collection.title}, ${collection.blurb}, ${image}::jsonb,
      ${lastPosition('collections')})
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

/** Deletes all other collections. @returns the deleted ones, and the products that were in them */
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
