import { sql } from 'kysely'
import { publishAll } from '@storefront/chassis'
import { ProductDeleted, type BoardEntry } from '@storefront/contracts'
import { findBoardEntriesOfProducts } from '../board/board.queries.ts'
import type { Tx } from '../database.ts'
import { deleteProducts, lockProducts } from '../products/products.queries.ts'

/**
 * Deletes every product but these.
 * @returns what the price board must say of their variants from now on: withdrawn
 */
export async function removeOtherProducts(
  tx: Tx,
  keep: readonly string[],
  context: { publicUrl: string },
  now: Date,
): Promise<BoardEntry[]> {
  const { rows } = await sql<{ id: string; slug: string; version: number }>`
    select id, slug, version from products where id <> all(${keep}) order by id`.execute(tx)
  const ids = rows.map((row) => row.id)
  await lockProducts(tx, ids)
  const entries = await findBoardEntriesOfProducts(tx, ids, context.publicUrl)
  await deleteProducts(tx, ids)
  await publishAll(
    tx,
    ProductDeleted,
    rows.map((row) => ({ productId: row.id, slug: row.slug, version: row.version + 1 })),
    now,
  )
  return entries.map((entry) => ({
    ...entry,
    facts: { ...entry.facts, published: false },
    factsVersion: entry.factsVersion + 1,
  }))
}
