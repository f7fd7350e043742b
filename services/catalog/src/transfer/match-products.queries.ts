import { sql } from 'kysely'
import type { Tx } from '../database.ts'
import type { ProductToRemove } from '../products/remove-products.ts'
import type { CountedJob } from './jobs.queries.ts'

interface Matches {
  /** Whether any stored product of the import gets another slug. */
  renames: boolean
  /** How many other products a replacing import deletes. */
  others: number
}

/**
 * Finds the stored product of each row: by its id, or else by its slug. Locks these products in the order of their ids,
 * or for a replacing import all products of the shop, because it removes some from lists before it saves others.
 * @param options.locks false for an import that is only checked
 */
export async function matchProducts(
  tx: Tx,
  { id: jobId, mode, types }: Pick<CountedJob, 'id' | 'mode' | 'types'>,
  { locks }: { locks: boolean },
): Promise<Matches> {
  if (mode === 'merge' && !types.has('product')) return { renames: false, others: 0 }
  const isKnown = sql`id in (select id from known)`
  const wanted = mode === 'replace' ? sql`` : sql`where ${isKnown}`
  const inOrder = locks ? sql`order by id for update` : sql``
  for (;;) {
    const { rows } = await sql<{ found: number; stored: number; kept: number; named: number }>`
      /* replan */ with known as materialized (
        select m.place, m.key, coalesce(
          (select p.id from products p where p.id = m.given_id), (select p.id from products p where p.slug = m.key)) as id
        from import_rows m where m.job_id = ${jobId} and m.type = 'product'
      ), matched as (
        update import_rows r set stored_id = known.id from known
        where r.job_id = ${jobId} and r.type = 'product' and r.place = known.place
          and known.id is distinct from r.stored_id
      ), stored as materialized (
        select id, slug from products ${wanted} ${inOrder}
      )
      select (select count(distinct id)::int from known) as found, count(*)::int as stored,
        count(*) filter (where ${isKnown})::int as kept,
        count(*) filter (where (id, slug) in (select id, key from known where id is not null))::int as named
      from stored`.execute(tx)
    const { found, stored, kept, named } = rows[0] ?? { found: 0, stored: 0, kept: 0, named: 0 }
    // The row of a product that was deleted before it was locked creates a product, or matches another with its slug.
    if (kept === found) return { renames: named < kept, others: stored - kept }
  }
}

/** Products that are not in the import, in small batches. */
export async function findUnmatched(tx: Tx, jobId: string, limit: number): Promise<ProductToRemove[]> {
  const { rows } = await sql<ProductToRemove>`
    /* replan */ select id, slug, version from products p where not exists (
      select 1 from import_rows r where r.job_id = ${jobId} and r.type = 'product' and r.stored_id = p.id)
    order by id limit ${limit}`.execute(tx)
  return rows
}

/**
 * Frees slugs that this import moves from one product to another, because two products may swap theirs.
 * @returns the former slugs, by product
 */
export async function freeSlugs(tx: Tx, jobId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; slug: string }>`
    /* replan */ with moving as (
      select p.id, p.slug from products p
        join import_rows r on r.job_id = ${jobId} and r.type = 'product' and r.stored_id = p.id and r.key <> p.slug
        join import_rows w on w.job_id = ${jobId} and w.type = 'product' and w.key = p.slug
    ), freed as (
      -- No merchant can write a slug with a tilde.
      update products p set slug = '~' || p.id from moving where moving.id = p.id
    )
    select id, slug from moving`.execute(tx)
  return new Map(rows.map((row) => [row.id, row.slug]))
}

/** Deletes former slugs that another product has now. */
export async function dropTakenFormerSlugs(tx: Tx): Promise<void> {
  await sql`delete from former_slugs f using products p where p.slug = f.slug`.execute(tx)
}

export interface GeneratedSlug {
  place: number
  key: string
}

/** Rows whose slug was made from their title, in the order of the file. */
export async function findGeneratedSlugs(tx: Tx, jobId: string): Promise<GeneratedSlug[]> {
  const { rows } = await sql<GeneratedSlug>`
    select place, key from import_rows
    where job_id = ${jobId} and type = 'product' and key is not null and key_made order by place`.execute(tx)
  return rows
}

/** SKUs of an import that a generated SKU could collide with; none if all variants have their own. */
export async function findSkusToAvoid(tx: Tx, jobId: string): Promise<Set<string>> {
  const { rows } = await sql<{ sku: string }>`
    /* replan */ select sku from import_rows r, unnest(r.skus) as sku
    where r.job_id = ${jobId} and r.type = 'product' and sku ~ '^[A-Z0-9-]+$' and exists (
      select 1 from import_rows m where m.job_id = ${jobId} and m.type = 'product'
        and (m.skus = '{}' or array_position(m.skus, null) is not null))`.execute(tx)
  return new Set(rows.map((row) => row.sku))
}

export async function findGivenSlugs(tx: Tx, jobId: string, slugs: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from import_rows
    where job_id = ${jobId} and type = 'product' and key is not null and not key_made and key = any(${slugs})`.execute(
    tx,
  )
  return new Set(rows.map((row) => row.key))
}

/**
 * The product of each slug: in the import, or else in the shop, or else the one that formerly had it. Null for a
 * product of the import that is not stored yet, as in a dry run. Without statistics, `offset 0` prevents PostgreSQL
 * from comparing each slug with every row.
 */
export async function resolveProducts(
  tx: Tx,
  jobId: string,
  slugs: readonly string[],
): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ slug: string; id: string | null }>`
    select wanted.slug, case when r.key is not null then coalesce(r.stored_id, p.id) else coalesce(p.id, f.product_id) end as id
    from unnest(${[...new Set(slugs)]}::text[]) as wanted (slug)
      left join lateral (
        select key, stored_id from import_rows
        where job_id = ${jobId} and type = 'product' and key = wanted.slug offset 0) r on true
      left join lateral (select id from products where slug = wanted.slug offset 0) p on true
      left join lateral (select product_id from former_slugs where slug = wanted.slug offset 0) f on true`.execute(tx)
  return new Map(rows.map((row) => [row.slug, row.id]))
}

/** The current slugs of the existing ones of these products: a replacing import may have deleted some. */
export async function findSlugs(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; slug: string }>`
    select id, slug from products where id = any(${ids})`.execute(tx)
  return new Map(rows.map((row) => [row.id, row.slug]))
}
