import { sql, type RawBuilder } from 'kysely'
import type { CategoryInput, FlatCategory, Picture } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'

export type StoredCategory = Omit<FlatCategory, 'image' | 'count'> & { image: Picture | null; position: number }

/**
 * Serializes changes of categories, collections and size charts, so that what a transaction reads of them stays valid
 * until it commits. Take this lock before all others except that of the settings. It does not block saves of products.
 */
export async function lockTaxonomy(tx: Tx): Promise<void> {
  await sql`
    lock table categories, collections, size_charts in share row exclusive mode /* sent with the next */`.execute(tx)
}

/**
 * Waits for transactions that are assigning a product to one of these categories or their subcategories, and blocks
 * later ones, so that no product is missed.
 */
export async function lockBranches(tx: Tx, slugs: readonly string[]): Promise<void> {
  await sql`
    select 1 from categories where slug in (select slug from category_ancestors where ancestor = any(${slugs}))
    order by slug for update /* sent with the next */`.execute(tx)
}

/** All categories in the merchant's order. */
export async function findCategories(db: Database | Tx): Promise<StoredCategory[]> {
  const { rows } = await sql<StoredCategory>`
    select slug, name, parent, blurb, image, position from categories order by position, slug`.execute(db)
  return rows
}

/**
 * The number of unpublished products in each category and its subcategories, each counted once. The index of listings
 * counts the published ones: counting all 100,000 here took 130 ms.
 */
export async function countDraftsOfBranches(db: Database | Tx): Promise<Map<string, number>> {
  // `offset 0` makes PostgreSQL look up the categories of each draft instead of reading those of all products.
  const { rows } = await sql<{ slug: string; drafts: number }>`
    select a.ancestor as slug, count(distinct l.product_id)::int as drafts
    from merchant_listings l
      cross join lateral (select category_slug from product_categories where product_id = l.product_id offset 0) pc
      join category_ancestors a on a.slug = pc.category_slug
    where not l.published group by 1`.execute(db)
  return new Map(rows.map((row) => [row.slug, row.drafts]))
}

/** Products that are directly assigned to a category. */
export async function findProductsInCategory(tx: Tx, slug: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('product_categories')
    .select('product_id')
    .where('category_slug', '=', slug)
    .orderBy('product_id')
    .execute()
  return rows.map((row) => row.product_id)
}

/** A category that is to be stored; without a position it comes last. */
export type NewCategory = Omit<StoredCategory, 'position'> & { position: number | undefined }

/**
 * The position after all others in a table, which must be locked. It is shared if a merchant has used the highest
 * possible position.
 */
export function lastPosition(table: 'categories' | 'collections'): RawBuilder<number> {
  return sql<number>`(
    select least(coalesce(max(position), 0)::bigint + 1, 2147483647)::integer from ${sql.table(table)})`
}

export async function insertCategory(tx: Tx, category: NewCategory): Promise<StoredCategory> {
  const { position, image, ...rest } = category
  const row = await tx
    .insertInto('categories')
    .values({ ...rest, image: image && JSON.stringify(image), position: position ?? lastPosition('categories') })
    .returning('position')
    .executeTakeFirstOrThrow()
  return { ...category, position: row.position }
}

export async function updateCategory(tx: Tx, { slug, image, ...category }: StoredCategory): Promise<void> {
  await tx
    .updateTable('categories')
    .set({ ...category, image: image && JSON.stringify(image) })
    .where('slug', '=', slug)
    .execute()
}

/** Moves the direct children of a category to another parent. @returns the slugs that moved */
export async function moveChildren(tx: Tx, slug: string, parent: string | null): Promise<string[]> {
  const rows = await tx.updateTable('categories').set({ parent }).where('parent', '=', slug).returning('slug').execute()
  return rows.map((row) => row.slug).toSorted()
}

export async function deleteCategory(tx: Tx, slug: string): Promise<void> {
  await tx.deleteFrom('categories').where('slug', '=', slug).execute()
}

/** @returns whether anything changed */
export async function upsertCategory(tx: Tx, category: CategoryInput): Promise<boolean> {
  const image = category.image ? JSON.stringify(category.image) : null
  const { rows } = await sql`
    insert into categories (slug, name, parent, blurb, image, position)
    values (${category.slug}, ${category.name}, ${category.parent}, ${category.blurb}, ${image}::jsonb,
      ${lastPosition('categories')})
    on conflict (slug) do update set name = excluded.name, parent = excluded.parent, blurb = excluded.blurb,
      image = excluded.image
    where (categories.name, categories.parent, categories.blurb, categories.image)
      is distinct from (excluded.name, excluded.parent, excluded.blurb, excluded.image)
    returning slug`.execute(tx)
  return rows.length > 0
}

/** Rebuilds the table of the ancestors of each category; called by every change of a parent. */
export async function rebuildAncestors(tx: Tx): Promise<void> {
  await sql`
    with recursive above as (
      select slug, slug as ancestor from categories
      union select above.slug, c.parent from above join categories c on c.slug = above.ancestor where c.parent is not null
    ), gone as (
      delete from category_ancestors a
      where not exists (select 1 from above where above.slug = a.slug and above.ancestor = a.ancestor)
    )
    insert into category_ancestors select slug, ancestor from above on conflict do nothing
    /* sent with the next */`.execute(tx)
}

/** Deletes all other categories. @returns the deleted slugs */
export async function keepOnlyCategories(tx: Tx, slugs: readonly string[]): Promise<string[]> {
  await sql`update categories set parent = null where parent <> all(${slugs})`.execute(tx)
  const { rows } = await sql<{ slug: string }>`
    delete from categories where slug <> all(${slugs}) returning slug`.execute(tx)
  return rows.map((row) => row.slug)
}
