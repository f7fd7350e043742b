import { sql, type Kysely, type RawBuilder } from 'kysely'
import { type AnyTransaction, isOneOf } from '@storefront/postgres'
import type { ActivityFilter } from './activity.ts'

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

export interface AuditFilter extends ActivityFilter {
  /** Id of the subject. */
  id?: string | undefined
  /** Leaves out entries of this action, of which one operation may write thousands. */
  withoutAction?: string | undefined
}

/** `before` and `after` are JSON texts; null for an absent record. */
export type NewAuditRow = Omit<AuditRow, 'id' | 'before' | 'after'> & { before: string | null; after: string | null }

/** Leaves with the next statement of the transaction (docs/decisions/0100). */
export async function insertAuditEntries(tx: AnyTransaction, entries: readonly NewAuditRow[]): Promise<void> {
  if (entries.length === 0) return
  await sql`
    insert into audit_entries (at, actor, action, subject_kind, subject_id, before, after)
    select * from unnest(
      ${entries.map((each) => each.at)}::timestamptz[], ${entries.map((each) => each.actor)}::text[],
      ${entries.map((each) => each.action)}::text[], ${entries.map((each) => each.subjectKind)}::text[],
      ${entries.map((each) => each.subjectId)}::text[], ${entries.map((each) => each.before)}::jsonb[],
      ${entries.map((each) => each.after)}::jsonb[]) /* sent with the next */`.execute(tx)
}

/**
 * Entries in the order in which they were written, the latest first.
 * @param page.beforeId only entries with a smaller number
 */
export async function findAuditEntries<Schema>(
  db: Kysely<Schema>,
  filter: AuditFilter,
  page: { beforeId: number | undefined; limit: number; offset: number },
): Promise<AuditRow[]> {
  const conditions = conditionsOf(filter)
  if (page.beforeId !== undefined) conditions.push(sql`id < ${page.beforeId}::bigint`)
  const { rows } = await sql<AuditRow>`
    select ${COLUMNS} from audit_entries ${where(conditions)} order by id desc limit ${page.limit} offset ${page.offset}
    ${REPLAN}`.execute(db)
  return rows
}

/** Entries by the time of the change, the latest first. @param page.behind only entries after this time and number */
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

function conditionsOf({ actorIds, kinds, id, from, to, withoutAction }: AuditFilter): RawBuilder<unknown>[] {
  return [
    ...(actorIds === undefined ? [] : [isOneOf(sql`actor`, actorIds)]),
    ...(kinds === undefined ? [] : [isOneOf(sql`subject_kind`, kinds)]),
    ...(id === undefined ? [] : [sql`subject_id = ${id}`]),
    ...(from === undefined ? [] : [sql`at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`at < ${to}::timestamptz`]),
    ...(withoutAction === undefined ? [] : [sql`action <> ${withoutAction}`]),
  ]
}

function where(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
}
