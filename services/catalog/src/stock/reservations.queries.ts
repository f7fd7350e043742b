import { deleteRows, plannedOnce } from '@storefront/postgres'
import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import type { KnownReservation } from './decide-reservations.ts'

export async function findReservations(tx: Tx, ids: readonly string[]): Promise<KnownReservation[]> {
  const { rows } = await sql<KnownReservation>`
    select id, generation, status, expires_at as "expiresAt" from reservations where id = any(${plannedOnce(ids)})`.execute(
    tx,
  )
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
      expires_at = excluded.expires_at /* sent with the next */`.execute(tx)
}

/** Extends holds. Their stock must be locked, so that none of them ends meanwhile. */
export async function extendHolds(tx: Tx, holds: readonly { id: string; expiresAt: Date }[]): Promise<void> {
  if (holds.length === 0) return
  await sql`
    update reservations r set expires_at = t.expires_at from (
      select id, max(expires_at) as expires_at from unnest(
        ${holds.map((hold) => hold.id)}::text[], ${holds.map((hold) => hold.expiresAt)}::timestamptz[]
      ) as u (id, expires_at) group by id
    ) t where r.id = t.id and r.status || '' = 'held' /* sent with the next */`.execute(tx)
}

interface HeldReservation {
  id: string
  claim: string
  status: 'held' | 'sold' | 'released'
  lines: { variantId: string; quantity: number }[]
  expiresAt: Date
}

/** Reads reservations by claim without locking them, because their stock rows are locked before any decision. */
export async function findByClaim(tx: Database | Tx, claims: readonly string[]): Promise<HeldReservation[]> {
  const { rows } = await sql<HeldReservation>`
    select id, id || '.' || generation as claim, status, lines, expires_at as "expiresAt" from reservations
    where id = any(${plannedOnce(claims.map(reservationIdOf))})
      and id || '.' || generation = any(${claims})`.execute(tx)
  return rows
}

function reservationIdOf(claim: string): string {
  return claim.slice(0, claim.lastIndexOf('.'))
}

/** Locks the stock of these holds, in the order of `lockStock`. The lines of a claim never change. */
export async function lockStockOfHolds(tx: Tx, claims: readonly string[]): Promise<void> {
  await sql`
    select from stock where variant_id = any(array(
      select line->>'variantId' from reservations cross join jsonb_array_elements(lines) as line
      where id = any(${plannedOnce(claims.map(reservationIdOf))}) and id || '.' || generation = any(${claims})))
    order by variant_id for update /* sent with the next */`.execute(tx)
}

export type EndedHold = Pick<HeldReservation, 'claim' | 'lines'>

/** Ends holds, whose stock must be locked. @returns those that were still held, which are none for a second caller */
export async function endHolds(tx: Tx, claims: readonly string[], status: 'sold' | 'released'): Promise<EndedHold[]> {
  const { rows } = await sql<EndedHold>`
    update reservations set status = ${status}
    -- An expression, so that the index on the status is not used: it has an entry of every hold since the last vacuum.
    where status || '' = 'held' and id = any(${plannedOnce(claims.map(reservationIdOf))})
      and id || '.' || generation = any(${claims})
    returning id || '.' || generation as claim, lines`.execute(tx)
  return rows
}

export async function findDueClaims(db: Database, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ claim: string }>`
    select id || '.' || generation as claim from reservations
    where status = 'held' and expires_at < ${now} order by expires_at limit ${limit}`.execute(db)
  return rows.map((row) => row.claim)
}

/** Deletes reservations that ended long ago; the ledger keeps their movements. @returns how many, at most `limit` */
export function deleteOldReservations(db: Database, before: Date, limit: number): Promise<number> {
  return deleteRows(db, 'reservations', sql`status <> 'held' and expires_at < ${before}`, limit)
}
