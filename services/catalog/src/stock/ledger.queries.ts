import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import type { Movement } from './stock.queries.ts'

export interface StockFault {
  variantId: string
  /** Null if the moved or held variant has no stock row. */
  onHand: number | null
  reserved: number | null
  movedOnHand: number
  movedReserved: number
  held: number
}

/**
 * A position between two movements, and the sum of the variant's movements before it. The sum stays valid, because a
 * transaction that moves a variant locks its stock first, so that movements are committed in the order of their ids.
 */
export interface LedgerPosition {
  variantId: string
  /** The first movement that is not in the sum. */
  movementId: number
  onHand: number
  reserved: number
}

export const startOfLedger = (variantId = ''): LedgerPosition => ({ variantId, movementId: 0, onHand: 0, reserved: 0 })

/**
 * The end of a page with at most this many stock rows and movements. The row comparisons prevent PostgreSQL from
 * reading the movements of all variants in the order of their ids.
 * @returns undefined when the ledger ends before that
 */
export async function findPageEnd(
  db: Database | Tx,
  from: LedgerPosition,
  size: { variants: number; movements: number },
): Promise<LedgerPosition | undefined> {
  const { rows } = await sql<LedgerPosition>`
    with ends as (
      (select variant_id, 0::bigint as id from stock where variant_id >= ${from.variantId}
       order by variant_id offset ${size.variants} limit 1)
      union all
      (select variant_id, id from stock_movements where (variant_id, id) >= (${from.variantId}, ${from.movementId}::bigint)
       order by variant_id, id offset ${size.movements} limit 1)
    ), first_end as (
      select variant_id, id, variant_id = ${from.variantId} as is_same from ends order by variant_id, id limit 1
    )
    select e.variant_id as "variantId", e.id as "movementId",
      m.on_hand + case when e.is_same then ${from.onHand}::bigint else 0 end as "onHand",
      m.reserved + case when e.is_same then ${from.reserved}::bigint else 0 end as reserved
    from first_end e cross join lateral (
      select coalesce(sum(on_hand_delta), 0)::bigint as on_hand, coalesce(sum(reserved_delta), 0)::bigint as reserved
      from stock_movements
      where (variant_id, id) >= (e.variant_id, case when e.is_same then ${from.movementId}::bigint else 0 end)
        and (variant_id, id) < (e.variant_id, e.id)) as m`.execute(db)
  return rows[0]
}

/**
 * Variants whose stock, movements and reservations disagree, from a position up to a variant, which is excluded. One
 * statement, so that all three are from the same snapshot, without locks.
 * @returns the first faults, and the number of all
 */
export async function findStockFaults(
  db: Database | Tx,
  { from, until }: { from: LedgerPosition; until: string | undefined },
  limit: number,
): Promise<{ faults: StockFault[]; total: number }> {
  const before = (id: ReturnType<typeof sql>) => (until === undefined ? sql`` : sql`and ${id} < ${until}`)
  const sumBefore = (units: number) => sql`case when variant_id = ${from.variantId} then ${units}::bigint else 0 end`
  const { rows } = await sql<StockFault & { total: number }>`
    with stocked as (
      select variant_id, on_hand, reserved from stock
      where variant_id >= ${from.variantId} ${before(sql`variant_id`)}
    ), moved as (
      select variant_id, sum(on_hand_delta)::bigint + ${sumBefore(from.onHand)} as on_hand,
        sum(reserved_delta)::bigint + ${sumBefore(from.reserved)} as reserved
      from stock_movements
      where (variant_id, id) >= (${from.variantId}, ${from.movementId}::bigint) ${before(sql`variant_id`)} group by 1
    ), holds as (
      select line->>'variantId' as variant_id, sum((line->>'quantity')::bigint)::bigint as units
      from reservations cross join jsonb_array_elements(lines) as line
      where status = 'held' and line->>'variantId' >= ${from.variantId} ${before(sql`line->>'variantId'`)} group by 1
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
  /** The sum of the movements between it and the cursor. */
  newer: { onHand: number; reserved: number }
}

/** A variant's movements, newest first. @param page.beforeId where a cursor continues */
export async function findMovements(
  db: Database,
  variantId: string,
  { beforeId, limit, offset }: { beforeId: number | undefined; limit: number; offset: number },
): Promise<LedgerRow[]> {
  const older = beforeId === undefined ? sql`` : sql`and id < ${beforeId}::bigint`
  const { rows } = await sql<LedgerRow>`
    select id, at, variant_id as "variantId", on_hand_delta as "onHandDelta", reserved_delta as "reservedDelta", kind,
      reference, operation_id as "operationId", actor,
      json_build_object('onHand', coalesce(sum(on_hand_delta) over newer, 0),
        'reserved', coalesce(sum(reserved_delta) over newer, 0)) as newer
    from stock_movements where variant_id = ${variantId} ${older}
    window newer as (order by id desc rows between unbounded preceding and 1 preceding)
    order by id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countMovements(db: Database, variantId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from stock_movements where variant_id = ${variantId}`.execute(db)
  return rows[0]?.count ?? 0
}
