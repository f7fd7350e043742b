import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** Keeps the snapshot for a slow reader. A reader that stops reading is disconnected by the timeout of its socket. */
export async function allowLongReading(snapshot: Database): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = '150s'`.execute(snapshot)
}

export async function findProductIds(snapshot: Database, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from products where id > ${after} order by id limit ${limit}`.execute(snapshot)
  return rows.map((row) => row.id)
}
