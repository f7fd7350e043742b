import { sql } from 'kysely'
import { newId, type AdminReview, type ReviewStatus, type ReviewSubmission } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { hasBought } from './purchases.queries.ts'
import { REVIEW_FIELDS, type ReviewRow } from './reviews.queries.ts'

export interface AdminReviewRow extends ReviewRow {
  status: ReviewStatus
  product: AdminReview['product']
  customerId: string | null
}

const STATUS = sql`case when r.published then 'published' when r.hidden then 'hidden' else 'pending' end`

/** A review `r` of a product `p`, as merchants see it. */
export const REVIEW = sql`jsonb_build_object(${REVIEW_FIELDS}, 'status', ${STATUS}, 'customerId', r.customer_id,
  'product', jsonb_build_object('id', p.id, 'slug', p.slug, 'title', p.title))`

/**
 * Adds a pending review, unless the customer already has one of this product, whatever its status.
 * @returns its id, or undefined
 */
export async function insertPendingReview(
  tx: Tx,
  review: ReviewSubmission & { productId: string; customerId: string; createdAt: Date },
): Promise<string | undefined> {
  const { productId, customerId } = review
  const { rows } = await sql<{ id: string }>`
    insert into reviews (id, product_id, customer_id, author, rating, body, created_at, verified, size, height, fit,
      photos, published)
    values (${newId('review')}, ${productId}, ${customerId}, ${review.author}, ${review.rating}, ${review.body},
      ${review.createdAt}, ${hasBought(customerId, productId)}, ${review.size}, ${review.height}, ${review.fit ?? null},
      ${JSON.stringify(review.photos)}::jsonb, false)
    on conflict (product_id, customer_id) where customer_id is not null do nothing
    returning id`.execute(tx)
  return rows[0]?.id
}

/** The product of a review, which must be locked before the review. */
export async function findProductOfReview(tx: Tx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ productId: string }>`
    select product_id as "productId" from reviews where id = ${id}`.execute(tx)
  return rows[0]?.productId
}

/** Locks a review. @returns it as merchants see it */
export async function lockReview(tx: Tx, id: string): Promise<AdminReviewRow | undefined> {
  const { rows } = await sql<{ review: AdminReviewRow }>`
    select ${REVIEW} as review from reviews r join products p on p.id = r.product_id
    where r.id = ${id} for update of r`.execute(tx)
  return rows[0]?.review
}

/** Publishes or hides a review. A published one is verified if its customer has paid for the product. */
export async function setReviewStatus(tx: Tx, id: string, status: 'published' | 'hidden'): Promise<void> {
  const isPublished = status === 'published'
  await sql`
    update reviews r set published = ${isPublished}, hidden = ${!isPublished},
      verified = r.verified or (${isPublished} and ${hasBought(sql.ref('r.customer_id'), sql.ref('r.product_id'))})
    where id = ${id}`.execute(tx)
}

export async function deleteReview(tx: Tx, id: string): Promise<void> {
  await sql`delete from reviews where id = ${id}`.execute(tx)
}

/** The version of a product, for an event about a change that does not change the product itself. */
export async function findProductVersion(tx: Tx, productId: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from products where id = ${productId}`.execute(tx)
  return rows[0]?.version ?? 0
}

export interface ReviewFilter {
  status?: ReviewStatus | undefined
  /** Slug of a product. */
  product?: string | undefined
}

/** The same expression as in the indexes, which hold published reviews and others separately. */
const OF_STATUS: Record<ReviewStatus, ReturnType<typeof sql>> = {
  published: sql`r.published`,
  hidden: sql`not r.published and r.hidden`,
  pending: sql`not r.published and not r.hidden`,
}

/** One page of all reviews, newest first, with the number of all that match. */
export async function findReviewsToModerate(
  db: Database,
  { status, product }: ReviewFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; reviews: AdminReviewRow[] }> {
  const where = sql.join(
    [
      sql`true`,
      ...(status === undefined ? [] : [OF_STATUS[status]]),
      ...(product === undefined ? [] : [sql`r.product_id = (select id from products where slug = ${product})`]),
    ],
    sql` and `,
  )
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from reviews r where ${where}`.execute(db)
  const { rows } = await sql<{ review: AdminReviewRow }>`
    select ${REVIEW} as review
    from (select id from reviews r where ${where} order by created_at desc, id limit ${limit} offset ${offset}) page
      join reviews r on r.id = page.id join products p on p.id = r.product_id
    order by r.created_at desc, r.id`.execute(db)
  return { total: counted[0]?.total ?? 0, reviews: rows.map((row) => row.review) }
}
