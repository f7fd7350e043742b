import { sql, type RawBuilder } from 'kysely'
import type { ImportMode } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import type { Issue } from '../errors.ts'
import { addIssues, type IssueList } from './issue-list.ts'

const FOUND_AT_ONCE = 100
const MAX_DISCOUNTS = 50_000
const MAX_DISCOUNT_BYTES = 32 * 1024 * 1024

/** A statement that finds invalid rows: `place`, `path` and `message`. */
type Fault = RawBuilder<unknown>

async function addFaults(tx: Tx, list: IssueList, faults: readonly Fault[]): Promise<void> {
  for (const fault of faults) {
    const { rows } = await sql<Issue & { total: number }>`
      /* replan */ select path, message, count(*) over ()::int as total from (${fault}) as faults order by place, path
      limit ${FOUND_AT_ONCE}`.execute(tx)
    addIssues(
      list,
      rows.map(({ path, message }) => ({ path, message })),
      rows[0]?.total ?? 0,
    )
  }
}

/** The location in the file of a field of the `nth` variant of a product. */
function ofVariant(field: string) {
  const name = sql`'variants.' || (nth - 1) || ${`.${field}`}::text`
  return sql`coalesce(cells ->> (${name}), path || '.' || ${name})`
}

/** Rows that an import has twice, and rows that refer to records that neither it nor the shop has. */
export async function findRowFaults(tx: Tx, jobId: string, mode: ImportMode, list: IssueList): Promise<void> {
  const job = sql`job_id = ${jobId}`
  // A replacing import deletes everything that is not in it.
  const stored = sql.raw(mode === 'merge' ? 'true' : 'false')
  const twice = (types: string[], field: string) => sql`
    select place, coalesce(cells ->> ${field}::text, path || '.' || ${field}::text) as path, key || ' occurs twice in this import' as message from (
      select place, path, cells, key, row_number() over (partition by type, key order by place) as nth from import_rows
      where ${job} and type = any(${types}) and not key_made) as keyed where nth > 1`
  const twiceInVariants = (column: string, field: string) => sql`
    select place, ${ofVariant(field)} as path, value || ' occurs twice in this import' as message
    from (
      select r.place, r.path, r.cells, r.faulty, v.nth, v.value,
        row_number() over (partition by v.value order by r.place, v.nth) as turn,
        row_number() over (partition by v.value, r.place order by v.nth) as turn_within
      from import_rows r, unnest(${sql.ref(`r.${column}`)}) with ordinality as v (value, nth)
      where ${job} and type = 'product' and v.value is not null) as valued
    -- A duplicate within one valid product is reported by the checks of that product.
    where turn > 1 and (turn_within = 1 or faulty)`
  const unknownCategory = (type: string, field: string) => sql`
    select place, path || ${field} as path, 'there is no category ' || slug as message
    from import_rows r, unnest(r.refs) as slug
    where ${job} and type = ${type}
      and not exists (select 1 from import_rows c where c.job_id = ${jobId} and c.type = 'category' and c.key = slug)
      and not (${stored} and exists (select 1 from categories c where c.slug = slug.slug))`
  const unknownProduct = (type: string, field: string) => sql`
    select place, path || ${field} as path, 'there is no product ' || slug as message
    from import_rows r, unnest(r.refs) as slug
    where ${job} and type = ${type}
      and not exists (select 1 from import_rows p where p.job_id = ${jobId} and p.type = 'product' and p.key = slug)
      and not exists (
        select 1 from (
          select id from products p where p.slug = slug.slug
          union all select product_id from former_slugs f where f.slug = slug.slug
        ) as known (id)
        where ${stored} or exists (select 1 from import_rows p
          where p.job_id = ${jobId} and p.type = 'product' and p.stored_id = known.id))`
  await addFaults(tx, list, [
    twice(['product', 'category', 'collection'], 'slug'),
    twice(['sizeChart'], 'id'),
    twice(['discount'], 'code'),
    // They are sent to cart as events, and their bytes with them.
    sql`select 0 as place, 'discounts' as path, 'must not be more than ' || ${MAX_DISCOUNTS}::int || ' or 32 MiB' as message
      from import_rows where ${job} and type = 'discount'
      having count(*) > ${MAX_DISCOUNTS}::int or sum(octet_length(data::text)) > ${MAX_DISCOUNT_BYTES}::int`,
    sql`select place, path || '.id' as path, given_id || ' occurs twice in this import' as message from (
      select place, path, given_id, row_number() over (partition by type, given_id order by place) as nth from import_rows
      where ${job} and type in ('product', 'review') and given_id is not null) as named where nth > 1`,
    twiceInVariants('skus', 'sku'),
    twiceInVariants('variant_ids', 'id'),
    unknownCategory('product', '.categories'),
    unknownCategory('category', '.parent'),
    sql`select place, path || '.sizeChartId' as path, 'there is no size chart ' || chart as message from import_rows r
      where ${job} and type = 'product' and chart is not null
        and not exists (select 1 from import_rows c where c.job_id = ${jobId} and c.type = 'sizeChart' and c.key = r.chart)
        and not (${stored} and exists (select 1 from size_charts c where c.id = r.chart))`,
    unknownProduct('collection', '.products'),
    unknownProduct('review', '.product'),
    sql`select place, path, left(url, 200) || ' ' || fault as message from import_pictures
      where ${job} and fault is not null`,
  ])
}

