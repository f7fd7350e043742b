import { sql } from 'kysely'
import type { ImportRowType } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import type { Issue } from '../errors.ts'
import { addIssues, type IssueList } from './issue-list.ts'
import type { CountedJob } from './jobs.queries.ts'
import type { CheckedImport, RowFault } from './row-fault.ts'
import { unknownReferences } from './unknown-references.queries.ts'

const FOUND_AT_ONCE = 100
const MAX_DISCOUNTS = 50_000
const MAX_DISCOUNT_BYTES = 32 * 1024 * 1024

/** Looks for all faults in one statement, because most imports are small and have none. */
async function addFaults(tx: Tx, list: IssueList, faults: readonly RowFault[]): Promise<void> {
  const possible = faults.filter(({ isPossible }) => isPossible)
  if (possible.length === 0) return
  const lookups = possible.map(
    ({ statement }, nth) => sql`
      (select ${nth}::int as nth, place, path, message, count(*) over ()::int as total
       from (${statement}) as faults order by place, path limit ${FOUND_AT_ONCE})`,
  )
  const { rows } = await sql<Issue & { nth: number; total: number }>`
    /* replan */ select nth, path, message, total from (${sql.join(lookups, sql` union all `)}) as found
    order by nth, place, path`.execute(tx)
  for (const found of Map.groupBy(rows, ({ nth }) => nth).values()) {
    addIssues(
      list,
      found.map(({ path, message }) => ({ path, message })),
      found[0]?.total,
    )
  }
}

/** The location in the file of a field of the `nth` variant of a product. */
function ofVariant(field: string) {
  const name = sql`'variants.' || (nth - 1) || ${`.${field}`}::text`
  return sql`coalesce(cells ->> (${name}), path || '.' || ${name})`
}

/**
 * Reviews that the import moves to a product of which their customer will have another review after the import.
 */
function secondReviews({ id: jobId, mode, types }: CheckedImport): RowFault {
  const rows = sql`import_rows r where r.job_id = ${jobId} and r.type = 'review'`
  const stays =
    mode === 'merge'
      ? sql`true`
      : sql`(b.id in (select given_id from ${rows} and given_id is not null)
          or (b.author, b.body, b.rating) in (
            select data ->> 'author', data ->> 'body', (data ->> 'rating')::int from ${rows} and given_id is null))`
  const hasProduct =
    mode === 'merge'
      ? sql`true`
      : sql`exists (select 1 from import_rows k
          where k.job_id = ${jobId} and k.type = 'product' and k.stored_id = v.product_id)`
  return {
    isPossible: types.get('review')?.hasIds === true,
    statement: sql`
    with moved as materialized (
      select r.place, r.path, name, v.id, v.customer_id, t.id as target,
        count(*) over (partition by v.customer_id, t.id, case when t.id is null then name end) as together
      from (select place, path, given_id, refs[1] as name from ${rows} and given_id is not null) r
        cross join lateral (
          select id, product_id, customer_id from reviews where id = r.given_id and customer_id is not null offset 0) v
        cross join lateral (
          select case when g.key is not null then coalesce(g.stored_id, p.id) else coalesce(p.id, f.product_id) end as id
          from (select 1) one
            left join import_rows g on g.job_id = ${jobId} and g.type = 'product' and g.key = r.name
            left join products p on p.slug = r.name
            left join former_slugs f on f.slug = r.name offset 0) t
      where t.id is distinct from v.product_id and ${hasProduct})
    select place, path || '.product' as path, 'the customer of this review has another review of ' || name as message
    from moved m where together > 1 or exists (
      select 1 from reviews b where b.product_id = m.target and b.customer_id = m.customer_id
        and b.id not in (select id from moved) and ${stays})`,
  }
}

