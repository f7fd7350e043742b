import { sql } from 'kysely'
import type { ReviewTransfer } from '@storefront/contracts'
import type { Database } from '../database.ts'

/** A slow reader must not lose the snapshot; one that reads nothing for longer is cut off by its socket. */
export async function allowLongReading(snapshot: Database): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = '150s'`.execute(snapshot)
}

export async function findProductIds(snapshot: Database, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from products where id > ${after} order by id limit ${limit}`.execute(snapshot)
  return rows.map((row) => row.id)
}

/** Slugs of a collection's products in its order. */
export async function findCollectionSlugs(snapshot: Database, collection: string): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    select p.slug from collection_products c join products p on p.id = c.product_id
    where c.collection_slug = ${collection} order by c.position, c.product_id`.execute(snapshot)
  return rows.map((row) => row.slug)
}

type ReviewRow = Omit<ReviewTransfer, 'createdAt' | 'fit' | 'id'> & {
  id: string
  createdAt: Date
  fit: ReviewTransfer['fit'] | null
}

export async function findReviewsToExport(snapshot: Database, after: string, limit: number): Promise<ReviewRow[]> {
  const { rows } = await sql<ReviewRow>`
    select r.id, p.slug as product, r.author, r.rating, r.body, r.created_at as "createdAt", r.verified, r.size, r.height,
      r.fit, r.photos, r.published
    from reviews r join products p on p.id = r.product_id where r.id > ${after} order by r.id limit ${limit}`.execute(
    snapshot,
  )
  return rows
}
