import { sql } from 'kysely'
import type { Database } from '../database.ts'

/**
 * The order of this number (or id) and address. One statement compares both, so that it takes the same time whichever is
 * wrong.
 */
export async function findOrderIdByEmail(
  db: Database,
  { number, email }: { number: string; email: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from orders where (lower(number) = lower(${number}) or id = lower(${number})) and lower(email) = lower(${email})
    limit 1`.execute(db)
  return rows[0]?.id
}
