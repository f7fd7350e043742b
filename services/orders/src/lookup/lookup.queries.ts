import { sql } from 'kysely'
import type { Database } from '../database.ts'

/**
 * The order with this number (or id) and canonical form of an address; undefined for invalid input. One statement
 * compares both, so that it takes the same time whichever is wrong.
 */
export async function findOrderIdByEmail(
  db: Database,
  { number, canonical }: { number: string; canonical: string | undefined },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from orders where (lower(number) = lower(${number}) or id = lower(${number})) and email_canonical = ${canonical ?? null}
    limit 1`.execute(db)
  return rows[0]?.id
}
