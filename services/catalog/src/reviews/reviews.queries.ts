import { sql } from 'kysely'
import { newId, type ReviewInput } from '@storefront/contracts'
import type { Tx } from '../database.ts'

/**
 * Adds published reviews to the products of these slugs. One that is there already, word for word, is left alone, so that
 * an import can be repeated.
 * @returns ids of the products that got a new one
 */
export async function addReviews(tx: Tx, reviews: readonly ReviewInput[], now: Date): Promise<string[]> {
  if (reviews.length === 0) return []
  const { rows } = await sql<{ productId: string }>`
    insert into reviews (id, product_id, author, rating, body, created_at, verified, size, height, fit, photos, published)
    select t.id, p.id, t.author, t.rating, t.body, t.created_at, t.verified, t.size, t.height, t.fit, t.photos::jsonb, true
    from unnest(
      ${reviews.map(() => newId('review'))}::text[], ${reviews.map((each) => each.product)}::text[],
      ${reviews.map((each) => each.author)}::text[], ${reviews.map((each) => each.rating)}::int[],
      ${reviews.map((each) => each.body)}::text[],
      ${reviews.map((each) => each.createdAt ?? now.toISOString())}::timestamptz[],
      ${reviews.map((each) => each.verified)}::bool[], ${reviews.map((each) => each.size)}::text[],
      ${reviews.map((each) => each.height)}::text[], ${reviews.map((each) => each.fit ?? null)}::text[],
      ${reviews.map((each) => JSON.stringify(each.photos))}::text[]
    ) as t (id, product_slug, author, rating, body, created_at, verified, size, height, fit, photos)
    join products p on p.slug = t.product_slug
    where not exists (
      select 1 from reviews r where r.product_id = p.id and r.author = t.author and r.body = t.body and r.rating = t.rating)
    returning product_id as "productId"`.execute(tx)
  return rows.map((row) => row.productId)
}
