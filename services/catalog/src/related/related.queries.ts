import { sql } from 'kysely'
import type { Database } from '../database.ts'

export interface RelatedSource {
  id: string
  slug: string
  categories: string[]
  tags: string[]
  priceMinor: number
  relatedSlugs: string[]
}

/** The product that others are to be related to, under its slug or one it had before; only when it can be seen. */
export async function findRelatedSource(db: Database, slug: string): Promise<RelatedSource | undefined> {
  const { rows } = await sql<RelatedSource>`
    select p.id, p.slug, p.tags, p.price_minor as "priceMinor",
      array(select category_slug from product_categories c where c.product_id = p.id order by 1) as categories,
      array(select jsonb_array_elements_text(p.document->'relatedSlugs')) as "relatedSlugs"
    from products p join listings l on l.product_id = p.id
    where p.slug = ${slug} or p.id = (select product_id from former_slugs where slug = ${slug})
    order by p.slug = ${slug} desc limit 1`.execute(db)
  return rows[0]
}

/** Orders candidates: more shared leaf categories, then more shared tags, then the nearer price. */
export async function rankCandidates(
  db: Database,
  source: RelatedSource,
  candidates: readonly string[],
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from products p
    where p.id = any(${candidates})
    order by (select count(*) from product_categories c
        where c.product_id = p.id and c.category_slug = any(${source.categories})) desc,
      (select count(*) from unnest(p.tags) as tag where tag = any(${source.tags})) desc,
      abs(p.price_minor - ${source.priceMinor}::bigint), p.id collate "C"
    limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Products that a shopper can see, in the order of these slugs. */
export async function findListedBySlug(db: Database, slugs: readonly string[], limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from unnest(${slugs}::text[]) with ordinality as given (slug, place)
      join products p on p.slug = given.slug join listings l on l.product_id = p.id
    order by given.place limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** What sells most, without these products. */
export async function findBestsellers(db: Database, without: readonly string[], limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select product_id as id from listings where product_id <> all(${without})
    order by units_sold desc, rating_count desc, created_ms desc, product_id collate "C" limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}
