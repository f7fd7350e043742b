import { sql, type RawBuilder } from 'kysely'
import type { AdminProductSort } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'

export interface AdminListFilters {
  /** Each word must be the id, or a part of the title, the slug, a tag or a SKU. */
  words: readonly string[]
  published: boolean | undefined
  category: string | undefined
}

/** Every order ends with the id, in the same direction, so that one index serves both ways. */
const ORDERS: Record<AdminProductSort, RawBuilder<unknown>> = {
  newest: sql`created_at desc, product_id desc`,
  oldest: sql`created_at, product_id`,
  title: sql`title, product_id`,
  'price-asc': sql`price_minor, product_id`,
  'price-desc': sql`price_minor desc, product_id desc`,
}

/** The columns of a product that an order needs besides its id. */
const SORTED_BY: Record<AdminProductSort, RawBuilder<unknown>> = {
  newest: sql`created_at`,
  oldest: sql`created_at`,
  title: sql`title`,
  'price-asc': sql`price_minor`,
  'price-desc': sql`price_minor`,
}

/**
 * The patterns that find words in `merchant_listings.words`. Computed once and not for every row.
 */
async function patternsOf(db: Database, words: readonly string[]): Promise<string[]> {
  if (words.length === 0) return []
  const { rows } = await sql<{ pattern: string }>`
    select '%' || regexp_replace(lower(public.unaccent(word)), '([\\\\%_])', '\\\\\\1', 'g') || '%' as pattern
    from unnest(${words}::text[]) with ordinality as t (word, place) order by place`.execute(db)
  return rows.map((row) => row.pattern)
}

async function conditionOf(
  db: Database,
  { words, published, category }: AdminListFilters,
): Promise<RawBuilder<unknown>> {
  const patterns = await patternsOf(db, words)
  const conditions = [
    ...patterns.map((pattern, index) => sql`(words like ${pattern} or product_id = ${words[index]})`),
    ...(published === undefined ? [] : [sql`published = ${published}`]),
    ...(category === undefined
      ? []
      : [
          sql`product_id in (select pc.product_id from category_ancestors a
            join product_categories pc on pc.category_slug = a.slug where a.ancestor = ${category})`,
        ]),
  ]
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

interface AdminListPage {
  total: number
  ids: string[]
}

/**
 * One page of the merchant's list and the number of all its products. Planned for its values each time, because a rare
 * word and a common one need different plans.
 */
export async function findAdminList(
  db: Database,
  filters: AdminListFilters,
  { sort, offset, limit }: { sort: AdminProductSort; offset: number; limit: number },
): Promise<AdminListPage> {
  const condition = await conditionOf(db, filters)
  // With a category branch, one join serves both the count and the page. Otherwise two queries are cheaper, because the
  // page follows an index.
  const joins = filters.category !== undefined
  const { rows } = await sql<AdminListPage>`
    with found as ${joins ? sql`materialized` : sql`not materialized`} (
      select product_id, ${SORTED_BY[sort]} from merchant_listings where ${condition})
    select /* replan */ (select count(*)::int from found) as total,
      array(select product_id from found order by ${ORDERS[sort]} offset ${offset} limit ${limit}) as ids`.execute(db)
  return rows[0] ?? { total: 0, ids: [] }
}

/** A page of the products with these slugs, in the order of the slugs, and the number of all of them. */
export async function findNamedProducts(
  db: Database,
  slugs: readonly string[],
  { offset, limit }: { offset: number; limit: number },
): Promise<AdminListPage> {
  const { rows } = await sql<{ id: string }>`
    select p.id from unnest(${slugs}::text[]) with ordinality as t (slug, place) join products p on p.slug = t.slug
    order by t.place`.execute(db)
  return { total: rows.length, ids: rows.slice(offset, offset + limit).map((row) => row.id) }
}

/** Serializes the creation of slugs with this base. */
export async function lockSlug(tx: Tx, slug: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${slug}, 0))`.execute(tx)
}

/** The slugs among these that a product has or had. */
export async function findUsedSlugs(tx: Tx, slugs: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    select slug from products where slug = any(${slugs})
    union select slug from former_slugs where slug = any(${slugs})`.execute(tx)
  return rows.map((row) => row.slug)
}

/** The id of the product with this slug. */
export async function findSlugOwner(tx: Tx, slug: string): Promise<string | undefined> {
  const row = await tx.selectFrom('products').select('id').where('slug', '=', slug).executeTakeFirst()
  return row?.id
}

/** Locks those of these categories that exist. @returns their slugs */
export async function holdCategories(tx: Tx, slugs: readonly string[]): Promise<string[]> {
  if (slugs.length === 0) return []
  const { rows } = await sql<{ slug: string }>`
    select slug from categories where slug = any(${slugs}) order by slug for key share`.execute(tx)
  return rows.map((row) => row.slug)
}

/** Locks those of these size charts that exist. @returns their ids */
export async function holdSizeCharts(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from size_charts where id = any(${ids}) order by id for key share`.execute(tx)
  return rows.map((row) => row.id)
}
