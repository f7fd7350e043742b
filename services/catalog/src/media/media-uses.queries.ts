import { sql } from 'kysely'
import type { PictureUses } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'

/** Everything besides products that shows pictures: a few thousand rows at most, all of which are read. */
const PLACES = sql`
  select 'category' as kind, slug as id, name, image::text as content from categories where image is not null
  union all select 'collection', slug, title, image::text from collections where image is not null
  union all select 'feature', id, title, icon from library_features
  union all select 'assurance', id, label, icon from library_assurances
  union all select 'storefront', 'storefront', '', document::text from settings`

/** Uploads that something other than a product shows. */
export async function findPlacedMedia(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct upload as id from (${PLACES}) as places, uploads_in(content) as upload`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * Where an upload is used, in any of its sizes, by path or by full address.
 * @param shown how many products, and how many other places, are named
 */
export async function findUses(db: Database | Tx, id: string, shown: number): Promise<PictureUses> {
  const { rows: products } = await sql<{ id: string; slug: string; title: string }>`
    select p.id, p.slug, p.title from media_uses u join products p on p.id = u.product_id
    where u.media_id = ${id} order by p.slug limit ${shown}`.execute(db)
  const counts = await countProducts(db, [id])
  const { rows: places } = await sql<PictureUses['places'][number]>`
    select kind, id, name from (${PLACES}) as places
    where position(${id} in content) > 0 order by kind, id limit ${shown}`.execute(db)
  return { products, productCount: counts.get(id) ?? 0, places }
}

export async function findProductsWithMedia(tx: Tx, id: string): Promise<string[]> {
  const { rows } = await sql<{ productId: string }>`
    select product_id as "productId" from media_uses where media_id = ${id}`.execute(tx)
  return rows.map((row) => row.productId)
}

/** In how many products each of these uploads is used; one that is in none is missing. */
async function countProducts(db: Database | Tx, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; products: number }>`
    select media_id as id, count(*)::int as products from media_uses where media_id = any(${ids})
    group by media_id`.execute(db)
  return new Map(rows.map((row) => [row.id, row.products]))
}

/** In how many products and other places each of these uploads is used; one that is unused is missing. */
export async function countUses(db: Database, ids: readonly string[]): Promise<Map<string, number>> {
  const uses = await countProducts(db, ids)
  const { rows } = await sql<{ id: string; places: number }>`
    select upload as id, count(*)::int as places from (${PLACES}) as places, uploads_in(content) as upload
    where upload = any(${ids}) group by upload`.execute(db)
  for (const { id, places } of rows) uses.set(id, (uses.get(id) ?? 0) + places)
  return uses
}
