import type { Database, Tx } from '../database.ts'

export interface Endpoint {
  id: string
  url: string
}

/**
 * Makes the endpoint that the configuration names, or gives it its new address. It is enabled again: whoever starts
 * the service with this address wants it used.
 */
export async function upsertEndpoint(db: Database | Tx, endpoint: Endpoint): Promise<void> {
  const enabled = { url: endpoint.url, enabled: true, disabled_reason: null, failing_since: null }
  await db
    .insertInto('endpoints')
    .values({ id: endpoint.id, types: null, ...enabled })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(enabled))
    .execute()
}

export async function enabledEndpoints(db: Database | Tx): Promise<(Endpoint & { types: string[] | null })[]> {
  return db.selectFrom('endpoints').select(['id', 'url', 'types']).where('enabled', '=', true).orderBy('id').execute()
}

export async function noteEndpointsWork(tx: Tx, ids: string[]): Promise<void> {
  await tx
    .updateTable('endpoints')
    .set({ failing_since: null })
    .where('id', 'in', ids)
    .where('failing_since', 'is not', null)
    .execute()
}

export async function noteEndpointsFail(tx: Tx, ids: string[], now: Date): Promise<void> {
  await tx
    .updateTable('endpoints')
    .set({ failing_since: now })
    .where('id', 'in', ids)
    .where('failing_since', 'is', null)
    .execute()
}

/** @returns the ids that were enabled until now */
export async function disableEndpoints(tx: Tx, ids: string[], reason: string): Promise<string[]> {
  const rows = await tx
    .updateTable('endpoints')
    .set({ enabled: false, disabled_reason: reason })
    .where('id', 'in', ids)
    .where('enabled', '=', true)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Disables what has known nothing but failure since `since`. @returns the ids */
export async function disableEndpointsFailingSince(tx: Tx, ids: string[], since: Date): Promise<string[]> {
  const rows = await tx
    .updateTable('endpoints')
    .set({ enabled: false, disabled_reason: 'nothing arrived for five days' })
    .where('id', 'in', ids)
    .where('enabled', '=', true)
    .where('failing_since', '<=', since)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}
