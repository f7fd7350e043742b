import { sql } from 'kysely'
import type { Database } from '../database.ts'
import type { NumberedTerm } from '@storefront/facet-index'
import type { IndexedListing, ListingChange } from './listing-index.ts'

/**
 * The number of versions whose changes are kept. A reader that is further behind reads everything again, which takes
 * seconds in a large shop.
 */
const KEPT_VERSIONS = 1000

interface ListingRow extends IndexedListing {
  ordinal: number
}

const LISTING = sql`l.product_id as "productId", l.title, l.price_minor as "priceMinor",
  l.featured_position as "featuredPosition", l.units_sold as "unitsSold", l.rating_hundredths as "ratingHundredths",
  l.rating_count as "ratingCount", l.created_ms as "createdMs"`

/** The state of the lists in this reader's snapshot. */
export async function findVersion(db: Database): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from listing_version`.execute(db)
  return rows[0]?.version ?? 0
}

/** Terms that were added after the one with this number. */
export async function findTermsAfter(db: Database, id: number): Promise<NumberedTerm[]> {
  const { rows } = await sql<NumberedTerm>`
    select id, name from listing_terms where id > ${id} order by id`.execute(db)
  return rows
}

/** Listings by their ordinals, from one on. */
export async function findListingsFrom(db: Database, ordinal: number, limit: number): Promise<ListingChange[]> {
  const { rows } = await sql<ListingRow & { terms: string }>`
    select l.ordinal, l.terms::text as terms, ${LISTING} from listings l
    where l.ordinal >= ${ordinal} order by l.ordinal limit ${limit}`.execute(db)
  return rows.map(({ terms, ...listing }) => ({
    ordinal: listing.ordinal,
    lost: [],
    gained: integersIn(terms),
    item: listing,
  }))
}

interface VersionedChange extends ListingChange {
  reworded: boolean
}

/**
 * Changes since a version, in their order. `offset 0` prevents a comparison of each change with every listing, which
 * PostgreSQL plans after many were deleted at once, because it assumes an empty table.
 * @returns undefined when there are more than `limit`, or when they are no longer stored
 */
export async function findChangesSince(
  db: Database,
  version: number,
  limit: number,
): Promise<VersionedChange[] | undefined> {
  const { rows } = await sql<
    { version: number; ordinal: number; lost: number[]; gained: number[]; reworded: boolean } & (
      | IndexedListing
      | { productId: null }
    )
  >`
    select c.version, c.ordinal, c.lost, c.gained, c.reworded, ${LISTING}
    from listing_changes c left join lateral (select * from listings where ordinal = c.ordinal offset 0) l on true
    where c.version > ${version} order by c.version, c.ordinal limit ${limit + 1}`.execute(db)
  // Each version has changes, so if the next one is missing, it was deleted.
  if (rows.length > limit || rows[0]?.version !== version + 1) return undefined
  return rows.map(({ ordinal, lost, gained, reworded, ...listing }) => ({
    ordinal,
    lost,
    gained,
    reworded,
    item: listing.productId === null ? undefined : listing,
  }))
}

/**
 * Deletes whole versions, because readers notice only a missing version and not a missing part of one.
 * @returns 0: it deletes all of them
 */
export async function deleteOldChanges(db: Database): Promise<number> {
  await sql`
    delete from listing_changes
    where version <= (select version from listing_version) - ${KEPT_VERSIONS}::bigint`.execute(db)
  return 0
}

/** The numbers of an array in PostgreSQL's notation; its own parser is too slow for millions. */
export function integersIn(text: string): number[] {
  return text.length <= 2 ? [] : text.slice(1, -1).split(',').map(Number)
}
