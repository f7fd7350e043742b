import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** An order without the canonical form of its address. */
export interface AddressToCanonicalize {
  id: string
  email: string
}

/** Ordered by id. @param after the last one of the previous batch; empty for the first batch */
export async function listAddressesToCanonicalize(
  db: Database,
  { after, limit }: { after: string; limit: number },
): Promise<AddressToCanonicalize[]> {
  const { rows } = await sql<AddressToCanonicalize>`
    select id, email from orders where email_canonical is null and id > ${after} order by id limit ${limit}`.execute(db)
  return rows
}

export async function countAddressesToCanonicalize(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from orders where email_canonical is null`.execute(db)
  return rows[0]?.count ?? 0
}

export async function setCanonical(
  db: Database,
  { id, email, canonical }: AddressToCanonicalize & { canonical: string },
): Promise<void> {
  await sql`
    update orders set email_canonical = ${canonical}
    where id = ${id} and email = ${email} and email_canonical is null`.execute(db)
}
