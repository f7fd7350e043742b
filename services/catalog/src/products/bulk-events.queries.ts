import { sql } from 'kysely'
import type { Tx } from '../database.ts'

/**
 * The version of an event about many products, higher than every committed one. Call this late in a transaction,
 * because other transactions with such an event wait for its commit.
 */
export async function nextBulkVersion(tx: Tx, now: Date): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    update bulk_event_version set version = greatest(version + 1, ${now.getTime()}::bigint) returning version`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw new Error('the row of bulk_event_version is missing')
  return row.version
}
