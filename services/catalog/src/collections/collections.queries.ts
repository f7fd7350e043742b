import { sql } from 'kysely'
import type { Collection, CollectionInput, Picture } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'

type CollectionRow = Omit<Collection, 'image'> & { image: Picture | null }

export async function findCollections(db: Database | Tx): Promise<CollectionRow[]> {
  const { rows } = await sql<CollectionRow>`
    select c.slug, c.title, c.blurb, c.image, (
      select count(*)::int from collection_products cp join products p on p.id = cp.product_id and p.published
      where cp.collection_slug = c.slug) as count
    from collections c order by c.position, c.slug`.execute(db)
  return rows
}

/** Saves a collection and makes its products exactly these, in this order; slugs without a product are left out. */
export async function upsertCollection(tx: Tx, collection: CollectionInput): Promise<boolean> {
  const image = collection.image ? JSON.stringify(collection.image) : null
  const saved = await sql`
    insert into collections (slug, title, blurb, image)
    values (${collection.slug}, ${collection.title}, ${collection.blurb}, ${image}::jsonb)
    on conflict (slug) do update set title = excluded.title, blurb = excluded.blurb, image = excluded.image
    where (collections.title, collections.blurb, collections.image)
      is distinct from (excluded.title, excluded.blurb, excluded.image)
    returning slug`.execute(tx)
  const removed = await sql`
    delete from collection_products cp using products p
    where p.id = cp.product_id and cp.collection_slug = ${collection.slug} and p.slug <> all(${collection.products})
    returning cp.product_id`.execute(tx)
  const placed = await sql`
    insert into collection_products (collection_slug, product_id, position)
    select ${collection.slug}, p.id, t.position
    from unnest(${collection.products}::text[]) with ordinality as t (slug, position) join products p on p.slug = t.slug
    on conflict (collection_slug, product_id) do update set position = excluded.position
    where collection_products.position <> excluded.position
    returning product_id`.execute(tx)
  return saved.rows.length + removed.rows.length + placed.rows.length > 0
}

export async function keepOnlyCollections(tx: Tx, slugs: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    delete from collections where slug <> all(${slugs}) returning slug`.execute(tx)
  return rows.map((row) => row.slug)
}
