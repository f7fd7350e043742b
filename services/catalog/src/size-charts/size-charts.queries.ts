import { sql } from 'kysely'
import { SizeChart } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'

export async function findSizeCharts(db: Database | Tx): Promise<SizeChart[]> {
  const rows = await db.selectFrom('size_charts').select('document').orderBy('id').execute()
  return rows.map((row) => SizeChart.parse(row.document))
}

/**
 * Locks a size chart, and waits for transactions that are assigning it to a product, so that no product that uses it is
 * missed.
 */
export async function lockSizeChart(tx: Tx, id: string): Promise<SizeChart | undefined> {
  const row = await tx.selectFrom('size_charts').select('document').where('id', '=', id).forUpdate().executeTakeFirst()
  return row && SizeChart.parse(row.document)
}

/** Locks size charts in the order of their ids, so that no product that uses them is missed. */
export async function lockSizeCharts(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`select 1 from size_charts where id = any(${ids}) order by id for update`.execute(tx)
}

/** Products that use each size chart, drafts too. */
export async function countProductsOfSizeCharts(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; products: number }>`
    select document->>'sizeChartId' as id, count(*)::int as products
    from products where document ? 'sizeChartId' group by 1`.execute(db)
  return new Map(rows.map((row) => [row.id, row.products]))
}

export async function deleteSizeChart(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('size_charts').where('id', '=', id).execute()
}

/** Saves a size chart, which must be locked if it exists. @returns whether anything changed */
export async function upsertSizeChart(tx: Tx, chart: SizeChart): Promise<boolean> {
  const { rows } = await sql`
    insert into size_charts (id, document) values (${chart.id}, ${JSON.stringify(chart)}::jsonb)
    on conflict (id) do update set document = excluded.document where size_charts.document <> excluded.document
    returning id`.execute(tx)
  return rows.length > 0
}

/** @returns whether any were deleted */
export async function keepOnlySizeCharts(tx: Tx, ids: readonly string[]): Promise<boolean> {
  const { rows } = await sql`delete from size_charts where id <> all(${ids}) returning id`.execute(tx)
  return rows.length > 0
}
