import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'

/** Units from which a product is among the best-selling tenth; null before they were ever ranked. */
export async function findBestsellerUnits(tx: Tx): Promise<number | null> {
  const row = await tx.selectFrom('listing_state').select('bestseller_units').executeTakeFirst()
  return row?.bestseller_units ?? null
}

/**
 * Computes anew from how many units a product is a best-seller: one is when fewer than a tenth of the shop sell more.
 * @returns whether that changed
 */
export async function rankBestsellers(tx: Tx, minUnits: number): Promise<boolean> {
  const { rows } = await sql`
    update listing_state set bestseller_units = ranked.units
    from (
      select coalesce((
        select units_sold from listings where units_sold >= ${minUnits} order by units_sold desc
        offset greatest(ceil(count * 0.1)::int - 1, 0) limit 1), ${minUnits}) as units
      from (select count(*) from listings) of_all
    ) ranked
    where listing_state.bestseller_units is distinct from ranked.units returning 1`.execute(tx)
  return rows.length > 0
}

/** Products whose best-seller badge is not what the ranking says. */
export async function findWronglyRanked(db: Database | Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select product_id as id from listings, listing_state
    where shows_bestseller <> (bestseller_units is not null and units_sold >= bestseller_units)
      and (shows_bestseller or units_sold >= bestseller_units)`.execute(db)
  return rows.map((row) => row.id)
}

/** Products that are shown as new and are not any more. */
export async function findOutgrown(db: Database | Tx, createdBefore: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select product_id as id from listings
    where shows_new and created_ms <= (extract(epoch from ${createdBefore}::timestamptz) * 1000)::bigint`.execute(db)
  return rows.map((row) => row.id)
}

/** Products with sales of days that do not count any more, as far as their listing still counts them. */
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
export async function forgetOldSales(db: Database, before: Date): Promise<void> {
  await sql`delete from daily_sales where day < ${before}::date`.execute(db)
}
