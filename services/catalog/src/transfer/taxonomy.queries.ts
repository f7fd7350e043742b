import { sql } from 'kysely'
import type { Tx } from '../database.ts'

/** Tables whose rows are in the merchant's order, and the key of a row. */
const ORDERED = {
  categories: 'slug',
  collections: 'slug',
  library_attributes: 'key',
  library_features: 'id',
  library_assurances: 'id',
} as const
type OrderedTable = keyof typeof ORDERED

/** Puts all rows of a table into this order; nothing is written when they already are. @returns whether any moved */
export async function putInOrder(tx: Tx, table: OrderedTable, keys: readonly string[]): Promise<boolean> {
  if (keys.length < 2) return false
  const key = sql.ref(ORDERED[table])
  const { rows: stored } = await sql<{ key: string }>`
    select ${key} as key from ${sql.table(table)} order by position, ${key}`.execute(tx)
  const wanted = keys.filter((each) => stored.some((row) => row.key === each))
  if (wanted.every((each, index) => stored[index]?.key === each)) return false
  await sql`
    update ${sql.table(table)} as t set position = w.place from unnest(${wanted}::text[]) with ordinality as w (key, place)
    where ${sql.ref(`t.${ORDERED[table]}`)} = w.key`.execute(tx)
  return true
}
