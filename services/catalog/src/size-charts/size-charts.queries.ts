import { sql } from 'kysely'
import { SizeChart } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'

export async function findSizeCharts(db: Database | Tx): Promise<SizeChart[]> {
  const rows = await db.selectFrom('size_charts').select('document').orderBy('id').execute()
  return rows.map((row) => SizeChart.parse(row.document))
}

export async function findSizeChartIds(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom('size_charts').select('id').execute()
  return rows.map((row) => row.id)
}

/** @returns whether anything changed */
export async function upsertSizeChart(tx: Tx, chart: SizeChart): Promise<boolean> {
  const { rows } = await sql`
    insert into size_charts (id, document) values (${chart.id}, ${JSON.stringify(chart)}::jsonb)
    on conflict (id) do update set document = excluded.document where size_charts.document <> excluded.document
    returning id`.execute(tx)
  return rows.length > 0
}

/** @returns whether any went */
export async function keepOnlySizeCharts(tx: Tx, ids: readonly string[]): Promise<boolean> {
  const { rows } = await sql`delete from size_charts where id <> all(${ids}) returning id`.execute(tx)
  return rows.length > 0
}
