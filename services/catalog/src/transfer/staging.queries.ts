import { chunksOf } from '@storefront/service'
import { sql } from 'kysely'
import type { ImportRowType } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import type { RowCounts, RowsOfType } from './jobs.queries.ts'

/** The data that other rows are compared with, besides the row itself. */
export interface RowFacts {
  key?: string
  keyMade?: boolean
  givenId?: string | undefined
  skus?: (string | null)[]
  variantIds?: (string | null)[]
  refs?: readonly string[]
  chart?: string | undefined
}

/** A row of an import that fits its schema, ready to be staged. */
export interface ImportRow extends RowFacts {
  type: ImportRowType
  /** Its location in the file, for people. */
  path: string
  data: unknown
  /** Whether it is invalid. Its identity is known, so others may refer to it. */
  faulty?: boolean
  /**
   * Names of its fields in the file, such as `row 3: Variant SKU` for `variants.1.sku`, where they differ from those of
   * the contract.
   */
  cells?: Readonly<Record<string, string>>
  /** Fields that the file cannot contain: their stored values stay. */
  keeps?: readonly string[]
}

export interface StagedRow<Data> {
  place: number
  path: string
  key: string
  storedId: string | null
  /** Names of its fields in the file, where they differ from those of the contract. */
  cells: Readonly<Record<string, string>> | null
  /** Fields that the file cannot contain: their stored values stay. */
  keeps: readonly string[]
  data: Data
}

export async function insertRows(
  db: Database,
  jobId: string,
  rows: readonly (ImportRow & { place: number })[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into import_rows (job_id, type, place, path, key, key_made, given_id, skus, variant_ids, refs, chart, data,
      faulty, cells, keeps)
    select ${jobId}, type, place, path, key, coalesce("keyMade", false), "givenId", skus, "variantIds", refs, chart, data,
      coalesce(faulty, false), cells, coalesce(keeps, '{}')
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (type text, place int, path text, key text,
      "keyMade" bool, "givenId" text, skus text[], "variantIds" text[], refs text[], chart text, data json,
      faulty bool, cells jsonb, keeps text[])`.execute(db)
}

/** An import whose rows are read, with the types of its rows once they are known. */
interface Import {
  id: string
  types?: ReadonlyMap<string, unknown>
}

/** The rows of a type in chunks, in the order of the file, without those that have errors. */
export async function* rowsInChunks<Data>(
  tx: Database | Tx,
  { id: jobId, types }: Import,
  type: ImportRowType,
  size: number,
): AsyncGenerator<StagedRow<Data>[]> {
  if (types?.has(type) === false) return
  for (let after: number | undefined = -1; after !== undefined;) {
    const { rows }: { rows: StagedRow<Data>[] } = await sql<StagedRow<Data>>`
      select place, path, coalesce(key, '') as key, stored_id as "storedId", cells, keeps, data from import_rows
      where job_id = ${jobId} and type = ${type} and place > ${after} and not faulty order by place limit ${size}`.execute(
      tx,
    )
    if (rows.length > 0) yield rows
    after = rows.length < size ? undefined : rows.at(-1)?.place
  }
}

/** The data of all rows of a type, for types of which a shop has few. */
export async function allRows<Data>(tx: Tx, job: Import, type: ImportRowType): Promise<Data[]> {
  const all: Data[] = []
  for await (const rows of rowsInChunks<Data>(tx, job, type, 1000)) all.push(...rows.map(({ data }) => data))
  return all
}

/** The names of rows with errors, of which only the identity is stored. */
export async function findFaultyKeys(tx: Tx, jobId: string, type: ImportRowType): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from import_rows where job_id = ${jobId} and type = ${type} and key is not null and faulty`.execute(tx)
  return new Set(rows.map((row) => row.key))
}

export async function countRows(tx: Tx, jobId: string): Promise<RowCounts> {
  const { rows } = await sql<RowsOfType & { type: string; hasGenerated: boolean; lacksSkus: boolean }>`
    select type, count(*)::int as count, bool_or(key_made) as "hasGenerated",
      bool_or(type = 'product' and (skus = '{}' or array_position(skus, null) is not null)) as "lacksSkus",
      coalesce(bool_or(given_id is not null or array_remove(variant_ids, null) <> '{}'), false) as "hasIds",
      coalesce(bool_or(refs <> '{}'), false) as "hasRefs", bool_or(chart is not null) as "hasCharts"
    from import_rows where job_id = ${jobId} group by type`.execute(tx)
  return {
    total: rows.reduce((total, { count }) => total + count, 0),
    products: rows.find(({ type }) => type === 'product')?.count ?? 0,
    types: new Map(rows.map((row) => [row.type, row])),
    hasGeneratedSlugs: rows.some(({ hasGenerated }) => hasGenerated),
    lacksSkus: rows.some(({ lacksSkus }) => lacksSkus),
  }
}

const UPDATED_AT_ONCE = 5000

/** Sets a column of rows, by their places: the stored id, once a record is saved or found, or other data. */
export async function updateRows(
  db: Database | Tx,
  jobId: string,
  type: ImportRowType,
  { column, rows }: { column: 'key' | 'stored_id' | 'data'; rows: readonly { place: number; value: unknown }[] },
): Promise<void> {
  const valueType = sql.raw(column === 'data' ? 'json' : 'text')
  for (const chunk of chunksOf(rows, UPDATED_AT_ONCE)) {
    await sql`
      update import_rows r set ${sql.ref(column)} = t.value
      from json_to_recordset(${JSON.stringify(chunk)}::json) as t (place int, value ${valueType})
      where r.job_id = ${jobId} and r.type = ${type} and r.place = t.place`.execute(db)
  }
}

const DELETED_AT_ONCE = 20_000

/** Deletes the rows of a job that has ended, in steps within the statement timeout. */
export async function dropRows(db: Database, jobId: string): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      with pictures as (delete from import_pictures where job_id = ${jobId})
      delete from import_rows where ctid = any(array(
        select ctid from import_rows where job_id = ${jobId} limit ${DELETED_AT_ONCE}))`.execute(db)
    if (numAffectedRows < DELETED_AT_ONCE) return
  }
}

/** Jobs that have ended and whose rows still exist. */
export async function findEndedJobsWithRows(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from import_jobs j
    where finished_at is not null and (exists (select 1 from import_rows r where r.job_id = j.id)
      or exists (select 1 from import_pictures p where p.job_id = j.id))`.execute(db)
  return rows.map((row) => row.id)
}
