import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'

/**
 * To whom a guest order belongs, for a query in which the order is called `o`: whoever had shown last, when it was placed,
 * that its address is theirs, or else the first who did afterwards.
 */
export const OWNER_OF_GUEST_ORDER = sql<string | null>`(
  select v.customer_id from customer_emails v where v.email = lower(o.email)
  order by v.verified_at <= o.placed_at desc, abs(extract(epoch from v.verified_at - o.placed_at)), v.customer_id limit 1)`

/** Guest orders, called `o`, that are this customer's. */
export const isOwnGuestOrder = (customerId: string) => sql<boolean>`(o.customer_id is null
  and lower(o.email) in (select email from customer_emails where customer_id = ${customerId})
  and ${OWNER_OF_GUEST_ORDER} = ${customerId})`

export interface Verification {
  customerId: string
  email: string
  at: string
}

/** Makes news about the same customers wait for each other until the end of the transaction. */
export async function lockCustomers(tx: Tx, customerIds: readonly string[]): Promise<void> {
  // One after the other in one order: two transactions must not each hold what the other waits for.
  for (const id of [...new Set(customerIds)].toSorted()) {
    await sql`select pg_advisory_xact_lock(hashtext('customers'), hashtext(${id}))`.execute(tx)
  }
}

export async function insertVerifications(tx: Tx, all: readonly Verification[]): Promise<void> {
  await sql`
    insert into customer_emails (email, verified_at, customer_id)
    select distinct lower(email), at, customer_id from unnest(${all.map((each) => each.email)}::text[],
      ${all.map((each) => each.at)}::timestamptz[], ${all.map((each) => each.customerId)}::text[])
      as t (email, at, customer_id)
    order by 1, 2, 3 on conflict do nothing`.execute(tx)
}

/** Notes which accounts are gone, and since when. */
export async function insertFormerCustomers(
  tx: Tx,
  gone: readonly { customerId: string; at: string }[],
): Promise<void> {
  await sql`
    insert into former_customers (customer_id, deleted_at)
    select customer_id, min(at) from unnest(${gone.map((each) => each.customerId)}::text[],
      ${gone.map((each) => each.at)}::timestamptz[]) as t (customer_id, at)
    group by customer_id order by customer_id on conflict do nothing`.execute(tx)
}

/**
 * Closes the books on those of these customers whose accounts are gone: their guest orders stay theirs for good, or the
 * next account with the address would inherit them, and nothing is left that connects them with an address.
 */
export async function settleFormerCustomers(tx: Tx, customerIds: readonly string[]): Promise<void> {
  const gone = sql`select customer_id from former_customers where customer_id = any(${[...customerIds]})`
  await sql`
    update orders o set customer_id = f.customer_id from former_customers f
    where f.customer_id in (${gone}) and o.customer_id is null and o.placed_at < f.deleted_at
      and lower(o.email) in (select email from customer_emails v where v.customer_id = f.customer_id)
      and ${OWNER_OF_GUEST_ORDER} = f.customer_id`.execute(tx)
  await sql`delete from customer_emails where customer_id in (${gone})`.execute(tx)
}

/** Deletes the marks of accounts that are gone for longer than any event about them can be. */
export async function forgetFormerCustomers(db: Database, before: Date): Promise<void> {
  await sql`delete from former_customers where deleted_at < ${before}`.execute(db)
}
