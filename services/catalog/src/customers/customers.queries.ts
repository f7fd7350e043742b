import { sql } from 'kysely'
import { deleteRows } from '@storefront/postgres'
import type { Database, Tx } from '../database.ts'
import { REVIEW, type AdminReviewRow } from '../reviews/moderation.queries.ts'

/** In place of the name of a deleted account. */
export const FORMER_AUTHOR = 'A former customer'

interface TouchedProduct {
  productId: string
  slug: string
  version: number
}

/** Serializes writers of the same customers until the end of the transaction. */
export async function lockCustomers(tx: Tx, customerIds: readonly string[]): Promise<void> {
  // In a fixed order, so that two transactions cannot deadlock.
  for (const id of [...new Set(customerIds)].toSorted()) {
    await sql`select pg_advisory_xact_lock(hashtext('customers'), hashtext(${id}))`.execute(tx)
  }
}

/** Records which accounts were deleted. */
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

export async function isFormerCustomer(db: Database | Tx, customerId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from former_customers where customer_id = ${customerId}`.execute(db)
  return rows.length > 0
}

/**
 * Removes the author from the reviews of these customers, and deletes pending reviews. Records the ids of both, so that
 * the import of an older export does not restore them.
 * @returns the published products that have a visible review with a changed author
 */
export async function anonymizeReviews(tx: Tx, customerIds: readonly string[]): Promise<TouchedProduct[]> {
  await sql`
    insert into former_reviews (review_id)
    select id from reviews where customer_id = any(${[...customerIds]}) order by id on conflict do nothing`.execute(tx)
  await sql`
    delete from reviews where id in (
      select id from reviews where customer_id = any(${[...customerIds]}) and not published and not hidden
      order by id for update)`.execute(tx)
  const { rows } = await sql<TouchedProduct>`
    with anonymized as (
      update reviews set customer_id = null, author = ${FORMER_AUTHOR} where id in (
        select id from reviews where customer_id = any(${[...customerIds]}) order by id for update)
      returning product_id, published)
    select distinct p.id as "productId", p.slug, p.version
    from anonymized d join products p on p.id = d.product_id where d.published and p.published order by p.id`.execute(
    tx,
  )
  return rows
}

/** Removes these customers from their purchases. */
export async function anonymizePurchases(tx: Tx, customerIds: readonly string[]): Promise<void> {
  await sql`
    update purchases set customer_id = null where order_id in (
      select order_id from purchases where customer_id = any(${[...customerIds]}) order by order_id for update)`.execute(
    tx,
  )
}

/**
 * Removes deleted customers from purchases that were written at the same moment as the deletion, which did not see
 * them.
 */
export async function anonymizeLatePurchases(db: Database): Promise<void> {
  await sql`
    update purchases set customer_id = null
    where customer_id in (select customer_id from former_customers)`.execute(db)
}

/**
 * Deletes the records of accounts that were deleted longer ago than any event about them can be delivered.
 * @returns how many, at most `limit`
 */
export function deleteFormerCustomers(db: Database, before: Date, limit: number): Promise<number> {
  return deleteRows(db, 'former_customers', sql`deleted_at < ${before}`, limit)
}

/** Reviews that a customer wrote, whatever their status, after this id. */
export async function findReviewsAfter(
  db: Database,
  customerId: string,
  { after, limit }: { after: string; limit: number },
): Promise<AdminReviewRow[]> {
  const { rows } = await sql<{ review: AdminReviewRow }>`
    select ${REVIEW} as review from reviews r join products p on p.id = r.product_id
    where r.customer_id = ${customerId} and r.id > ${after} order by r.id limit ${limit}`.execute(db)
  return rows.map((row) => row.review)
}

interface ExportedPurchase {
  orderId: string
  productIds: string[]
  paid: boolean
}

/** What a customer bought, after this order. */
export async function findPurchasesAfter(
  db: Database,
  customerId: string,
  { after, limit }: { after: string; limit: number },
): Promise<ExportedPurchase[]> {
  const { rows } = await sql<ExportedPurchase>`
    select order_id as "orderId", product_ids as "productIds", paid from purchases
    where customer_id = ${customerId} and order_id > ${after} order by order_id limit ${limit}`.execute(db)
  return rows
}