/** Products of the import that would exist twice in the shop, or that use a name of another product. */
export async function findClashes(tx: Tx, jobId: string, mode: ImportMode, list: IssueList): Promise<void> {
  const rows = sql`import_rows r where r.job_id = ${jobId} and r.type = 'product'`
  // In a replacing import products that are not in it are deleted before others are saved.
  const stays = (productId: string) =>
    mode === 'merge'
      ? sql`true`
      : sql`exists (select 1 from import_rows k
          where k.job_id = ${jobId} and k.type = 'product' and k.stored_id = ${sql.ref(productId)})`
  const foreign = (column: string, field: string, given: string) => sql`
    select r.place, ${ofVariant(field)} as path, ${given} || value || ' belongs to another product' as message
    from import_rows r, unnest(${sql.ref(`r.${column}`)}) with ordinality as given (value, nth)
      join variants v on ${sql.ref(`v.${field}`)} = value
    where r.job_id = ${jobId} and r.type = 'product' and v.product_id <> coalesce(r.stored_id, r.given_id, '')
      and ${stays('v.product_id')}`
  await addFaults(tx, list, [
    // Products with the same slug or id are already reported as duplicates within the import.
    sql`select place, path, 'is the same product as ' || first as message from (
      select place, path, key, given_id, row_number() over same as nth, first_value(path) over same as first,
        first_value(key) over same as "firstKey", first_value(given_id) over same as "firstId" from ${rows}
        and stored_id is not null window same as (partition by stored_id order by place)) as known
      where nth > 1 and key <> "firstKey" and (given_id is null or given_id is distinct from "firstId")`,
    sql`select r.place, coalesce(r.cells ->> 'slug', r.path || '.slug') as path, r.key || ' is the address of another product' as message
      from import_rows r join products p on p.slug = r.key
      where r.job_id = ${jobId} and r.type = 'product' and p.id <> coalesce(r.stored_id, '') and ${stays('p.id')}
        and not exists (select 1 from import_rows o
          where o.job_id = ${jobId} and o.type = 'product' and o.stored_id = p.id and o.key <> p.slug)`,
    foreign('skus', 'sku', 'SKU '),
    foreign('variant_ids', 'id', 'variant '),
  ])
}

/** Finds the stored product of each row: by its id, or else by its slug. */
export async function matchProducts(tx: Tx, jobId: string): Promise<void> {
  await sql`
    /* replan */ update import_rows r set stored_id = known.id
    from (
      select m.place, coalesce(
        (select p.id from products p where p.id = m.given_id), (select p.id from products p where p.slug = m.key)) as id
      from import_rows m where m.job_id = ${jobId} and m.type = 'product'
    ) known
    where r.job_id = ${jobId} and r.type = 'product' and r.place = known.place
      and known.id is distinct from r.stored_id`.execute(tx)
}

