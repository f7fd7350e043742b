import { sql } from 'kysely'
import { readEmailAddress, type DraftOrderQuote, type DraftOrderStatus } from '@storefront/contracts'
import { deleteRows } from '@storefront/postgres'
import { spansOf } from '../customers/customers.queries.ts'
import type { Database, Tx } from '../database.ts'
import type { DraftContent, ListedDraft, StoredDraft } from './draft.ts'

const STATE = sql`d.id, d.status, d.created_by as "createdBy", d.created_at as "createdAt", d.sent_at as "sentAt",
  d.expires_at as "expiresAt", d.order_id as "orderId", o.number as "orderNumber"`

const COLUMNS = sql`${STATE}, d.version, d.email, d.shipping_address as "shippingAddress",
  d.shipping_method as "shippingMethod", d.discount_code as "discountCode", d.note, d.lines, d.quote,
  d.link_number as "linkNumber"`

export async function findDraft(db: Database | Tx, id: string): Promise<StoredDraft | undefined> {
  const { rows } = await sql<StoredDraft>`
    select ${COLUMNS} from draft_orders d left join orders o on o.id = d.order_id where d.id = ${id}`.execute(db)
  return rows[0]
}

/** Comes after the lock of its cart (`lockSessions`), as in the transaction that makes it an order. */
export async function lockDraft(tx: Tx, id: string): Promise<StoredDraft | undefined> {
  await sql`select from draft_orders where id = ${id} for update`.execute(tx)
  return findDraft(tx, id)
}

export async function insertDraft(
  tx: Tx,
  { id, by, at, content, quote }: { id: string; by: string; at: Date; content: DraftContent; quote: DraftOrderQuote },
): Promise<void> {
  await sql`
    insert into draft_orders (id, status, email, email_canonical, shipping_address, shipping_method, discount_code, note,
      lines, quote, created_by, created_at, updated_at)
    values (${id}, 'open', ${content.email}, ${canonicalOf(content)}, ${JSON.stringify(content.shippingAddress)}::jsonb,
      ${content.shippingMethod}, ${content.discountCode}, ${content.note}, ${JSON.stringify(content.lines)}::jsonb,
      ${JSON.stringify(quote)}::json, ${by}, ${at}, ${at})`.execute(tx)
}

export async function saveDraft(
  tx: Tx,
  id: string,
  { content, quote, at }: { content: DraftContent; quote: DraftOrderQuote; at: Date },
): Promise<void> {
  await sql`
    update draft_orders set version = version + 1, email = ${content.email}, email_canonical = ${canonicalOf(content)},
      shipping_address = ${JSON.stringify(content.shippingAddress)}::jsonb, shipping_method = ${content.shippingMethod},
      discount_code = ${content.discountCode}, note = ${content.note}, lines = ${JSON.stringify(content.lines)}::jsonb,
      quote = ${JSON.stringify(quote)}::json, updated_at = ${at}
    where id = ${id}`.execute(tx)
}

function canonicalOf({ email }: DraftContent): string | null {
  return readEmailAddress(email)?.canonical ?? null
}

export async function saveSent(
  tx: Tx,
  id: string,
  link: { number: number; sentAt: Date; expiresAt: Date; quote: DraftOrderQuote },
): Promise<void> {
  await sql`
    update draft_orders set version = version + 1, status = 'sent', link_number = ${link.number},
      sent_at = ${link.sentAt}, expires_at = ${link.expiresAt}, updated_at = ${link.sentAt},
      quote = ${JSON.stringify(link.quote)}::json
    where id = ${id}`.execute(tx)
}

/** A canceled draft keeps its link, whose page says so. */
export async function saveCancelledDraft(tx: Tx, id: string, at: Date): Promise<void> {
  await sql`
    update draft_orders set version = version + 1, status = 'cancelled', updated_at = ${at} where id = ${id}`.execute(
    tx,
  )
}

/**
 * Records the order that a draft became. A payment that was under way when the draft was canceled still places it.
 * @returns the actor who created it; undefined when there is no such draft
 */
export async function saveOrdered(
  tx: Tx,
  id: string,
  { orderId, quote, at }: { orderId: string; quote: DraftOrderQuote; at: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ createdBy: string }>`
    update draft_orders set version = version + 1, status = 'ordered', order_id = ${orderId}, updated_at = ${at},
      quote = ${JSON.stringify(quote)}::json
    where id = ${id} returning created_by as "createdBy"`.execute(tx)
  return rows[0]?.createdBy
}

