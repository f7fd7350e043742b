import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'
import { anyUnlocked } from './any-unlocked.ts'

/**
 * Deletes rows of a table, a batch at a time. Skips rows that another transaction holds: they are in use, or a replica
 * deletes them at this moment.
 * @param due condition of the rows, in the order of the index that finds them, where there is one
 * @returns how many were deleted, at most `limit`
 */
export async function deleteRows(
  connection: QueryExecutorProvider,
  table: string,
  due: RawBuilder<unknown>,
  limit: number,
): Promise<number> {
  const rows = sql.table(table)
  const found = sql`select ctid from ${rows} where ${due}`
  const { numAffectedRows = 0n } = await sql`
    delete from ${rows} where ctid = ${anyUnlocked(found, limit)}`.execute(connection)
  return Number(numAffectedRows)
}
