import { sql } from 'kysely'
import type { Money } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import type { AlertSubject } from './alert.ts'

export interface AlertRequest extends AlertSubject {
  /** In canonical form. */
  email: string
  /** The price of the product at the request. */
  price: Money
  senders: readonly string[]
  requestedAt: Date
}

/** @returns whether there was room for it among at most `max` waiting requests */
export async function insertAlertRequest(db: Database, request: AlertRequest, max: number): Promise<boolean> {
  const { kind, productId, variantId, email, price, senders, requestedAt } = request
  const { numAffectedRows } = await sql`
    insert into alert_requests (kind, product_id, variant_id, email, price_minor, currency, senders, requested_at)
    select ${kind}, ${productId}, ${variantId}, ${email}, ${price.amount}, ${price.currency}, ${[...senders]}::text[],
      ${requestedAt}::timestamptz
    where (select count(*) from (select from alert_requests limit ${max}) as waiting) < ${max}`.execute(db)
  return numAffectedRows === 1n
}

/** The oldest requests, at most `limit`, locked or not. */
export async function findAlertRequests(tx: Tx, limit: number): Promise<{ id: number; email: string }[]> {
  const { rows } = await sql<{ id: number; email: string }>`
    select id, email from alert_requests order by id limit ${limit}`.execute(tx)
  return rows
}

/** Takes a request whose mailbox is locked; undefined when it is gone. */
export async function takeAlertRequest(tx: Tx, id: number): Promise<AlertRequest | undefined> {
  // Does not wait, because a replica of the previous version locks a request before its mailbox.
  const { rows } = await sql<Omit<AlertRequest, 'price'> & Money>`
    delete from alert_requests where id = (select id from alert_requests where id = ${id} for update skip locked)
    returning kind, product_id as "productId", variant_id as "variantId", email, price_minor as amount, currency, senders,
      requested_at as "requestedAt"`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const { amount, currency, ...request } = row
  return { ...request, price: { amount, currency } }
}

/** Deletes the waiting requests for these addresses, whose mailboxes must be locked. */
export async function deleteAlertRequests(tx: Tx, emails: readonly string[]): Promise<void> {
  await sql`
    delete from alert_requests where id = any(array(
      select id from alert_requests where email = any(${[...emails]}::text[]) order by id for update))`.execute(tx)
}
