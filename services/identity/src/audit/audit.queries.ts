import type { ActivityFilter } from '@storefront/audit'
import { deleteRows, isOneOf } from '@storefront/postgres'
import { sql, type Insertable } from 'kysely'
import type { AuditedAction } from './audit-entry.ts'
import type { Database, IdentityTables, Row, Tx } from '../database.ts'

export async function insertAuditEntry(tx: Tx, entry: Insertable<IdentityTables['admin_audit']>): Promise<void> {
  await tx.insertInto('admin_audit').values(entry).execute()
}

export type StoredAuditEntry = Row<'admin_audit'>

export interface AuditFilter extends Omit<ActivityFilter, 'kinds'> {
  actions?: readonly AuditedAction[] | undefined
}

/** The number of entries that match, at most `most`, because counting takes long. */
export async function countAuditEntries(db: Database, filter: AuditFilter, most: number): Promise<number> {
  const counted = filtered(db, filter).select('id').limit(most)
  const { total } = await db
    .selectFrom(counted.as('counted'))
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** @param page.beforeId the last id of the previous page */
export async function listAuditEntries(
  db: Database,
  filter: AuditFilter,
  page: { beforeId: number | undefined; limit: number; offset: number },
): Promise<StoredAuditEntry[]> {
  let entries = filtered(db, filter).selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset)
  if (page.beforeId !== undefined) entries = entries.where('id', '<', page.beforeId)
  return entries.execute()
}

/** Audit entries by time, latest first. @param page.behind only entries after this millisecond and number */
export async function findLatestEntries(
  db: Database,
  filter: AuditFilter,
  page: { behind: { at: Date; number: number } | undefined; limit: number },
): Promise<StoredAuditEntry[]> {
  let entries = filtered(db, filter).selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(page.limit)
  const { behind } = page
  if (behind) {
    // Entries that a migration wrote have microseconds, which `behind` does not have, and may fill several pages.
    entries = entries
      .where(sql<boolean>`at < ${behind.at}::timestamptz + interval '1 ms'`)
      .where(sql<boolean>`(at < ${behind.at}::timestamptz or id < ${behind.number}::bigint)`)
  }
  return entries.execute()
}

function filtered(db: Database, { actions, actorIds, from, to }: AuditFilter) {
  let entries = db.selectFrom('admin_audit').modifyEnd(REPLAN)
  if (actions) entries = entries.where(isOneOf(sql`action`, actions))
  if (actorIds) entries = entries.where(isOneOf(sql`actor`, actorIds))
  if (from) entries = entries.where('at', '>=', from)
  if (to) entries = entries.where('at', '<', to)
  return entries
}

/** A generic plan would read every row for an actor with few entries. */
const REPLAN = sql`/* replan */`

/**
 * @param old.outcome deletes only entries with this outcome
 * @returns how many were deleted, at most `limit`
 */
export function deleteOldAuditEntries(
  db: Database,
  { before, outcome }: { before: Date; outcome?: 'unknown' },
  limit: number,
): Promise<number> {
  // Written as a literal, so that the partial index is used.
  const due = outcome === undefined ? sql`at < ${before}` : sql`at < ${before} and outcome = 'unknown'`
  return deleteRows(db, 'admin_audit', due, limit)
}
