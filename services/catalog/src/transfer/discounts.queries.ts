import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'

export async function countDiscounts(db: Database, jobId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from import_rows where job_id = ${jobId} and type = 'discount'`.execute(db)
  return rows[0]?.count ?? 0
}

/** The number of the last import that published discounts to cart; 0 before the first. */
export async function findLastNumber(db: Database | Tx): Promise<number> {
  const { rows } = await sql<{ number: number }>`select last_number as number from discount_imports`.execute(db)
  return rows[0]?.number ?? 0
}

/** Imports are applied one at a time, so there is no concurrent writer. */
export async function saveLastNumber(tx: Tx, number: number): Promise<void> {
  await sql`update discount_imports set last_number = ${number}`.execute(tx)
}
