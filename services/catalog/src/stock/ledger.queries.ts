import { sql } from 'kysely'
import type { Database } from '../database.ts'
import type { Movement } from './stock.queries.ts'

export interface StockFault {
  variantId: string
  /** Null where the moved or held variant has no stock row. */
  onHand: number | null
  reserved: number | null
  movedOnHand: number
  movedReserved: number
  held: number
}

/** A range of variants by id: those after the first, up to the last if it is given. */
export interface Stretch {
  after: string
  last: string | undefined
}

/** @returns the id of the last variant of a page after this one; undefined when there are not so many */
export async function findPageEnd(db: Database, after: string, size: number): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select variant_id as id from stock where variant_id > ${after} order by variant_id offset ${size - 1} limit 1`.execute(
    db,
  )
  return rows[0]?.id
}

/**
 * Variants of a range whose stock, movements and reservations disagree. One statement, so that all three are from one
 * snapshot; it locks nothing.
 * @returns the first of them, and the number of all faults
 */
export async function findStockFaults(
  db: Database,
  { after, last }: Stretch,
  limit: number,
): Promise<{ faults: StockFault[]; total: number }> {
  const upTo = (id: ReturnType<typeof sql>) => (last === undefined ? sql`` : sql`and ${id} <= ${last}`)
  const { rows } = await sql<StockFault & { total: number }>`
    with stocked as (
      select variant_id, on_hand, reserved from stock where variant_id > ${after} ${upTo(sql`variant_id`)}
    ), moved as (
      select variant_id, sum(on_hand_delta)::bigint as on_hand, sum(reserved_delta)::bigint as reserved
      from stock_movements where variant_id > ${after} ${upTo(sql`variant_id`)} group by 1
    ), holds as (
      select line->>'variantId' as variant_id, sum((line->>'quantity')::bigint)::bigint as units
      from reservations cross join jsonb_array_elements(lines) as line
      where status = 'held' and line->>'variantId' > ${after} ${upTo(sql`line->>'variantId'`)} group by 1
    ), balances as (
      select coalesce(s.variant_id, m.variant_id, h.variant_id) as variant_id, s.on_hand, s.reserved,
        coalesce(m.on_hand, 0) as moved_on_hand, coalesce(m.reserved, 0) as moved_reserved, coalesce(h.units, 0) as held
      from stocked s full join moved m on m.variant_id = s.variant_id
        full join holds h on h.variant_id = coalesce(s.variant_id, m.variant_id)
    ), faulty as (
      select *, case when on_hand is null then 1 else (on_hand <> moved_on_hand)::int + (reserved <> moved_reserved)::int
        + (reserved <> held)::int end as faults
      from balances
    )
    select variant_id as "variantId", on_hand as "onHand", reserved, moved_on_hand as "movedOnHand",
      moved_reserved as "movedReserved", held, (sum(faults) over ())::bigint as total
    from faulty where faults > 0 order by variant_id limit ${limit}`.execute(db)
  return { faults: rows, total: rows[0]?.total ?? 0 }
}

/** Holds that should have ended before this moment, oldest first. */
export async function findOverdueHolds(
  db: Database,
  before: Date,
  limit: number,
): Promise<{ holds: { claim: string; expiresAt: Date }[]; total: number }> {
  const { rows } = await sql<{ claim: string; expiresAt: Date; total: number }>`
    select id || '.' || generation as claim, expires_at as "expiresAt", count(*) over () as total
    from reservations where status = 'held' and expires_at < ${before} order by expires_at, id limit ${limit}`.execute(
    db,
  )
  return { holds: rows, total: rows[0]?.total ?? 0 }
}

export interface LedgerRow extends Required<Movement> {
  id: number
  at: Date
}

/** A variant's movements, newest first. @param beforeId of the last one of the previous page */
export async function findMovements(
  db: Database,
  variantId: string,
  { beforeId, limit }: { beforeId: number | undefined; limit: number },
): Promise<LedgerRow[]> {
  const older = beforeId === undefined ? sql`` : sql`and id < ${beforeId}::bigint`
  const { rows } = await sql<LedgerRow>`
    select id, at, variant_id as "variantId", on_hand_delta as "onHandDelta", reserved_delta as "reservedDelta", kind,
      reference, operation_id as "operationId", actor
    from stock_movements where variant_id = ${variantId} ${older} order by id desc limit ${limit}`.execute(db)
  return rows
}

export async function countMovements(db: Database, variantId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from stock_movements where variant_id = ${variantId}`.execute(db)
  return rows[0]?.count ?? 0
}
