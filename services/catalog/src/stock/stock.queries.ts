import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import type { KnownReservation, StockRow } from './decide-reservations.ts'

export type MovementKind = 'set' | 'adjusted' | 'reserved' | 'released' | 'sold' | 'returned'

export interface Movement {
  variantId: string
  onHandDelta: number
  reservedDelta: number
  kind: MovementKind
  reference: string | null
}

export interface ChangedStock {
  variantId: string
  productId: string
  inventory: number
  version: number
}

export interface LockedStock extends StockRow {
  productId: string
}

/**
 * Locks stock rows in the order of their ids. Whoever changes stock calls this first, with all the variants it will
 * touch: two transactions that lock in one order cannot wait for each other.
 */
export async function lockStock(tx: Tx, variantIds: readonly string[]): Promise<LockedStock[]> {
  const { rows } = await sql<LockedStock>`
    select s.variant_id as "variantId", s.product_id as "productId", s.on_hand as "onHand", s.reserved,
      coalesce(p.published, false) as sellable
    from stock s left join variants v on v.id = s.variant_id left join products p on p.id = v.product_id
    where s.variant_id = any(${[...new Set(variantIds)]})
    order by s.variant_id for update of s`.execute(tx)
  return rows
}

/**
 * Writes movements to the ledger, changes the stock by their sums and has the products' answers made anew, all in one
 * statement. The rows must be locked.
 * @returns the stock of each variant that changed, for the price board
 */
export async function moveStock(tx: Tx, movements: readonly Movement[], at: Date): Promise<ChangedStock[]> {
  if (movements.length === 0) return []
  const { rows } = await sql<ChangedStock>`
    with moves as (
      select * from unnest(
        ${movements.map((move) => move.variantId)}::text[], ${movements.map((move) => move.onHandDelta)}::int[],
        ${movements.map((move) => move.reservedDelta)}::int[], ${movements.map((move) => move.kind)}::text[],
        ${movements.map((move) => move.reference)}::text[]
      ) with ordinality as m (variant_id, on_hand_delta, reserved_delta, kind, reference, place)
    ), ledger as (
      insert into stock_movements (variant_id, on_hand_delta, reserved_delta, kind, reference, at)
      select variant_id, on_hand_delta, reserved_delta, kind, reference, ${at}::timestamptz from moves order by place
    ), sums as (
      select variant_id, sum(on_hand_delta)::int as on_hand, sum(reserved_delta)::int as reserved from moves group by 1
    ), changed as (
      update stock s set on_hand = s.on_hand + sums.on_hand, reserved = s.reserved + sums.reserved, version = s.version + 1
      from sums where s.variant_id = sums.variant_id
      returning s.variant_id, s.product_id, s.on_hand - s.reserved as inventory, s.version
    ), queued as (
      insert into refresh_queue (product_id) select distinct product_id from changed
    )
    select variant_id as "variantId", product_id as "productId", inventory, version from changed`.execute(tx)
  return rows
}

export async function findReservations(tx: Tx, ids: readonly string[]): Promise<KnownReservation[]> {
  const { rows } = await sql<KnownReservation>`
    select id, generation, status, expires_at as "expiresAt" from reservations where id = any(${ids})`.execute(tx)
  return rows
}

export interface Hold {
  id: string
  generation: number
  lines: { variantId: string; quantity: number }[]
  expiresAt: Date
}

export async function saveHolds(tx: Tx, holds: readonly Hold[]): Promise<void> {
  if (holds.length === 0) return
  await sql`
    insert into reservations (id, generation, status, lines, expires_at)
    select id, generation, 'held', lines::jsonb, expires_at from unnest(
      ${holds.map((hold) => hold.id)}::text[], ${holds.map((hold) => hold.generation)}::int[],
      ${holds.map((hold) => JSON.stringify(hold.lines))}::text[], ${holds.map((hold) => hold.expiresAt)}::timestamptz[]
    ) as t (id, generation, lines, expires_at)
    order by id
    on conflict (id) do update set generation = excluded.generation, status = 'held', lines = excluded.lines,
      expires_at = excluded.expires_at`.execute(tx)
}

export interface HeldReservation {
  id: string
  claim: string
  status: 'held' | 'sold' | 'released'
  lines: { variantId: string; quantity: number }[]
}

/** Reads reservations by claim, without locking: their stock rows are locked before anything is decided. */
export async function findByClaim(tx: Tx, claims: readonly string[]): Promise<HeldReservation[]> {
  const { rows } = await sql<HeldReservation>`
    select id, id || '.' || generation as claim, status, lines from reservations
    where id = any(${claims.map(reservationIdOf)}) and id || '.' || generation = any(${claims})`.execute(tx)
  return rows
}

function reservationIdOf(claim: string): string {
  return claim.slice(0, claim.lastIndexOf('.'))
}

/** Ends holds. @returns the claims that were still held, so that a second caller finds nothing to do */
export async function endHolds(tx: Tx, claims: readonly string[], status: 'sold' | 'released'): Promise<string[]> {
  const { rows } = await sql<{ claim: string }>`
    update reservations set status = ${status}
    where status = 'held' and id = any(${claims.map(reservationIdOf)}) and id || '.' || generation = any(${claims})
    returning id || '.' || generation as claim`.execute(tx)
  return rows.map((row) => row.claim)
}

export async function findDueClaims(tx: Tx, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ claim: string }>`
    select id || '.' || generation as claim from reservations
    where status = 'held' and expires_at < ${now} order by expires_at limit ${limit}`.execute(tx)
  return rows.map((row) => row.claim)
}

/** Deletes reservations that ended long ago; the ledger keeps what they did. */
export async function forgetOldReservations(db: Database, before: Date): Promise<void> {
  await sql`delete from reservations where status <> 'held' and expires_at < ${before}`.execute(db)
}

export async function recordSales(
  tx: Tx,
  sales: readonly { productId: string; units: number }[],
  day: Date,
): Promise<void> {
  if (sales.length === 0) return
  await sql`
    insert into daily_sales (product_id, day, units)
    select product_id, ${day}::date, sum(units)::int from unnest(
      ${sales.map((sale) => sale.productId)}::text[], ${sales.map((sale) => sale.units)}::int[]) as t (product_id, units)
    group by product_id order by product_id
    on conflict (product_id, day) do update set units = daily_sales.units + excluded.units`.execute(tx)
}