/** Products of the import that would exist twice in the shop, or that use a name of another product. */
function clashes({ id: jobId, mode, types }: CheckedImport): RowFault[] {
  const hasIds = types.get('product')?.hasIds === true
  const rows = sql`import_rows r where r.job_id = ${jobId} and r.type = 'product'`
  // In a replacing import products that are not in it are deleted before others are saved.
  const stays = (productId: string) =>
    mode === 'merge'
      ? sql`true`
      : sql`exists (select 1 from import_rows k
          where k.job_id = ${jobId} and k.type = 'product' and k.stored_id = ${sql.ref(productId)})`
  const foreign = (column: string, field: string, given: string): RowFault => ({
    isPossible: column === 'skus' ? types.has('product') : hasIds,
    // `offset 0` prevents a join that would read all variants of the shop once for every product.
    statement: sql`
    select place, ${ofVariant(field)} as path, ${given} || value || ' belongs to another product' as message
    from (
      select r.place, r.path, r.cells, coalesce(r.stored_id, r.given_id, '') as own, nth, value
      from import_rows r, unnest(${sql.ref(`r.${column}`)}) with ordinality as given (value, nth)
      where r.job_id = ${jobId} and r.type = 'product' offset 0
    ) as named join variants v on ${sql.ref(`v.${field}`)} = value
    where v.product_id <> own and ${stays('v.product_id')}`,
  })
  // Products with the same slug or id are already reported as duplicates within the import.
  const sameProduct = sql`
    select place, path, 'is the same product as ' || first as message from (
      select place, path, key, given_id, row_number() over same as nth, first_value(path) over same as first,
        first_value(key) over same as "firstKey", first_value(given_id) over same as "firstId" from ${rows}
        and stored_id is not null window same as (partition by stored_id order by place)) as known
      where nth > 1 and key <> "firstKey" and (given_id is null or given_id is distinct from "firstId")`
  const takenSlug = sql`
    select r.place, coalesce(r.cells ->> 'slug', r.path || '.slug') as path, r.key || ' is the slug of another product' as message
      from import_rows r join products p on p.slug = r.key
      where r.job_id = ${jobId} and r.type = 'product' and p.id <> coalesce(r.stored_id, '') and ${stays('p.id')}
        and not exists (select 1 from import_rows o
          where o.job_id = ${jobId} and o.type = 'product' and o.stored_id = p.id and o.key <> p.slug)`
  return [
    { isPossible: countOf(types, 'product') > 1, statement: sameProduct },
    // A row without an id matches the product with its slug.
    { isPossible: hasIds, statement: takenSlug },
    foreign('skus', 'sku', 'SKU '),
    foreign('variant_ids', 'id', 'variant '),
  ]
}

/**
 * Rows that an import has twice, rows that refer to records that neither it nor the shop has, and products that clash
 * with others of the shop.
 * @param unique the types of rows whose names must differ, by the field of the name
 */
export async function findRowFaults(
  tx: Tx,
  job: CheckedImport & Pick<CountedJob, 'pictures'>,
  unique: ReadonlyMap<string, readonly ImportRowType[]>,
  list: IssueList,
): Promise<void> {
  const { id: jobId, types } = job
  const ofJob = sql`job_id = ${jobId}`
  const twice = (field: string, rowTypes: readonly ImportRowType[]) => sql`
    select place, coalesce(cells ->> ${field}::text, path || '.' || ${field}::text) as path, key || ' occurs twice in this import' as message from (
      select place, path, cells, key, row_number() over (partition by type, key order by place) as nth from import_rows
      where ${ofJob} and type = any(${rowTypes}) and not key_made) as keyed where nth > 1`
  const twiceInVariants = (column: string, field: string) => sql`
    select place, ${ofVariant(field)} as path, value || ' occurs twice in this import' as message
    from (
      select r.place, r.path, r.cells, r.faulty, v.nth, v.value,
        row_number() over (partition by v.value order by r.place, v.nth) as turn,
        row_number() over (partition by v.value, r.place order by v.nth) as turn_within
      from import_rows r, unnest(${sql.ref(`r.${column}`)}) with ordinality as v (value, nth)
      where ${ofJob} and type = 'product' and v.value is not null) as valued
    -- A duplicate within one valid product is reported by the checks of that product.
    where turn > 1 and (turn_within = 1 or faulty)`
  // Limited in number and bytes, because they are published to cart as events.
  const tooManyDiscounts = sql`
    select 0 as place, 'discounts' as path, 'must not be more than ' || ${MAX_DISCOUNTS}::int || ' or 32 MiB' as message
    from import_rows where ${ofJob} and type = 'discount'
    having count(*) > ${MAX_DISCOUNTS}::int or sum(octet_length(data::text)) > ${MAX_DISCOUNT_BYTES}::int`
  const twiceGiven = sql`
    select place, path || '.id' as path, given_id || ' occurs twice in this import' as message from (
      select place, path, given_id, row_number() over (partition by type, given_id order by place) as nth from import_rows
      where ${ofJob} and type in ('product', 'review') and given_id is not null) as named where nth > 1`
  const notFetched = sql`
    select place, path, left(url, 200) || ' ' || fault as message from import_pictures
    where ${ofJob} and fault is not null`
  const hasSeveral = (type: ImportRowType) => countOf(types, type) > 1
  // For a single product this is needed only if it is invalid.
  const hasVariants = hasSeveral('product') || list.total > 0
  const faults: RowFault[] = [
    ...[...unique].map(([field, rowTypes]): RowFault => ({
      isPossible: rowTypes.some(hasSeveral),
      statement: twice(field, rowTypes),
    })),
    { isPossible: types.has('discount'), statement: tooManyDiscounts },
    { isPossible: hasSeveral('product') || hasSeveral('review'), statement: twiceGiven },
    { isPossible: hasVariants, statement: twiceInVariants('skus', 'sku') },
    { isPossible: hasVariants, statement: twiceInVariants('variant_ids', 'id') },
    ...unknownReferences(job),
    secondReviews(job),
    // Does not depend on rows, because a product without a name has pictures but no row.
    { isPossible: job.pictures > 0, statement: notFetched },
    ...clashes(job),
  ]
  await addFaults(tx, list, faults)
}

function countOf(types: CheckedImport['types'], type: ImportRowType): number {
  return types.get(type)?.count ?? 0
}
