import { sql } from 'kysely'
import type { Review } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import type { ReviewCounts } from './review-summary.ts'

/** Recounts the reviews of these products, which must be locked, or a count could miss a review. */
export async function recountReviews(tx: Tx, productIds: readonly string[]): Promise<void> {
  await sql`
    insert into review_counts (product_id, stars, fit_small, fit_true, fit_large, with_photos)
    select p.id,
      array[count(*) filter (where r.rating = 1), count(*) filter (where r.rating = 2),
        count(*) filter (where r.rating = 3), count(*) filter (where r.rating = 4), count(*) filter (where r.rating = 5)],
      count(*) filter (where r.fit = 'small'), count(*) filter (where r.fit = 'true'),
      count(*) filter (where r.fit = 'large'), count(*) filter (where r.photos <> '[]')
    from unnest(${productIds}::text[]) as p (id) left join reviews r on r.product_id = p.id and r.published
    group by p.id
    on conflict (product_id) do update set stars = excluded.stars, fit_small = excluded.fit_small,
      fit_true = excluded.fit_true, fit_large = excluded.fit_large, with_photos = excluded.with_photos`.execute(tx)
}

/** A review as it is stored: the date as PostgreSQL writes it into JSON. */
export interface ReviewRow extends Omit<Review, 'fit'> {
  fit: Exclude<Review['fit'], undefined> | null
}

/** The fields of a review `r` for JSON. */
export const REVIEW_FIELDS = sql`'id', r.id, 'author', r.author, 'rating', r.rating, 'body', r.body,
  'createdAt', r.created_at, 'verified', r.verified, 'size', r.size, 'height', r.height, 'fit', r.fit,
  'photos', r.photos`

interface FoundReviews {
  /** The current slug of the product. */
  slug: string
  counts: ReviewCounts
  reviews: ReviewRow[]
}

/**
 * One page of a published product's reviews, with the counts of all of them. The page is selected by ids from an index
 * alone: after 45,000 reviews that takes 6 ms instead of 19 ms.
 */
export async function findReviews(
  db: Database,
  slug: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<FoundReviews | undefined> {
  const { rows } = await sql<FoundReviews>`
    select product.slug,
      jsonb_build_object('stars', coalesce(c.stars, '{0,0,0,0,0}'), 'fitSmall', coalesce(c.fit_small, 0),
        'fitTrue', coalesce(c.fit_true, 0), 'fitLarge', coalesce(c.fit_large, 0),
        'withPhotos', coalesce(c.with_photos, 0)) as counts,
      (select coalesce(jsonb_agg(jsonb_build_object(${REVIEW_FIELDS})
          order by r.created_at desc, r.verified desc, r.id), '[]')
        from (
          select id from reviews where product_id = product.id and published
          order by created_at desc, verified desc, id limit ${limit} offset ${offset}
        ) page join reviews r on r.id = page.id) as reviews
    from (
      select id, slug from products
      where published and (slug = ${slug} or id = (select product_id from former_slugs where slug = ${slug}))
      order by slug = ${slug} desc limit 1
    ) product left join review_counts c on c.product_id = product.id`.execute(db)
  return rows[0]
}
