import { sql } from 'kysely'
import type { ImportMode } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import type { Issue } from '../errors.ts'

/** The maximum number of unknown names in a reply or a list of issues; all are counted. */
const SHOWN = 100

interface UnknownName {
  field: 'categories' | 'products'
  name: string
  suggestion: string | null
}

/**
 * Names that no category or product of the shop has. A product is identified by its id or its current slug, because
 * carts do not compare former ones.
 */
export async function findUnknownNames(
  db: Database,
  { categories, products }: { categories: readonly string[]; products: readonly string[] },
): Promise<{ unknown: UnknownName[]; total: number }> {
  const { rows } = await sql<UnknownName & { total: number }>`
    with unknown as (
      select 'categories' as field, n.name, n.nth from unnest(${categories}::text[]) with ordinality as n (name, nth)
      where not exists (select from categories c where c.slug = n.name)
      union all
      select 'products', n.name, n.nth from unnest(${products}::text[]) with ordinality as n (name, nth)
      where not exists (select from products p where p.slug = n.name)
        and not exists (select from products p where p.id = n.name)
    ), shown as (
      select field, name, nth, count(*) over ()::int as total from unknown order by field, nth limit ${SHOWN}
    )
    select s.field, s.name, s.total, case s.field
      when 'categories' then (
        select c.slug from categories c where public.similarity(c.slug, lower(s.name)) > 0.4
        order by public.similarity(c.slug, lower(s.name)) desc, c.slug limit 1)
      else coalesce(
        (select p.slug from former_slugs f join products p on p.id = f.product_id where f.slug = s.name),
        (select p.slug from products p where p.slug = lower(s.name))) end as suggestion
    from shown s order by s.field, s.nth`.execute(db)
  return { unknown: rows.map(({ total: _total, ...unknown }) => unknown), total: rows[0]?.total ?? 0 }
}

/**
 * Names in the staged discounts of an import that will not exist after the import.
 * @param unchanged codes of discounts that already exist in the same form: these may name a deleted product
 */
export async function findUnknownNamesOfImport(
  tx: Tx,
  { id, mode }: { id: string; mode: ImportMode },
  unchanged: readonly string[],
): Promise<{ faults: Issue[]; total: number }> {
  const staged = (type: string) => sql`select from import_rows s where s.job_id = ${id} and s.type = ${type}`
  // A replacing import deletes everything that is not in it.
  const stored = sql.raw(mode === 'merge' ? 'true' : 'false')
  const named = (field: string) => sql`
    select d.place, d.path || ${`.${field}.`} || (n.nth - 1) as path, n.name, n.nth
    from import_rows d cross join lateral json_array_elements_text(d.data -> ${field}) with ordinality as n (name, nth)
    where d.job_id = ${id} and d.type = 'discount' and not d.faulty
      and not exists (select from unnest(${unchanged}::text[]) as u (code) where u.code = d.key)`
  const { rows } = await sql<Issue & { total: number }>`
    /* replan */ select path, message, count(*) over ()::int as total from (
      select n.place, 1 as field, n.nth, n.path, 'unknown category ' || n.name as message
      from (${named('categories')}) as n
      where not exists (${staged('category')} and s.key = n.name)
        and not exists (select from categories c where ${stored} and c.slug = n.name)
      union all
      select n.place, 2, n.nth, n.path, 'unknown product ' || n.name
      from (${named('products')}) as n
      where not exists (${staged('product')} and s.key = n.name)
        -- A stored product that its slug identifies keeps its id.
        and not exists (${staged('product')} and coalesce(s.stored_id, s.given_id) = n.name)
        and not exists (select from products p where ${stored} and p.id = n.name)
        and not exists (select from products p where ${stored} and p.slug = n.name
          -- Unless the import gives it another address.
          and not exists (${staged('product')} and s.stored_id = p.id and s.key <> p.slug))
    ) as faults order by place, field, nth limit ${SHOWN}`.execute(tx)
  return { faults: rows.map(({ path, message }) => ({ path, message })), total: rows[0]?.total ?? 0 }
}
