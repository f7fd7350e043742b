import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** A scrape waits for a second. */
const MOST_COUNTED = 100_000
/** Of the variants that were moved since the last check. A popular size counts once, however often it was moved. */
const MOST_COMPARED = 2000

/** How many reservations hold goods, up to 100,000. */
export async function countOpenReservations(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from (select from reservations where status = 'held' limit ${MOST_COUNTED}) as held`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Units that are promised beyond the stock. Reads the whole table: an index on this condition would contain the columns
 * that every sale changes, and prevent updates in place.
 */
export async function sumOversold(db: Database): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(reserved - on_hand), 0)::bigint as units from stock where reserved > on_hand`.execute(db)
  return rows[0]?.units ?? 0
}

/** The number of the newest movement, 0 before there is one. */
export async function readLastMovement(db: Database): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from stock_movements`.execute(db)
  return rows[0]?.id ?? 0
}

/**
 * Variants whose stock is not the sum of its movements, and the difference in units: among those that were moved after
 * a movement, and those that are to be checked again.
 */
export async function findUnbalanced(
  db: Database,
  { after, again }: { after: number; again: readonly string[] },
): Promise<{ variantId: string; units: number }[]> {
  const { rows } = await sql<{ variantId: string; units: number }>`
    with looked_at as (
      select unnest(${[...again]}::text[]) as variant_id
      union
      (select variant_id from stock_movements where id > ${after} group by variant_id order by max(id) desc
       limit ${MOST_COMPARED})
    ), compared as (
      select s.variant_id, abs(s.on_hand - m.on_hand) + abs(s.reserved - m.reserved) as units
      from looked_at l join stock s on s.variant_id = l.variant_id
        cross join lateral (
          select coalesce(sum(on_hand_delta), 0) as on_hand, coalesce(sum(reserved_delta), 0) as reserved
          from stock_movements where variant_id = l.variant_id) as m
    )
    select variant_id as "variantId", units::bigint as units from compared where units > 0`.execute(db)
  return rows
}
