import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'

/** @param hashes of the secrets that open the order */
export async function insertCapabilities(db: Database | Tx, orderId: string, hashes: readonly Buffer[]): Promise<void> {
  await sql`
    insert into order_capabilities (order_id, secret_hash)
    select ${orderId}, hash from unnest(${hashes}::bytea[]) as hash on conflict do nothing`.execute(db)
}

/** @returns whether one of these secrets opens the order */
export async function hasCapability(db: Database | Tx, orderId: string, hashes: readonly Buffer[]): Promise<boolean> {
  const { rows } = await sql`
    select 1 from order_capabilities where order_id = ${orderId} and secret_hash = any(${hashes}::bytea[])
    limit 1`.execute(db)
  return rows.length > 0
}
