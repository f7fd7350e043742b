import { sql } from 'kysely'
import type { Tx } from '../database.ts'

/**
 * The number of an event about many products: higher than every committed one. Transactions with such an event wait
 * from here on for the commit, so this comes late in a transaction.
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