/** Locks the stored products of an import, in the order of their ids. */
export async function lockMatched(tx: Tx, jobId: string): Promise<void> {
  await sql`
    /* replan */ select count(*) from (
      select 1 from products p where exists (
        select 1 from import_rows r where r.job_id = ${jobId} and r.type = 'product' and r.stored_id = p.id)
      order by p.id for update) as locked`.execute(tx)
}

/** Products that are not in the import, in small batches. */
export async function findUnmatched(
  tx: Tx,
  jobId: string,
  limit: number,
): Promise<{ id: string; slug: string; version: number }[]> {
  const { rows } = await sql<{ id: string; slug: string; version: number }>`
    /* replan */ select id, slug, version from products p where not exists (
      select 1 from import_rows r where r.job_id = ${jobId} and r.type = 'product' and r.stored_id = p.id)
    order by id limit ${limit}`.execute(tx)
  return rows
}

export async function countUnmatched(tx: Tx, jobId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    /* replan */ select count(*)::int as count from products p where not exists (
      select 1 from import_rows r where r.job_id = ${jobId} and r.type = 'product' and r.stored_id = p.id)`.execute(tx)
  return rows[0]?.count ?? 0
}

/**
 * Takes the slugs from products that get new ones in this import, where another product of it wants the old one: two
 * products may swap.
 * @returns their former slugs, by product
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

/** A slug that a product has now is not a former one of another. */
export async function dropTakenFormerSlugs(tx: Tx): Promise<void> {
  await sql`delete from former_slugs f using products p where p.slug = f.slug`.execute(tx)
}

export interface MadeSlug {
  place: number
  key: string
}

/** Rows whose slug was made from their title, in the order of the file. */
export async function findMadeSlugs(tx: Tx, jobId: string): Promise<MadeSlug[]> {
  const { rows } = await sql<MadeSlug>`
    select place, key from import_rows where job_id = ${jobId} and type = 'product' and key_made order by place`.execute(
    tx,
  )
  return rows
}

/** SKUs of an import with which a generated one could collide; none when all variants have their own. */
export async function findSkusToAvoid(tx: Tx, jobId: string): Promise<Set<string>> {
  const { rows } = await sql<{ sku: string }>`
    /* replan */ select sku from import_rows r, unnest(r.skus) as sku
    where r.job_id = ${jobId} and r.type = 'product' and sku ~ '^[A-Z0-9-]+$' and exists (
      select 1 from import_rows m where m.job_id = ${jobId} and m.type = 'product'
        and (m.skus = '{}' or array_position(m.skus, null) is not null))`.execute(tx)
  return new Set(rows.map((row) => row.sku))
}

/** Which of these slugs are given in the import. */
export async function findGivenSlugs(tx: Tx, jobId: string, slugs: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from import_rows
    where job_id = ${jobId} and type = 'product' and not key_made and key = any(${slugs})`.execute(tx)
  return new Set(rows.map((row) => row.key))
}

export async function saveMadeSlugs(tx: Tx, jobId: string, made: readonly MadeSlug[]): Promise<void> {
  await sql`
    update import_rows r set key = t.key
    from unnest(${made.map((each) => each.place)}::int[], ${made.map((each) => each.key)}::text[]) as t (place, key)
    where r.job_id = ${jobId} and r.type = 'product' and r.place = t.place`.execute(tx)
}

/**
 * The product of each slug: that of the import, or else of the shop, or else the one that formerly had it. Null for a
 * product of the import that is not stored yet, as in a dry run. `offset 0` keeps PostgreSQL from comparing each with
 * every row while it has no statistics of them.
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

/** Current slugs. */
export async function findSlugs(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; slug: string }>`
    select id, slug from products where id = any(${ids})`.execute(tx)
  return new Map(rows.map((row) => [row.id, row.slug]))
}

/** Those of these products that exist: some may have been deleted by a replacing import. */
export async function findStored(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from products where id = any(${[...new Set(ids)]}) order by id`.execute(tx)
  return rows.map((row) => row.id)
}
