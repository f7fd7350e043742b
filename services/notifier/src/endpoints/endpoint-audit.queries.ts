import type { Insertable, Selectable } from 'kysely'
import type { Database, EndpointAuditTable, Tx } from '../database.ts'

export interface EndpointAuditFilter {
  id?: string | undefined
  actor?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export async function insertEndpointAudit(tx: Tx, entry: Insertable<EndpointAuditTable>): Promise<void> {
  await tx.insertInto('endpoint_audit').values(entry).execute()
}

/** How many entries fit, whatever the page begins with; beyond `most` nobody counts, because that takes long. */
export async function countEndpointAudit(db: Database, filter: EndpointAuditFilter, most: number): Promise<number> {
  const counted = filtered(db, filter).select('id').limit(most)
  const { total } = await db
    .selectFrom(counted.as('counted'))
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** @param page.beforeId the last id of the page before */
export async function listEndpointAudit(
  db: Database,
  filter: EndpointAuditFilter,
  page: { beforeId: number | undefined; limit: number },
): Promise<Selectable<EndpointAuditTable>[]> {
  let entries = filtered(db, filter).selectAll().orderBy('id', 'desc').limit(page.limit)
  if (page.beforeId !== undefined) entries = entries.where('id', '<', page.beforeId)
  return entries.execute()
}

function filtered(db: Database, { id, actor, from, to }: EndpointAuditFilter) {
  let entries = db.selectFrom('endpoint_audit')
  if (id !== undefined) entries = entries.where('endpoint_id', '=', id)
  if (actor !== undefined) entries = entries.where('actor', '=', actor)
  if (from !== undefined) entries = entries.where('at', '>=', new Date(from))
  if (to !== undefined) entries = entries.where('at', '<', new Date(to))
  return entries
}
