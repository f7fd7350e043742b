import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'

/** Stores the number of units from which a product is a best-seller. */
export async function saveBestsellerUnits(tx: Tx, units: number): Promise<void> {
  await sql`
    update listing_state set bestseller_units = ${units}
    where bestseller_units is distinct from ${units}::int`.execute(tx)
}

/** Products whose best-seller badge is out of date. @param units the minimum number of units of a best-seller */
export async function findWronglyRanked(db: Database | Tx, units: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select product_id as id from listings where shows_bestseller and units_sold < ${units}
    union all
    select product_id from listings where not shows_bestseller and units_sold > 0 and units_sold >= ${units}`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

/** Products that are still shown as new, although they no longer are. */
export async function findNoLongerNew(db: Database | Tx, createdBefore: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select product_id as id from listings
    where shows_new and created_ms <= (extract(epoch from ${createdBefore}::timestamptz) * 1000)::bigint`.execute(db)
  return rows.map((row) => row.id)
}

/** Products with sales on days that no longer count, if their listing still counts them. */
export async function findWithOldSales(db: Database | Tx, before: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select l.product_id as id
    from (select distinct product_id from daily_sales where day <= ${before}::date) old
      join listings l on l.product_id = old.product_id
    where l.units_sold <> (
      select coalesce(sum(units), 0) from daily_sales d where d.product_id = l.product_id and d.day > ${before}::date)`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

/** Sales of days that will never count again. */
export async function deleteOldSales(db: Database, before: Date): Promise<void> {
  await sql`delete from daily_sales where day < ${before}::date`.execute(db)
}
