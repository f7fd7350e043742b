import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import type { StoredMedia } from './media.ts'

const COLUMNS = sql`id, name, alt, sizes, jpeg_bytes as "jpegBytes", created_at as "createdAt"`

/**
 * Serializes writes and removals of the files of these uploads until the transaction ends. Taken in the order of the
 * ids, so that transactions cannot deadlock.
 */
export async function lockMedia(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const id of [...new Set(ids)].toSorted()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`media ${id}`}, 0))`.execute(tx)
  }
}

export async function findMedia(db: Database | Tx, ids: readonly string[]): Promise<StoredMedia[]> {
  const { rows } = await sql<StoredMedia>`select ${COLUMNS} from media where id = any(${ids})`.execute(db)
  return rows
}

/** @param q part of a name, in any case */
export async function findNewestMedia(
  db: Database,
  { q, limit, offset }: { q: string | undefined; limit: number; offset: number },
): Promise<{ items: StoredMedia[]; total: number }> {
  const where = q === undefined ? sql`` : sql`where name ilike ${`%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`
  const { rows: counted } = await sql<{ total: number }>`select count(*) as total from media ${where}`.execute(db)
  const { rows: items } = await sql<StoredMedia>`
    select ${COLUMNS} from media ${where} order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(db)
  return { items, total: counted[0]?.total ?? 0 }
}

export async function insertMedia(tx: Tx, media: StoredMedia): Promise<void> {
  await sql`
    insert into media (id, name, alt, sizes, jpeg_bytes, created_at)
    values (${media.id}, ${media.name}, ${media.alt}, ${JSON.stringify(media.sizes)}::jsonb, ${media.jpegBytes},
      ${media.createdAt})`.execute(tx)
}

export async function updateAlt(tx: Tx, id: string, alt: string): Promise<void> {
  await sql`update media set alt = ${alt} where id = ${id}`.execute(tx)
}

export async function deleteMedia(tx: Tx, id: string): Promise<void> {
  await sql`delete from media where id = ${id}`.execute(tx)
}

export interface MediaUses {
  /** Some of the products. */
  products: { slug: string; title: string }[]
  productCount: number
  /** Such as `category shirts`, or `storefront`. */
  places: string[]
}

/**
 * The records that use an upload, in any of its sizes, by path or by full address. It reads the images of every
 * product: an index would cost too much at each save of a product for a request that is only made when a picture is
 * deleted.
 * @param shown how many products are named
 */
export async function findUses(tx: Tx, id: string, shown: number): Promise<MediaUses> {
  const { rows: products } = await sql<{ slug: string; title: string; total: number }>`
    select slug, title, count(*) over () as total from products
    where position(${id} in document ->> 'images') > 0 order by slug limit ${shown}`.execute(tx)
  const { rows: places } = await sql<{ place: string }>`
    select 'category ' || slug as place from categories where position(${id} in image::text) > 0
    union all select 'collection ' || slug from collections where position(${id} in image::text) > 0
    union all select 'storefront' from settings where position(${id} in document::text) > 0
    order by 1 limit ${shown}`.execute(tx)
  return {
    products: products.map(({ slug, title }) => ({ slug, title })),
    productCount: products[0]?.total ?? 0,
    places: places.map(({ place }) => place),
  }
}
