import { sql } from 'kysely'
import type { ReviewTransfer } from '@storefront/contracts'
import type { Tx } from '../database.ts'

export interface StoredReview extends Omit<ReviewTransfer, 'product' | 'id' | 'fit' | 'createdAt'> {
  id: string
  productId: string
  createdAt: Date
  fit: ReviewTransfer['fit'] | null
}

const COLUMNS = sql.raw(`r.id, r.product_id as "productId", r.author, r.rating, r.body, r.created_at as "createdAt",
  r.verified, r.size, r.height, r.fit, r.photos, r.published`)

export async function findReviewsById(tx: Tx, ids: readonly string[]): Promise<StoredReview[]> {
  const { rows } = await sql<StoredReview>`select ${COLUMNS} from reviews r where id = any(${ids})`.execute(tx)
  return rows
}

/** Reviews of these products with the same text. */
export async function findSameReviews(
  tx: Tx,
  submissions: readonly { productId: string; author: string; body: string; rating: number }[],
): Promise<StoredReview[]> {
  const { rows } = await sql<StoredReview>`
    select distinct on (r.id) ${COLUMNS} from reviews r join unnest(
      ${submissions.map((each) => each.productId)}::text[], ${submissions.map((each) => each.author)}::text[],
      ${submissions.map((each) => each.body)}::text[], ${submissions.map((each) => each.rating)}::int[]
    ) as t (product_id, author, body, rating)
      on r.product_id = t.product_id and r.author = t.author and r.body = t.body and r.rating = t.rating
    order by r.id`.execute(tx)
  return rows
}

/** Saves reviews under their ids; other fields of a review stay as they are. */
export async function upsertReviews(tx: Tx, reviews: readonly StoredReview[]): Promise<void> {
  if (reviews.length === 0) return
  await sql`
    insert into reviews (id, product_id, author, rating, body, created_at, verified, size, height, fit, photos, published)
    select t.id, t.product_id, t.author, t.rating, t.body, t.created_at, t.verified, t.size, t.height, t.fit,
      t.photos::jsonb, t.published
    from unnest(
      ${reviews.map((each) => each.id)}::text[], ${reviews.map((each) => each.productId)}::text[],
      ${reviews.map((each) => each.author)}::text[], ${reviews.map((each) => each.rating)}::int[],
      ${reviews.map((each) => each.body)}::text[], ${reviews.map((each) => each.createdAt)}::timestamptz[],
      ${reviews.map((each) => each.verified)}::bool[], ${reviews.map((each) => each.size)}::text[],
      ${reviews.map((each) => each.height)}::text[], ${reviews.map((each) => each.fit ?? null)}::text[],
      ${reviews.map((each) => JSON.stringify(each.photos))}::text[], ${reviews.map((each) => each.published)}::bool[]
    ) as t (id, product_id, author, rating, body, created_at, verified, size, height, fit, photos, published)
    on conflict (id) do update set product_id = excluded.product_id, author = excluded.author, rating = excluded.rating,
      body = excluded.body, created_at = excluded.created_at, verified = excluded.verified, size = excluded.size,
      height = excluded.height, fit = excluded.fit, photos = excluded.photos, published = excluded.published`.execute(
    tx,
  )
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
