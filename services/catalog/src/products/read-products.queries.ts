import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** A requested product, and the size of its item. */
export interface NamedProduct {
  /** The id or the slug in the request. */
  name: string
  id: string
  /** Null when it is not shown: the product is not published, or its response is not valid. */
  bytes: number | null
}

/** The names of products in a request: ids, or slugs, current or former. */
type ProductNames = { ids: readonly string[] } | { slugs: readonly string[] }

/** The products with these names, published or not, in this order, without reading the items themselves. */
export async function findNamed(db: Database, names: ProductNames): Promise<NamedProduct[]> {
  const given = 'ids' in names ? names.ids : names.slugs
  const products =
    'ids' in names
      ? sql`join products p on p.id = t.name`
      : sql`cross join lateral (
          select id, published from products
          where slug = t.name or id = (select product_id from former_slugs where slug = t.name)
          order by slug = t.name desc limit 1) p`
  const { rows } = await sql<NamedProduct>`
    select t.name, p.id, octet_length(a.item) as bytes
    from unnest(${[...given]}::text[]) with ordinality as t (name, place) ${products}
      left join product_responses a on a.product_id = p.id and p.published
    order by t.place`.execute(db)
  return rows
}

/** The list items of these products, as JSON, in no particular order. */
export async function findPublishedItems(db: Database, productIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ item: string }>`
    select a.item from product_responses a join products p on p.id = a.product_id
    where a.product_id = any(${[...productIds]}) and p.published`.execute(db)
  return rows.map((row) => row.item)
}