export interface DraftPosition {
  key: string
  id: string
}

/**
 * A page of drafts, the latest first. With 200,000 drafts, it takes less than 1 ms, along the index of the list or the
 * status.
 */
export async function findDrafts(
  db: Database,
  status: DraftOrderStatus | undefined,
  { limit, offset, after }: { limit: number; offset: number; after: DraftPosition | undefined },
): Promise<ListedDraft[]> {
  const place = after ? sql`and (d.created_at, d.id) < (${after.key}::timestamptz, ${after.id})` : sql``
  const { rows } = await sql<ListedDraft>`
    select ${STATE}, d.email, coalesce(d.shipping_address->>'name', '') as name, d.quote->'total' as total,
      (select coalesce(sum((line->>'quantity')::int), 0)::int from jsonb_array_elements(d.lines) line) as items,
      to_char(d.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as key
    from draft_orders d left join orders o on o.id = d.order_id
    where ${status === undefined ? sql`true` : sql`d.status = ${status}`} ${place}
    order by d.created_at desc, d.id desc limit ${limit} offset ${offset} /* replan */`.execute(db)
  return rows
}

/** Counts drafts up to `most`: 10,000 take 14 ms. */
export async function countDrafts(db: Database, status: DraftOrderStatus | undefined, most: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select 1 from draft_orders where ${status === undefined ? sql`true` : sql`status = ${status}`}
      limit ${most}) counted /* replan */`.execute(db)
  return rows[0]?.total ?? 0
}

/** @returns how many were deleted */
export function deleteOldDrafts(db: Database, unchangedSince: Date, limit: number): Promise<number> {
  return deleteRows(db, 'draft_orders', sql`updated_at < ${unchangedSince} order by updated_at`, limit)
}

/** Deletes the drafts for this address, with their links. */
export async function deleteDraftsOf(tx: Tx, canonical: string): Promise<void> {
  await tx.deleteFrom('draft_orders').where('email_canonical', '=', canonical).execute()
}

/** Whether the draft `d` was made for an address while it was a customer's: in the span `s` of its guest orders. */
const IS_WITHIN_SPAN = sql<boolean>`(d.email_canonical = s.email and d.created_at >= s.since and d.created_at < s.until)`

/**
 * Deletes the drafts for the addresses that these customers have verified. A later owner of an address keeps the drafts
 * that were made since.
 */
export async function deleteDraftsOfCustomers(tx: Tx, customerIds: readonly string[]): Promise<void> {
  await sql`
    delete from draft_orders where id in (
      select d.id from ${spansOf(sql`${[...customerIds]}::text[]`)} s join draft_orders d on ${IS_WITHIN_SPAN})`.execute(
    tx,
  )
}

/**
 * The drafts for a customer after this one, oldest first. One that was changed after the customer left the address is
 * left out, because it may be for the next owner now. With 200,000 drafts, it takes less than 10 ms, along the index of
 * addresses.
 * @param page.after empty for the first ones
 */
export async function findDraftsOfCustomer(
  db: Database,
  customerId: string,
  page: { after: string; limit: number },
): Promise<StoredDraft[]> {
  const { rows } = await sql<StoredDraft>`
    select ${COLUMNS} from ${spansOf(sql`array[${customerId}::text]`)} s
      join draft_orders d on ${IS_WITHIN_SPAN} and d.updated_at < s.until
      left join orders o on o.id = d.order_id
    where (d.created_at, d.id) > (
      coalesce((select created_at from draft_orders where id = ${page.after}), '-infinity'), ${page.after})
    order by d.created_at, d.id limit ${page.limit}`.execute(db)
  return rows
}

/** The first drafts for the address of a buyer. */
export async function findDraftsOfBuyer(db: Database, buyerId: string, limit: number): Promise<StoredDraft[]> {
  const { rows } = await sql<StoredDraft>`
    select ${COLUMNS} from draft_orders d left join orders o on o.id = d.order_id
    where d.email_canonical = (select email_canonical from buyers where id = ${buyerId})
    order by d.created_at, d.id limit ${limit}`.execute(db)
  return rows
}
