import { sql } from 'kysely'
import type { ReviewTransfer } from '@storefront/contracts'
import { FORMER_AUTHOR } from '../customers/customers.queries.ts'
import type { Database, Tx } from '../database.ts'

export interface StoredReview extends Omit<ReviewTransfer, 'product' | 'id' | 'fit' | 'createdAt' | 'hidden'> {
  id: string
  productId: string
  createdAt: Date
  fit: ReviewTransfer['fit'] | null
  hidden: boolean
}

/** Reviews with the same content are the same review. */
export type ReviewContent = Pick<StoredReview, 'productId' | 'author' | 'body' | 'rating'>

const COLUMNS = sql.raw(`r.id, r.product_id as "productId", r.author, r.rating, r.body, r.created_at as "createdAt",
  r.verified, r.size, r.height, r.fit, r.photos, r.published,
  r.hidden and not r.published as hidden`)

export async function findReviewsById(tx: Tx, ids: readonly string[]): Promise<StoredReview[]> {
  const { rows } = await sql<StoredReview>`select ${COLUMNS} from reviews r where id = any(${ids})`.execute(tx)
  return rows
}

/** The ids among these of reviews whose author's account was deleted. */
export async function findFormerReviews(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select review_id as id from former_reviews where review_id = any(${ids})`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Reviews of these products with the same text. */
export async function findSameReviews(tx: Tx, reviews: readonly ReviewContent[]): Promise<StoredReview[]> {
  if (reviews.length === 0) return []
  const { rows } = await sql<StoredReview>`
    select distinct on (r.id) ${COLUMNS} from reviews r join unnest(
      ${reviews.map((each) => each.productId)}::text[], ${reviews.map((each) => each.author)}::text[],
      ${reviews.map((each) => each.body)}::text[], ${reviews.map((each) => each.rating)}::int[]
    ) as t (product_id, author, body, rating)
      on r.product_id = t.product_id and r.author = t.author and r.body = t.body and r.rating = t.rating
    order by r.id`.execute(tx)
  return rows
}

export interface ReviewOfCustomer {
  id: string
  customerId: string
}

/**
 * Removes the customers from stored reviews that will be moved to other products. A customer may have only one review
 * of a product, and a conflicting one may be moved or deleted later. `attachCustomers` restores the customers.
 */
export async function detachCustomers(tx: Tx, reviews: readonly StoredReview[]): Promise<ReviewOfCustomer[]> {
  const { rows } = await sql<ReviewOfCustomer>`
    with moving as (
      select r.id, r.customer_id from reviews r join unnest(
        ${reviews.map(({ id }) => id)}::text[], ${reviews.map(({ productId }) => productId)}::text[]
      ) as t (id, product_id) on t.id = r.id
      where r.customer_id is not null and r.product_id <> t.product_id
    ), detached as (
      update reviews r set customer_id = null from moving where moving.id = r.id
    )
    select id, customer_id as "customerId" from moving`.execute(tx)
  return rows
}

/** Restores the customers that `detachCustomers` removed. */
export async function attachCustomers(tx: Tx, reviews: readonly ReviewOfCustomer[]): Promise<void> {
  if (reviews.length === 0) return
  await sql`
    update reviews r set customer_id = t.customer_id
    from unnest(${reviews.map(({ id }) => id)}::text[], ${reviews.map(({ customerId }) => customerId)}::text[])
      as t (id, customer_id)
    where r.id = t.id`.execute(tx)
}

/**
 * Saves reviews under their ids. Other fields do not change, and neither does an author whose account was deleted since
 * the review was compared.
 */
export async function upsertReviews(tx: Tx, reviews: readonly StoredReview[]): Promise<void> {
  await sql`
    insert into reviews (id, product_id, author, rating, body, created_at, verified, size, height, fit, photos, published,
      hidden)
    select id, "productId", author, rating, body, "createdAt", verified, size, height, fit, photos, published, hidden
    from json_to_recordset(${JSON.stringify(reviews)}::json) as t (id text, "productId" text, author text, rating int,
      body text, "createdAt" timestamptz, verified bool, size text, height text, fit text, photos jsonb, published bool,
      hidden bool)
    on conflict (id) do update set (product_id, author, rating, body, created_at, verified, size, height, fit, photos,
      published, hidden) = (excluded.product_id,
      case when reviews.author = ${FORMER_AUTHOR} then reviews.author else excluded.author end,
      excluded.rating, excluded.body, excluded.created_at, excluded.verified, excluded.size, excluded.height,
      excluded.fit, excluded.photos, excluded.published, excluded.hidden)`.execute(tx)
}

/**
 * Anonymizes saved reviews that were deleted with their account after they were compared, and were therefore saved as
 * new ones.
 */
export async function anonymizeSaved(tx: Tx, reviews: readonly StoredReview[]): Promise<void> {
  await sql`
    update reviews set author = ${FORMER_AUTHOR}
    where id = any(${reviews.map(({ id }) => id)}) and author <> ${FORMER_AUTHOR}
      and id in (select review_id from former_reviews)`.execute(tx)
}

/** Reviews in the order of their ids, each with the slug of its product. */
export async function findReviewsToExport(
  snapshot: Database,
  after: string,
  limit: number,
): Promise<(StoredReview & { product: string })[]> {
  const { rows } = await sql<StoredReview & { product: string }>`
    select ${COLUMNS}, p.slug as product from reviews r join products p on p.id = r.product_id
    where r.id > ${after} order by r.id limit ${limit}`.execute(snapshot)
  return rows
}

/** Deletes reviews that are not in the import. @returns the product of each, and whether it was visible */
export async function keepOnlyReviews(tx: Tx, jobId: string): Promise<{ productId: string; published: boolean }[]> {
  const { rows } = await sql<{ productId: string; published: boolean }>`
    delete from reviews v where not exists (
      select 1 from import_rows r where r.job_id = ${jobId} and r.type = 'review' and r.stored_id = v.id)
    returning product_id as "productId", published`.execute(tx)
  return rows
}

export async function countReviews(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from reviews`.execute(tx)
  return rows[0]?.count ?? 0
}
