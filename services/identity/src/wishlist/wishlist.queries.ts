import { sql } from 'kysely'
import type { Connection, Tx } from '../database.ts'
import { accountGone } from '../errors.ts'

export interface WishlistEntry {
  id: string
  productId: string
}

/** Products on the wishlist, newest first. @throws HttpError `unauthenticated` when the account is gone */
export async function listSavedProductIds(connection: Connection, customerId: string): Promise<string[]> {
  const { rows } = await sql<{ productId: string | null }>`
    select w.product_id as "productId" from customers c left join wishlist_entries w on w.customer_id = c.id
    where c.id = ${customerId} order by w.position desc`.execute(connection)
  if (rows.length === 0) throw accountGone()
  return rows.flatMap(({ productId }) => productId ?? [])
}

/** Every entry of a wishlist, with all the names that it can be found by. */
export async function listEntries(
  connection: Connection,
  customerId: string,
): Promise<(WishlistEntry & { slug: string; savedUnder: string })[]> {
  return connection
    .selectFrom('wishlist_entries')
    .select(['id', 'product_id as productId', 'slug', 'saved_under as savedUnder'])
    .where('customer_id', '=', customerId)
    .execute()
}

export async function insertEntry(
  tx: Tx,
  customerId: string,
  entry: WishlistEntry & { slug: string; savedUnder: string; savedAt: Date },
): Promise<void> {
  await tx
    .insertInto('wishlist_entries')
    .values({
      id: entry.id,
      customer_id: customerId,
      product_id: entry.productId,
      slug: entry.slug,
      saved_under: entry.savedUnder,
      saved_at: entry.savedAt,
    })
    .execute()
}

export async function deleteEntries(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('wishlist_entries').where('id', 'in', ids).execute()
}

/** Empties a wishlist. @returns its entries */
export async function deleteAllEntries(tx: Tx, customerId: string): Promise<WishlistEntry[]> {
  return tx
    .deleteFrom('wishlist_entries')
    .where('customer_id', '=', customerId)
    .returning(['id', 'product_id as productId'])
    .execute()
}
