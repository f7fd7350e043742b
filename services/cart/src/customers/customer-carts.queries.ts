import { sql } from 'kysely'
import type { StoredLine } from '../cart/stored-cart.ts'
import type { Database, Tx } from '../database.ts'

export interface ExportedCart {
  id: string
  discountCode: string | null
  lines: StoredLine[]
  createdAt: Date
  expiresAt: Date
}

/** The open carts of a customer after this id, including expired ones that are still stored. */
export async function findOpenCartsAfter(
  db: Database,
  customerId: string,
  { after, limit }: { after: string; limit: number },
): Promise<ExportedCart[]> {
  const { rows } = await sql<ExportedCart>`
    select id, discount_code as "discountCode", lines, created_at as "createdAt", expires_at as "expiresAt" from carts
    where customer_id = ${customerId} and status = 'open' and id > ${after} order by id limit ${limit}`.execute(db)
  return rows
}

/** @param options.ownedBefore a moment as text: carts that became the customer's later stay; deletes all if left out */
export async function deleteOpenCartsOf(
  tx: Tx,
  customerIds: readonly string[],
  { ownedBefore = 'infinity' }: { ownedBefore?: string } = {},
): Promise<void> {
  await sql`
    delete from carts where id in (
      select id from carts where customer_id = any(${[...customerIds]}) and status = 'open'
        and coalesce(claimed_at, created_at) < ${ownedBefore}::timestamptz order by id for update)`.execute(tx)
}

/**
 * Removes these customers from their carts that became orders: lines that were not ordered must not move to a new cart
 * of a deleted account.
 */
export async function anonymizeConvertedCarts(tx: Tx, customerIds: readonly string[]): Promise<void> {
  await sql`
    update carts set customer_id = null where id in (
      select id from carts where customer_id = any(${[...customerIds]}) and status = 'converted'
      order by id for update)`.execute(tx)
}
