import { sql } from 'kysely'
import type { CategoryInput, FlatCategory, Picture } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'

type CategoryRow = Omit<FlatCategory, 'image'> & { image: Picture | null }

/** All categories in the merchant's order, with how many published products each branch holds, every one once. */
export async function findCategories(db: Database | Tx): Promise<CategoryRow[]> {
  const { rows } = await sql<CategoryRow>`
    with recursive branch as (
      select slug as top, slug from categories
      union select branch.top, c.slug from categories c join branch on c.parent = branch.slug
    ), counts as (
      select branch.top as slug, count(distinct p.id)::int as count
      from branch join product_categories pc on pc.category_slug = branch.slug
        join products p on p.id = pc.product_id and p.published
      group by branch.top
    )
    select c.slug, c.name, c.parent, c.blurb, c.image, coalesce(counts.count, 0) as count
    from categories c left join counts on counts.slug = c.slug order by c.position, c.slug`.execute(db)
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

/** Deletes all categories but these. @returns the slugs that went */
export async function keepOnlyCategories(tx: Tx, slugs: readonly string[]): Promise<string[]> {
  await sql`update categories set parent = null where parent <> all(${slugs})`.execute(tx)
  const { rows } = await sql<{ slug: string }>`
    delete from categories where slug <> all(${slugs}) returning slug`.execute(tx)
  return rows.map((row) => row.slug)
}
