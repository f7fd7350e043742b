import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { AnyTransaction } from '@storefront/postgres'

/**
 * Statements on the table `audit_entries`, which every service that uses them has in its own schema, append only:
 * `id, at, actor, action, subject_kind, subject_id, before, after`.
 */
export interface AuditRow {
  id: number
  at: Date
  actor: string
  action: string
  subjectKind: string
  subjectId: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

export interface AuditFilter {
  actorIds?: readonly string[] | undefined
  kinds?: readonly string[] | undefined
  /** Id of the subject. */
  id?: string | undefined
  from?: Date | undefined
  /** `to` itself is not part of the period. */
  to?: Date | undefined
  /** Only single changes, and not the changes of an import. */
  withoutImports?: boolean | undefined
}

/** @param entry.before and entry.after as JSON texts; null for an absent record */
export async function insertAuditEntry(
  tx: AnyTransaction,
  entry: Omit<AuditRow, 'id' | 'before' | 'after'> & { before: string | null; after: string | null },
): Promise<void> {
  await sql`
    insert into audit_entries (at, actor, action, subject_kind, subject_id, before, after)
    values (${entry.at}, ${entry.actor}, ${entry.action}, ${entry.subjectKind}, ${entry.subjectId},
      ${entry.before}::jsonb, ${entry.after}::jsonb)`.execute(tx)
}

/**
 * Entries in the order in which they were written, the latest first.
 * @param page.beforeId only entries with a smaller number
 */
export async function findAuditEntries<Schema>(
  db: Kysely<Schema>,
  filter: AuditFilter,
  page: { beforeId: number | undefined; limit: number },
): Promise<AuditRow[]> {
  const conditions = conditionsOf(filter)
  if (page.beforeId !== undefined) conditions.push(sql`id < ${page.beforeId}::bigint`)
  const { rows } = await sql<AuditRow>`
    select ${COLUMNS} from audit_entries ${where(conditions)} order by id desc limit ${page.limit} ${REPLAN}`.execute(
    db,
  )
  return rows
}

/**
 * Entries by the time of the change, the latest first.
 * @param page.behind only entries after this time and number
 */
export async function findLatestEntries<Schema>(
  db: Kysely<Schema>,
  filter: AuditFilter,
  page: { behind?: { at: Date; number: number } | undefined; limit: number },
): Promise<AuditRow[]> {
  const conditions = conditionsOf(filter)
  if (page.behind) conditions.push(sql`(at, id) < (${page.behind.at}::timestamptz, ${page.behind.number}::bigint)`)
  const { rows } = await sql<AuditRow>`
    select ${COLUMNS} from audit_entries ${where(conditions)}
    order by at desc, id desc limit ${page.limit} ${REPLAN}`.execute(db)
  return rows
}

/** How many entries match. Counting stops at `most`, because more would take long. */
export async function countAuditEntries<Schema>(
  db: Kysely<Schema>,
  filter: AuditFilter,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select 1 from audit_entries ${where(conditionsOf(filter))} limit ${most}) counted ${REPLAN}`.execute(db)
  return rows[0]?.total ?? 0
}

const COLUMNS = sql`
  id, at, actor, action, subject_kind as "subjectKind", subject_id as "subjectId", before, after`
/** A generic plan for any values would read the whole table for an actor with few entries. */
const REPLAN = sql`/* replan */`

function conditionsOf({ actorIds, kinds, id, from, to, withoutImports }: AuditFilter): RawBuilder<unknown>[] {
  return [
    ...(actorIds === undefined ? [] : [isOneOf(sql`actor`, actorIds)]),
    ...(kinds === undefined ? [] : [isOneOf(sql`subject_kind`, kinds)]),
    ...(id === undefined ? [] : [sql`subject_id = ${id}`]),
    ...(from === undefined ? [] : [sql`at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`at < ${to}::timestamptz`]),
    ...(withoutImports === true ? [sql`action <> 'import'`] : []),
  ]
}

/**
 * A condition on a text column. A single value is compared by equality: only then does an index that begins with the
 * column return its rows in the order of the next columns.
 */
export function isOneOf(column: RawBuilder<unknown>, values: readonly string[]): RawBuilder<boolean> {
  return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values}::text[])`
}

function where(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
}
