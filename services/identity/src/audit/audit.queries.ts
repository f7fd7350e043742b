import { sql, type Insertable, type Selectable } from 'kysely'
import type { Database, IdentitySchema, Tx } from '../database.ts'

type AuditTable = IdentitySchema['admin_audit']

export async function insertAuditEntry(tx: Tx, entry: Insertable<AuditTable>): Promise<void> {
  await tx.insertInto('admin_audit').values(entry).execute()
}

export interface AuditFilter {
  action?: string | undefined
  actor?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** How many entries fit, whatever the page begins with; beyond `most` nobody counts, because that takes long. */
export async function countAuditEntries(db: Database, filter: AuditFilter, most: number): Promise<number> {
  const counted = filtered(db, filter).select('id').limit(most)
  const { total } = await db
    .selectFrom(counted.as('counted'))
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** @param page.beforeId the last id of the page before */
export async function listAuditEntries(
  db: Database,
  filter: AuditFilter,
  page: { beforeId: number | undefined; limit: number },
): Promise<Selectable<AuditTable>[]> {
  let entries = filtered(db, filter).selectAll().orderBy('id', 'desc').limit(page.limit)
  if (page.beforeId !== undefined) entries = entries.where('id', '<', page.beforeId)
  return entries.execute()
}

function filtered(db: Database, { action, actor, from, to }: AuditFilter) {
  let entries = db.selectFrom('admin_audit')
  if (action !== undefined) entries = entries.where('action', '=', action)
  if (actor !== undefined) entries = entries.where('actor', '=', actor)
  if (from !== undefined) entries = entries.where('at', '>=', new Date(from))
  if (to !== undefined) entries = entries.where('at', '<', new Date(to))
  return entries
}

/**
 * @param old.outcome only entries with this one
 * @returns how many were deleted, at most `limit`
 */
export async function deleteOldAuditEntries(
  db: Database,
  { before, outcome }: { before: Date; outcome?: 'unknown' },
  limit: number,
): Promise<number> {
  let old = db.selectFrom('admin_audit').select('id').where('at', '<', before).limit(limit)
  // Written out, so that the index of those alone is used.
  if (outcome !== undefined) old = old.where(sql<boolean>`outcome = 'unknown'`)
  const result = await db
    .deleteFrom('admin_audit')
    .where('id', '=', sql<number>`any(array(${old}))`)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
