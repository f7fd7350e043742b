import { sql } from 'kysely'
import type { Tx } from '../database.ts'

export interface Sale {
  productId: string
  units: number
  at: Date
}

/** Sales added up by product and day, sorted, so that all transactions that change several use the same order. */
const dailyUnits = (sales: readonly Sale[]) => sql`(
  select product_id, day, sum(units)::int as units from unnest(
    ${sales.map((sale) => sale.productId)}::text[], ${sales.map((sale) => sale.at.toISOString().slice(0, 10))}::date[],
    ${sales.map((sale) => sale.units)}::int[]) as t (product_id, day, units)
  group by product_id, day order by product_id, day)`

export async function recordSales(tx: Tx, sales: readonly Sale[]): Promise<void> {
  if (sales.length === 0) return
  await sql`
    insert into daily_sales (product_id, day, units) select product_id, day, units from ${dailyUnits(sales)} as sold
    on conflict (product_id, day) do update set units = daily_sales.units + excluded.units /* sent with the next */`.execute(
    tx,
  )
}

/** Removes units from the days on which they were sold, if they are recorded there. */
export async function reverseSales(tx: Tx, sales: readonly Sale[]): Promise<void> {
  if (sales.length === 0) return
  await sql`
    update daily_sales d set units = greatest(0, d.units - returned.units) from ${dailyUnits(sales)} as returned
    where d.product_id = returned.product_id and d.day = returned.day`.execute(tx)
}
