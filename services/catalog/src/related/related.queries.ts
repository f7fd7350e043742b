import { sql } from 'kysely'
import type { Database } from '../database.ts'

export interface RelatedSource {
  id: string
  slug: string
  /** Leaf categories. */
  categories: string[]
  tags: string[]
  priceMinor: number
  relatedSlugs: string[]
}

/** The visible product that others are to be related to, by its current or a former slug. */
export async function findRelatedSource(db: Database, slug: string): Promise<RelatedSource | undefined> {
  const { rows } = await sql<RelatedSource>`
    select p.id, p.slug, p.tags, p.price_minor as "priceMinor",
      array(
        select category_slug from product_categories where product_id = p.id
        except select a.ancestor from product_categories c join category_ancestors a on a.slug = c.category_slug
          where c.product_id = p.id and a.ancestor <> a.slug
        order by 1) as categories,
      array(select jsonb_array_elements_text(p.document->'relatedSlugs')) as "relatedSlugs"
    from products p join listings l on l.product_id = p.id
    where p.slug = ${slug} or p.id = (select product_id from former_slugs where slug = ${slug})
    order by p.slug = ${slug} desc limit 1`.execute(db)
  return rows[0]
}

/** Visible products, each once, in the order of these slugs, current or former. */
export async function findListedBySlug(db: Database, slugs: readonly string[], limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select l.product_id as id
    from unnest(${slugs}::text[]) with ordinality as given (slug, place)
      cross join lateral (
        select id from products where slug = given.slug
        union all select product_id from former_slugs where slug = given.slug limit 1
      ) p join listings l on l.product_id = p.id
    group by l.product_id order by min(given.place) limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}
