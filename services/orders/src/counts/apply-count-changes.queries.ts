import { sql } from 'kysely'
import type { Tx } from '../database.ts'

/** A change in the number of orders of one kind that were placed on one day. */
interface CountChange {
  day: string
  country: string
  status: string
  paymentStatus: string
  attention: string
  orders: number
}

/** Serializes the replicas that add changes. No checkout takes this lock. */
export async function lockCounts(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('counts'), hashtext('orders'))`.execute(tx)
}

/** Removes up to `limit` changes, the oldest first. */
export async function takeChanges(tx: Tx, limit: number): Promise<CountChange[]> {
  const { rows } = await sql<CountChange>`
    delete from order_count_changes
    where id = any(array(select id from order_count_changes order by id limit ${limit}))
    returning day::text as day, country, status, payment_status as "paymentStatus", attention, orders`.execute(tx)
  return rows
}

const changed = (changes: readonly CountChange[]) => sql`
  jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as changed (day date, country text, status text, "paymentStatus" text,
    attention text, orders integer)`

export async function addToDays(tx: Tx, changes: readonly CountChange[]): Promise<void> {
  await sql`
    insert into order_count_days as known (day, country, status, payment_status, attention, orders)
    select day, country, status, "paymentStatus", attention, sum(orders) from ${changed(changes)}
    group by 1, 2, 3, 4, 5 having sum(orders) <> 0
    on conflict (day, country, status, payment_status, attention) do update set orders = known.orders + excluded.orders`.execute(
    tx,
  )
}

export async function addToTotals(tx: Tx, changes: readonly CountChange[]): Promise<void> {
  await sql`
    insert into order_count_totals as known (country, status, payment_status, attention, orders)
    select country, status, "paymentStatus", attention, sum(orders) from ${changed(changes)}
    group by 1, 2, 3, 4 having sum(orders) <> 0
    on conflict (country, status, payment_status, attention) do update set orders = known.orders + excluded.orders`.execute(
    tx,
  )
}

/** Deletes rows of zero. Most orders soon change their kind, and would leave one for each day and each earlier kind. */
export async function deleteEmptyDays(tx: Tx, changes: readonly CountChange[]): Promise<void> {
  const days = [...new Set(changes.map(({ day }) => day))]
  await sql`delete from order_count_days where day = any(${days}::date[]) and orders = 0`.execute(tx)
}
