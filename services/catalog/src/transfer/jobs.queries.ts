import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { deleteRows } from '@storefront/postgres'
import type { Actor, ImportMode, ImportResult, ImportStatus } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { importNotFound, type Issue } from '../errors.ts'

export interface Job {
  id: string
  createdAt: Date
  finishedAt: Date | null
  actor: Actor
  mode: ImportMode
  dryRun: boolean
  status: ImportStatus
  rowsRead: number
  rowsChecked: number
  rowsApplied: number
  products: number
  /** Whether the import includes discounts, possibly an empty list. */
  hasDiscounts: boolean
  /** The number of pictures on other servers, and of those that were fetched or failed. */
  pictures: number
  picturesFetched: number
  columnsNotTaken: string[]
  failure: string | null
  issues: Issue[]
  issueCount: number
  result: StoredResult | null
  changedAt: Date
}

/** The rows of one type, with errors or without. */
export interface RowsOfType {
  count: number
  /** Whether any row or variant has an id. */
  hasIds: boolean
  /** Whether any refers to categories or products. */
  hasRefs: boolean
  /** Whether any refers to a size chart. */
  hasCharts: boolean
}

/** How many rows an import has, with errors or without. */
export interface RowCounts {
  total: number
  products: number
  types: ReadonlyMap<string, RowsOfType>
  /** Whether the slug of a product was made from its title. */
  hasGeneratedSlugs: boolean
  /** Whether a product has a variant without a SKU, or no variants. */
  lacksSkus: boolean
}

export type CountedJob = Job & RowCounts

/** The result of an import. Older results have no number of products. */
export type StoredResult = Omit<ImportResult, 'products'> & { products?: number }

const COLUMNS =
  sql.raw(`id, created_at as "createdAt", changed_at as "changedAt", finished_at as "finishedAt", actor, mode,
  dry_run as "dryRun", status, rows_read as "rowsRead", rows_checked as "rowsChecked", rows_applied as "rowsApplied",
  products, says_discounts as "hasDiscounts", pictures, pictures_fetched as "picturesFetched",
  columns_not_taken as "columnsNotTaken", failure, issues, issue_count as "issueCount", result`)

type NewJob = Pick<Job, 'actor' | 'mode' | 'dryRun'> & { attended: boolean }

export async function insertJob(db: Database, job: NewJob, now: Date): Promise<string> {
  const id = `imp_${randomUUID().replaceAll('-', '')}`
  await sql`
    insert into import_jobs (id, created_at, changed_at, actor, mode, dry_run, attended, status)
    values (${id}, ${now}, ${now}, ${JSON.stringify(job.actor)}::jsonb, ${job.mode}, ${job.dryRun}, ${job.attended},
      'receiving')`.execute(db)
  return id
}

/** @throws HttpError when there is no such job */
export async function findJob(db: Database, id: string): Promise<Job> {
  const { rows } = await sql<Job>`select ${COLUMNS} from import_jobs where id = ${id}`.execute(db)
  if (!rows[0]) throw importNotFound()
  return rows[0]
}

/** The latest first. @param page.before the last job of the previous page */
export async function findJobs(
  db: Database,
  { limit, offset, before }: { limit: number; offset: number; before: string | undefined },
): Promise<Job[]> {
  const older =
    before === undefined
      ? sql``
      : sql`where (created_at, id) < (select created_at, id from import_jobs where id = ${before})`
  const { rows } = await sql<Job>`
    select ${COLUMNS} from import_jobs ${older} order by created_at desc, id desc
    limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countJobs(db: Database): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from import_jobs`.execute(db)
  return rows[0]?.total ?? 0
}

/**
 * The oldest job that no request waits for, including one whose worker was killed. If another replica is applying it,
 * `tryLockImports` returns false.
 */
export async function findNextJob(db: Database | Tx): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    select ${COLUMNS} from import_jobs
    where finished_at is null and not attended and status in ('queued', 'checking', 'applying')
    order by created_at, id limit 1`.execute(db)
  return rows[0]
}

/** Issues may be stored before the end: a job with errors continues only to find the others. */
export type JobProgress = Partial<Omit<Job, 'id' | 'createdAt' | 'changedAt' | 'finishedAt' | 'failure' | 'result'>>

/** Stores the progress of a job. @returns the job, undefined when it was canceled */
export function saveProgress(db: Database, id: string, progress: JobProgress, now: Date): Promise<Job | undefined> {
  return updateOpenJob(db, id, { ...progress, changedAt: now })
}

export interface JobEnd {
  status: 'done' | 'failed' | 'cancelled'
  result?: ImportResult
  failure?: string
  issues?: Issue[]
  issueCount?: number
}

/** Ends a job that has not ended yet. @returns whether this call ended it */
export async function finishJob(db: Database | Tx, id: string, end: JobEnd, now: Date): Promise<boolean> {
  const all = sql.ref('rows_read')
  const counts = end.status === 'done' && { rowsChecked: all, rowsApplied: all }
  const changes = { issues: [], issueCount: 0, ...end, ...counts, finishedAt: now, changedAt: now }
  return (await updateOpenJob(db, id, changes)) !== undefined
}

/** @param changes values by the names in `Job` @returns the job, undefined when it has ended */
async function updateOpenJob(
  db: Database | Tx,
  id: string,
  changes: Record<string, unknown>,
): Promise<Job | undefined> {
  const columns = Object.entries(changes).map(([name, value]) => {
    const snakeCase = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const column = name !== 'hasDiscounts' ? snakeCase : 'says_discounts'
    return sql`${sql.ref(column)} = ${name === 'issues' || name === 'result' ? JSON.stringify(value) : value}`
  })
  const { rows } = await sql<Job>`
    update import_jobs set ${sql.join(columns)} where id = ${id} and finished_at is null
    returning ${COLUMNS}`.execute(db)
  return rows[0]
}

/** Jobs whose request or upload ended with its service. */
export async function findLostJobs(db: Database, before: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from import_jobs
    where finished_at is null and changed_at < ${before} and (attended or status = 'receiving')`.execute(db)
  return rows.map((row) => row.id)
}

/** @returns how many were deleted, at most `limit` */
export function deleteOldJobs(db: Database, before: Date, limit: number): Promise<number> {
  return deleteRows(db, 'import_jobs', sql`finished_at < ${before}`, limit)
}

/** Held until the end of the transaction, so that imports are applied one after the other, by any replica. */
const IMPORT_LOCK = 712_013

/** Locks imports, and allows long statements. @returns false when another import is being applied */
export async function tryLockImports(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean; timeout: string }>`
    select pg_try_advisory_xact_lock(${IMPORT_LOCK}) as locked, set_config('statement_timeout', ${LONG_STATEMENT}, true) as timeout`.execute(
    tx,
  )
  return rows[0]?.locked === true
}

/** Raises the statement timeout, because statements over a whole catalog take longer than those for shoppers. */
export async function allowLongStatements(tx: Tx): Promise<void> {
  await sql`select set_config('statement_timeout', ${LONG_STATEMENT}, true)`.execute(tx)
}

const LONG_STATEMENT = '120s'

/**
 * Runs statements over the rows of a large import. PostgreSQL has no statistics of new rows, expects one row, and would
 * scan all of them for each product.
 */
export async function planningForMany<Result>(tx: Tx, rows: number, work: () => Promise<Result>): Promise<Result> {
  if (rows < MANY_ROWS) return work()
  await sql`set local enable_nestloop = off`.execute(tx)
  const result = await work()
  await sql`set local enable_nestloop = on`.execute(tx)
  return result
}

const MANY_ROWS = 2000
