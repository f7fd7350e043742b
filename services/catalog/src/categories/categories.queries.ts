import { sql } from 'kysely'
import type { CategoryInput, FlatCategory, Picture } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'

type CategoryRow = Omit<FlatCategory, 'image' | 'count'> & { image: Picture | null }

/** All categories in the merchant's order. */
export async function findCategories(db: Database | Tx): Promise<CategoryRow[]> {
  const { rows } = await sql<CategoryRow>`
    select slug, name, parent, blurb, image from categories order by position, slug`.execute(db)
  return rows
}

export async function findCategorySlugs(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom('categories').select('slug').execute()
  return rows.map((row) => row.slug)
}

/** @returns whether anything changed */
export async function upsertCategory(tx: Tx, category: CategoryInput): Promise<boolean> {
  const image = category.image ? JSON.stringify(category.image) : null
  const { rows } = await sql`
    insert into categories (slug, name, parent, blurb, image)
    values (${category.slug}, ${category.name}, ${category.parent}, ${category.blurb}, ${image}::jsonb)
    on conflict (slug) do update set name = excluded.name, parent = excluded.parent, blurb = excluded.blurb,
      image = excluded.image
    where (categories.name, categories.parent, categories.blurb, categories.image)
      is distinct from (excluded.name, excluded.parent, excluded.blurb, excluded.image)
    returning slug`.execute(tx)
  return rows.length > 0
}

/** Makes the table of everything above each category anew; whoever changes a parent calls it. */
export async function rebuildAncestors(tx: Tx): Promise<void> {
  await sql`
    with recursive above as (
      select slug, slug as ancestor from categories
      union select above.slug, c.parent from above join categories c on c.slug = above.ancestor where c.parent is not null
    ), gone as (
      delete from category_ancestors a
      where not exists (select 1 from above where above.slug = a.slug and above.ancestor = a.ancestor)
    )
    insert into category_ancestors select slug, ancestor from above on conflict do nothing`.execute(tx)
}

/** Deletes all categories but these. @returns the slugs that went */
export async function keepOnlyCategories(tx: Tx, slugs: readonly string[]): Promise<string[]> {
  await sql`update categories set parent = null where parent <> all(${slugs})`.execute(tx)
  const { rows } = await sql<{ slug: string }>`
    delete from categories where slug <> all(${slugs}) returning slug`.execute(tx)
  return rows.map((row) => row.slug)
}
