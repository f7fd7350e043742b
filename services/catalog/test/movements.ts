import { sql } from 'kysely'
import { transaction } from '@storefront/postgres'
import type { Suite } from '@storefront/tools/testing'
import type { Database, Tx } from '../src/database.ts'

/** Writes movements to the ledger that add up to zero when their number is even. */
export async function addMovements(suite: Suite, variantId: string, count: number): Promise<void> {
  await suite.sql(
    `insert into catalog.stock_movements (variant_id, on_hand_delta, reserved_delta, kind, at)
     select $1, 1 - 2 * (n % 2), 0, 'adjusted', now() from generate_series(1, $2::int) n`,
    [variantId, count],
  )
  await suite.sql('analyze catalog.stock_movements')
}

/** @returns the result of the work, and how many movements it read from the table */
export async function rowsRead<Result>(
  db: Database,
  work: (tx: Tx) => Promise<Result>,
): Promise<[result: Result, read: number]> {
  return transaction(db, async (tx) => {
    const before = await readUntilNow(tx)
    const result = await work(tx)
    return [result, (await readUntilNow(tx)) - before]
  })
}

async function readUntilNow(tx: Tx): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as read
    from pg_stat_xact_user_tables where schemaname = 'catalog' and relname = 'stock_movements'`.execute(tx)
  return rows[0]?.read ?? 0
}
