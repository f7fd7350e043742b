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

/** How many entries fit, whatever the page begins with. */
export async function countAuditEntries(db: Database, filter: AuditFilter): Promise<number> {
  const { total } = await filtered(db, filter)
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

/** @returns how many were deleted, at most `limit` */
export async function deleteOldAuditEntries(db: Database, before: Date, limit: number): Promise<number> {
  const old = db.selectFrom('admin_audit').select('id').where('at', '<', before).limit(limit)
  const result = await db
    .deleteFrom('admin_audit')
    .where('id', '=', sql<number>`any(array(${old}))`)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
