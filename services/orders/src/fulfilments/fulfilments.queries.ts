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
}

export async function insertFulfilment(
  tx: Tx,
  { id, orderId, createdAt, lines, tracking }: NewFulfilment,
): Promise<void> {
  await sql`
    insert into fulfilments (id, order_id, created_at, lines, tracking)
    values (${id}, ${orderId}, ${createdAt}::timestamptz, ${JSON.stringify(lines)}::jsonb,
      ${tracking === null ? null : JSON.stringify(tracking)}::jsonb)`.execute(tx)
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
