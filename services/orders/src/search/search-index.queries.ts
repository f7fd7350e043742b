import { sql } from 'kysely'
import { anyUnlocked } from '@storefront/postgres'
import type { Database, Tx } from '../database.ts'
import type { StoredOrder } from '../orders/order.ts'

export async function isSearchQueued(db: Database): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`select exists (select from order_search_queue) as waits`.execute(db)
  return rows[0]?.waits === true
}

/**
 * Removes at most `limit` rows from the queue of orders whose words must be written. Several replicas share the queue.
 * The newest come first: a merchant who searches while an upgrade indexes all orders finds recent ones.
 */
export async function takeFromSearchQueue(tx: Tx, limit: number): Promise<{ rows: number; orderIds: string[] }> {
  const newest = sql`select id from order_search_queue order by id desc`
  const { rows } = await sql<{ orderId: string }>`
    delete from order_search_queue where id = ${anyUnlocked(newest, limit)} returning order_id as "orderId"`.execute(tx)
  return { rows: rows.length, orderIds: [...new Set(rows.map((row) => row.orderId))] }
}

export interface OrderToFind extends Pick<StoredOrder, 'id' | 'number' | 'email' | 'document' | 'tracking'> {
  paymentReference: string | null
  /** Of its parcels. */
  trackingCodes: string[]
}

/**
 * The current orders, locked until this transaction ends: a later change then sees the rows that are written here. An
 * order that is locked by another transaction is skipped, so that neither waits.
 */
export async function lockForSearch(tx: Tx, ids: readonly string[]): Promise<OrderToFind[]> {
  const { rows } = await sql<OrderToFind>`
    select id, number, email, document, payment_reference as "paymentReference", tracking,
      array(select f.tracking->>'code' from fulfilments f where f.order_id = orders.id and f.tracking is not null) as "trackingCodes"
    from orders
    where id = any(${[...ids]}) order by id for share skip locked`.execute(tx)
  return rows
}

/** Queues orders again, except deleted ones. */
export async function queueForSearch(tx: Tx, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return
  await sql`
    insert into order_search_queue (order_id) select id from orders where id = any(${[...orderIds]})`.execute(tx)
}

/** Writes the words that orders are found by. The orders must be locked. */
export async function saveWords(tx: Tx, all: readonly { id: string; vector: string }[]): Promise<void> {
  await sql`
    insert into order_search as kept (order_id, flagged, placed_at, status, words)
    select o.id, o.attention is not null, o.placed_at, o.status, w.words
    from unnest(${all.map(({ id }) => id)}::text[], ${all.map(({ vector }) => vector)}::tsvector[]) as w (id, words)
      join orders o on o.id = w.id
    on conflict (order_id) do update set words = excluded.words where kept.words <> excluded.words`.execute(tx)
}

export async function countSearchQueue(db: Database): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from order_search_queue`.execute(db)
  return rows[0]?.total ?? 0
}
