import { sql, type RawBuilder } from 'kysely'
import { deleteRows } from '@storefront/postgres'
import type { DiscountInput, ImportMode } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'

/** Serializes the parts of an import: two transactions that do not see each other's part would both count too few. */
export async function lockDiscountImports(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('discount imports', 0))`.execute(tx)
}

/**
 * A catalog that was restored to a state before an incomplete import gives its number to another import, which replaces
 * it: parts of both must not be counted together.
 * @returns false when the import has already taken effect, or another one has its number
 */
export async function openImport(
  tx: Tx,
  { number, importId, mode, parts }: { number: number; importId: string; mode: ImportMode; parts: number },
  at: Date,
): Promise<boolean> {
  await sql`
    delete from discount_imports
    where number = ${number} and import_id <> ${importId} and at < ${at} and applied_at is null`.execute(tx)
  await sql`
    insert into discount_imports (number, import_id, mode, parts, at)
    values (${number}, ${importId}, ${mode}, ${parts}, ${at}) on conflict (number) do nothing`.execute(tx)
  const { rows } = await sql`
    select 1 from discount_imports
    where number = ${number} and import_id = ${importId} and applied_at is null`.execute(tx)
  return rows.length > 0
}

/** @returns how many parts have arrived */
export async function savePart(
  tx: Tx,
  { number, part, discounts }: { number: number; part: number; discounts: readonly DiscountInput[] },
): Promise<number> {
  await sql`
    insert into discount_import_parts (number, part, discounts)
    values (${number}, ${part}, ${JSON.stringify(discounts)}::jsonb) on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from discount_import_parts where number = ${number}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Whether a later import has already replaced all discounts. */
export async function isSuperseded(tx: Tx, number: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from discount_imports
    where number > ${number} and mode = 'replace' and applied_at is not null limit 1`.execute(tx)
  return rows.length > 0
}

/** An import that takes effect at `now`. */
interface Import {
  number: number
  mode: ImportMode
  /** When the import was committed in catalog. */
  at: Date
  actor: string
  now: Date
}

const importedRows = (number: number) => sql`
  select p.part, r.* from discount_import_parts p cross join lateral rows from (
    jsonb_to_recordset(p.discounts) as (code text, kind text, value bigint, label text, active boolean,
      "startsAt" timestamptz, "endsAt" timestamptz, "minSubtotal" bigint, "usageLimit" integer,
      "perCustomerLimit" integer, categories text[], products text[])) with ordinality as r
  where p.number = ${number}`

/**
 * Writes the discounts of an import, except those that a later one has written. An existing code stays the same
 * discount and keeps its redemptions. Locks first and in order, as every transaction that changes several does.
 */
export async function applyDiscounts(tx: Tx, { number, mode, at, actor, now }: Import): Promise<void> {
  const imported = importedRows(number)
  const wanted = mode === 'replace' ? sql`true` : sql`d.code in (select code from (${imported}) as i)`
  await sql`select 1 from discounts d where ${wanted} order by d.id for update`.execute(tx)
  await auditImported(tx, { number, actor, now })
  await sql`
    insert into discounts as d (code, kind, value, label, active, starts_at, ends_at, min_subtotal_minor, usage_limit,
      per_customer_limit, categories, products, created_at, updated_at, import_number)
    select code, kind, value, label, active, "startsAt", "endsAt", "minSubtotal", "usageLimit", "perCustomerLimit",
      categories, products, ${at}, ${at}, ${number}
    from (${imported}) as i order by part, ordinality
    on conflict (code) do update set kind = excluded.kind, value = excluded.value, label = excluded.label,
      active = excluded.active, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      min_subtotal_minor = excluded.min_subtotal_minor, usage_limit = excluded.usage_limit,
      per_customer_limit = excluded.per_customer_limit, categories = excluded.categories, products = excluded.products,
      updated_at = excluded.updated_at, import_number = excluded.import_number
    where coalesce(d.import_number, 0) < excluded.import_number`.execute(tx)
}

/** For an import that replaces: deletes the discounts that neither it nor a later import has written. */
export async function removeOtherDiscounts(tx: Tx, { number, actor, now }: Import): Promise<void> {
  await sql`
    with gone as (
      delete from discounts d where coalesce(import_number, 0) < ${number} returning d.code, ${storedFields} as before
    )
    insert into audit_entries (at, actor, action, subject_kind, subject_id, before)
    select ${now}::timestamptz, ${actor}::text, 'import', 'discount', code, before from gone order by code`.execute(tx)
}

/** Writes into the audit what an import is about to change, one entry for each code, as for a merchant's own change. */
async function auditImported(tx: Tx, { number, actor, now }: Pick<Import, 'number' | 'actor' | 'now'>): Promise<void> {
  await sql`
    with compared as (
      select i.part, i.ordinality, i.code, case when d.code is not null then ${storedFields} end as before,
        ${importedFields} as after
      from (${importedRows(number)}) as i left join discounts d on d.code = i.code
      where coalesce(d.import_number, 0) < ${number}
    )
    insert into audit_entries (at, actor, action, subject_kind, subject_id, before, after)
    select ${now}::timestamptz, ${actor}::text, 'import', 'discount', code, ${differing(sql`before`, sql`after`)},
      case when before is null then after else ${differing(sql`after`, sql`before`)} end
    from compared where before is distinct from after order by part, ordinality`.execute(tx)
}

/** Members of one JSON object that another lacks or has with another value; null when there is no first object. */
const differing = (one: RawBuilder<unknown>, other: RawBuilder<unknown>) => sql`
  case when ${one} is not null then (
    select coalesce(jsonb_object_agg(key, value), '{}'::jsonb) from jsonb_each(${one}) where ${other} -> key is distinct from value)
  end`

const moment = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** As merchants write and read a discount. */
const storedFields = sql`jsonb_strip_nulls(jsonb_build_object('code', d.code, 'kind', d.kind, 'value', d.value,
  'label', d.label, 'active', d.active, 'startsAt', ${moment(sql`d.starts_at`)}, 'endsAt', ${moment(sql`d.ends_at`)},
  'minSubtotal', d.min_subtotal_minor, 'usageLimit', d.usage_limit, 'perCustomerLimit', d.per_customer_limit,
  'categories', d.categories, 'products', d.products))`
const importedFields = sql`jsonb_strip_nulls(jsonb_build_object('code', i.code, 'kind', i.kind, 'value', i.value,
  'label', i.label, 'active', i.active, 'startsAt', ${moment(sql`i."startsAt"`)}, 'endsAt', ${moment(sql`i."endsAt"`)},
  'minSubtotal', i."minSubtotal", 'usageLimit', i."usageLimit", 'perCustomerLimit', i."perCustomerLimit",
  'categories', i.categories, 'products', i.products))`

export async function endImport(tx: Tx, number: number, now: Date): Promise<void> {
  await sql`update discount_imports set applied_at = ${now} where number = ${number}`.execute(tx)
  await sql`delete from discount_import_parts where number = ${number}`.execute(tx)
}

/** The highest number of an import that took effect, 0 before the first. */
export async function findLastApplied(db: Database): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select coalesce(max(number), 0) as number from discount_imports where applied_at is not null`.execute(db)
  return rows[0]?.number ?? 0
}

/**
 * Deletes records of imports that no event can refer to any more, including those that never became complete; the last
 * one is kept.
 * @returns how many, at most `limit`
 */
export function deleteOldImports(db: Database, before: Date, limit: number): Promise<number> {
  return deleteRows(
    db,
    'discount_imports',
    sql`at < ${before} and number < (select max(number) from discount_imports where applied_at is not null)`,
    limit,
  )
}
