import { plannedOnce } from '@storefront/postgres'
import { sql } from 'kysely'
import type { Tx } from '../database.ts'

export interface Sale {
  productId: string
  units: number
  at: Date
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** Adds units of variants to the sales of their products, which their stock names, also when they were deleted. */
export async function recordSales(
  tx: Tx,
  sales: readonly (Omit<Sale, 'productId'> & { variantId: string })[],
): Promise<void> {
  if (sales.length === 0) return
  await sql`
    insert into daily_sales (product_id, day, units)
    select s.product_id, sold.day, sum(sold.units)::int from unnest(
      ${plannedOnce(sales.map((sale) => sale.variantId))}, ${sales.map((sale) => dayOf(sale.at))}::date[],
      ${sales.map((sale) => sale.units)}::int[]) as sold (variant_id, day, units)
      join stock s on s.variant_id = sold.variant_id
    group by 1, 2 order by 1, 2
    on conflict (product_id, day) do update set units = daily_sales.units + excluded.units /* sent with the next */`.execute(
    tx,
  )
}

/** Removes units from the days on which they were sold, if they are recorded there. */
export async function reverseSales(tx: Tx, sales: readonly Sale[]): Promise<void> {
  if (sales.length === 0) return
  await sql`
    update daily_sales d set units = greatest(0, d.units - returned.units) from (
      select product_id, day, sum(units)::int as units from unnest(
        ${sales.map((sale) => sale.productId)}::text[], ${sales.map((sale) => dayOf(sale.at))}::date[],
        ${sales.map((sale) => sale.units)}::int[]) as t (product_id, day, units)
      group by product_id, day order by product_id, day) as returned
    where d.product_id = returned.product_id and d.day = returned.day`.execute(tx)
}
