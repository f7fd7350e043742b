import { sql } from 'kysely'
import type { FulfilledLine, Tracking } from '@storefront/contracts'
import type { Tx } from '../database.ts'

// Callers must have locked the order (`lockOrder`).

export interface NewFulfilment {
  id: string
  orderId: string
  createdAt: Date
  lines: readonly FulfilledLine[]
  tracking: Tracking | null
  /** Of the request with an idempotency key that sent it. */
  requestHash: Buffer | null
}

export async function insertFulfilment(
  tx: Tx,
  { id, orderId, createdAt, lines, tracking, requestHash }: NewFulfilment,
): Promise<void> {
  await sql`
    insert into fulfilments (id, order_id, created_at, lines, tracking, request_hash)
    values (${id}, ${orderId}, ${createdAt}::timestamptz, ${JSON.stringify(lines)}::jsonb,
      ${tracking === null ? null : JSON.stringify(tracking)}::jsonb, ${requestHash})`.execute(tx)
}

/** The parcel with this id, if there is one. */
export async function findFulfilment(tx: Tx, id: string): Promise<{ requestHash: Buffer | null } | undefined> {
  const { rows } = await sql<{ requestHash: Buffer | null }>`
    select request_hash as "requestHash" from fulfilments where id = ${id}`.execute(tx)
  return rows[0]
}

/** Corrects the parcel whose tracking the order shows: the newest that has any, or else the newest. */
export async function correctTracking(tx: Tx, orderId: string, tracking: Tracking | null): Promise<void> {
  await sql`
    update fulfilments set tracking = ${tracking === null ? null : JSON.stringify(tracking)}::jsonb
    where id = (
      select id from fulfilments where order_id = ${orderId} order by tracking is null, number desc limit 1)`.execute(
    tx,
  )
}
