import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import type { LedgerPosition } from './ledger.queries.ts'

/** Limited because a scrape waits for only a second. */
const MAX_COUNTED = 100_000
/** The maximum number of moved variants per check, each counted once, however many movements it has. */
const MAX_COMPARED = 2000

/** How many reservations hold goods, up to 100,000. */
export async function countOpenReservations(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from (select from reservations where status = 'held' limit ${MAX_COUNTED}) as held`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Units that are promised beyond the stock. Reads the whole table, because an index on columns that every sale changes
 * would prevent updates in place.
 */
export async function sumOversold(db: Database): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(reserved - on_hand), 0)::bigint as units from stock where reserved > on_hand`.execute(db)
  return rows[0]?.units ?? 0
}

/** The number of the newest movement, 0 before there is one. */
export async function readLastMovement(db: Database | Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from stock_movements`.execute(db)
  return rows[0]?.id ?? 0
}

/** Variants that were moved after a movement, the latest first. */
export async function findMovedVariants(db: Database | Tx, after: number): Promise<string[]> {
  const { rows } = await sql<{ variantId: string }>`
    select variant_id as "variantId" from stock_movements where id > ${after}
    group by variant_id order by max(id) desc limit ${MAX_COMPARED}`.execute(db)
  return rows.map(({ variantId }) => variantId)
}

interface Balance extends LedgerPosition {
  /** Whether the position is after the last movement. */
  isWhole: boolean
  /** The difference between the stock and the sum, in units. */
  units: number
}

/**
 * Reads movements of variants from these positions on, one variant after the other and up to the limit, and compares
 * their sums with the stock. The order and the conditions leave PostgreSQL only one index to read.
 */
export async function findBalances(
  db: Database | Tx,
  positions: readonly LedgerPosition[],
  limit: number,
): Promise<Balance[]> {
  const { rows } = await sql<Balance>`
    with positions as (
      select * from unnest(
        ${positions.map((each) => each.variantId)}::text[], ${positions.map((each) => each.movementId)}::bigint[],
        ${positions.map((each) => each.onHand)}::bigint[], ${positions.map((each) => each.reserved)}::bigint[]
      ) as p (variant_id, id, on_hand, reserved)
    ), read as (
      select p.variant_id, m.* from positions p
        cross join lateral (
          select id, on_hand_delta, reserved_delta from stock_movements
          where (variant_id, id) >= (p.variant_id, p.id) and variant_id <= p.variant_id
          order by variant_id, id limit ${limit}) as m
      limit ${limit}
    ), added as (
      select variant_id, max(id) + 1 as id, sum(on_hand_delta) as on_hand, sum(reserved_delta) as reserved
      from read group by 1
    ), reached as (
      select p.variant_id, coalesce(a.id, p.id) as id, p.on_hand + coalesce(a.on_hand, 0) as on_hand,
        p.reserved + coalesce(a.reserved, 0) as reserved
      from positions p left join added a on a.variant_id = p.variant_id
    )
    select r.variant_id as "variantId", r.id as "movementId", r.on_hand::bigint as "onHand", r.reserved::bigint as reserved,
      r.variant_id is distinct from (
        select variant_id from stock_movements where (variant_id, id) >= (r.variant_id, r.id)
        order by variant_id, id limit 1) as "isWhole",
      coalesce(abs(s.on_hand - r.on_hand) + abs(s.reserved - r.reserved), 0)::bigint as units
    from reached r left join stock s on s.variant_id = r.variant_id`.execute(db)
  return rows
}
