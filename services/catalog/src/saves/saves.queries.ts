import { sql } from 'kysely'
import { deleteRows } from '@storefront/postgres'
import type { Database, Tx } from '../database.ts'

/** One product on one wishlist. The id is never used again, so that late events of an entry can be recognized. */
export interface Save {
  entryId: string
  productId: string
}

export async function recordSaves(tx: Tx, saves: readonly Save[], at: Date): Promise<void> {
  await sql`
    insert into product_saves (entry_id, product_id, removed, at)
    select distinct entry_id, product_id, false, ${at}::timestamptz
    from unnest(${saves.map((each) => each.entryId)}::text[], ${saves.map((each) => each.productId)}::text[])
      as t (entry_id, product_id)
    order by entry_id on conflict (entry_id) do nothing`.execute(tx)
}

export async function recordRemovals(tx: Tx, saves: readonly Save[], at: Date): Promise<void> {
  await sql`
    insert into product_saves (entry_id, product_id, removed, at)
    select distinct entry_id, product_id, true, ${at}::timestamptz
    from unnest(${saves.map((each) => each.entryId)}::text[], ${saves.map((each) => each.productId)}::text[])
      as t (entry_id, product_id)
    order by entry_id on conflict (entry_id) do update set removed = true, at = excluded.at`.execute(tx)
}

/**
 * Deletes records of removals when no event about their save can arrive any more.
 * @returns how many, at most `limit`
 */
export function deleteOldRemovals(db: Database, before: Date, limit: number): Promise<number> {
  return deleteRows(db, 'product_saves', sql`removed and at < ${before}`, limit)
}
