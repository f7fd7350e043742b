import { plannedOnceIfFew } from '@storefront/postgres'
import { sql } from 'kysely'
import type { Database, Row, Tx } from '../database.ts'
import type { NumberedTerm } from '@storefront/facet-index'
import type { IndexedListing } from './listing-index.ts'

/** The sort values of a listing, and the facts that timers compare. */
export interface ListingFacts extends IndexedListing {
  showsNew: boolean
  showsBestseller: boolean
}

export interface StoredListing extends ListingFacts {
  ordinal: number
  terms: string[]
  wordsFingerprint: string
}

export async function hasListings(db: Database): Promise<boolean> {
  const { rows } = await sql`select 1 from listings limit 1`.execute(db)
  return rows.length > 0
}

/** @returns the listings of these products, and the numbers of their terms */
export async function findListings(
  tx: Tx,
  productIds: readonly string[],
): Promise<{ listings: StoredListing[]; numbers: ReadonlyMap<string, number> }> {
  const { rows } = await sql<Omit<StoredListing, 'terms'> & { termIds: number[] }>`
    select ordinal, product_id as "productId", title, price_minor as "priceMinor", featured_position as "featuredPosition",
      units_sold as "unitsSold", rating_hundredths as "ratingHundredths", rating_count as "ratingCount",
      created_ms as "createdMs", shows_new as "showsNew", shows_bestseller as "showsBestseller", terms as "termIds",
      words_fingerprint as "wordsFingerprint"
    from listings where product_id = any(${plannedOnceIfFew(productIds)})`.execute(tx)
  const ids = [...new Set(rows.flatMap((row) => row.termIds))]
  const terms = await findTerms(tx, ids)
  const names = new Map(terms.map(({ id, name }) => [id, name]))
  return {
    listings: rows.map(({ termIds, ...row }) => ({
      ...row,
      terms: termIds.map((id) => names.get(id) ?? '').toSorted(),
    })),
    numbers: new Map(terms.map(({ id, name }) => [name, id])),
  }
}

async function findTerms(tx: Tx, ids: readonly number[]): Promise<NumberedTerm[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<NumberedTerm>`select id, name from listing_terms where id = any(${ids})`.execute(tx)
  return rows
}

/**
 * Increments the version of the listings. This blocks other transactions that do so until this one ends, so that
 * versions are committed in order. Call it last, when the transaction has all its other locks.
 */
export async function beginVersion(tx: Tx): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    update listing_version set version = version + 1 returning version`.execute(tx)
  return rows[0]?.version ?? 0
}

/**
 * Finds the number of each term, and creates missing ones. Call it after `beginVersion`, so that no other transaction
 * creates the same ones.
 * @param known numbers that were found before
 * @returns the number of a term
 */
export async function nameTerms(
  tx: Tx,
  names: readonly string[],
  known: ReadonlyMap<string, number>,
): Promise<(name: string) => number> {
  const ids = new Map(known)
  const wanted = names.filter((name) => !ids.has(name))
  if (wanted.length > 0) {
    const { rows } = await sql<NumberedTerm>`
      with stored as materialized (
        select id, name from listing_terms where name = any(${wanted})
      ), added as (
        insert into listing_terms (name)
        -- A join might compare each name with all others, because PostgreSQL expects few.
        select name from unnest(${wanted}::text[]) as t (name) where name not in (select name from stored)
        returning id, name
      )
      select id, name from stored union all select id, name from added`.execute(tx)
    for (const { id, name } of rows) ids.set(name, id)
  }
  return (name) => {
    const id = ids.get(name)
    if (id === undefined) throw new Error(`a term has no number: ${name}`)
    return id
  }
}

/** Numbers for new listings: released ones first. */
export async function takeOrdinals(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<{ ordinal: number }>`
    with released as (
      delete from free_ordinals where ordinal in (select ordinal from free_ordinals order by 1 limit ${count})
      returning ordinal
    )
    select ordinal from released
    union all
    select nextval('listing_ordinals')::int
    from generate_series(1, ${count}::int - (select count(*)::int from released))`.execute(tx)
  return rows.map((row) => row.ordinal)
}

interface ListingToSave extends ListingFacts {
  ordinal: number
  termIds: number[]
  wordsFingerprint: string
}

export type ListingChange = Pick<Row<'listing_changes'>, 'ordinal' | 'lost' | 'gained' | 'reworded'>

interface ListingsToSave {
  version: number
  listings: readonly ListingToSave[]
  /** The ordinals of other listings, to be deleted. */
  removed: readonly number[]
  changes: readonly ListingChange[]
}

/**
 * Saves listings under their ordinals, new or existing, deletes others and releases their numbers, and records all of
 * that as the changes of a version for the index of every replica.
 */
export async function saveListings(tx: Tx, { version, listings, removed, changes }: ListingsToSave): Promise<void> {
  await sql`
    with gone as (
      delete from listings where ordinal = any(${removed}) returning ordinal
    ), released as (
      insert into free_ordinals select ordinal from gone
    ), changed as (
      insert into listing_changes (version, ordinal, lost, gained, reworded)
      select ${version}::bigint, ordinal, lost::int[], gained::int[], reworded
      from unnest(${changes.map((each) => each.ordinal)}::int[], ${changes.map((each) => arrayText(each.lost))}::text[],
        ${changes.map((each) => arrayText(each.gained))}::text[], ${changes.map((each) => each.reworded)}::bool[])
        as t (ordinal, lost, gained, reworded)
    )
    insert into listings (ordinal, product_id, title, price_minor, featured_position, units_sold, rating_hundredths, rating_count,
      created_ms, shows_new, shows_bestseller, terms, words_fingerprint)
    select ordinal, product_id, title, price_minor, featured_position, units_sold, rating_hundredths, rating_count,
      created_ms, shows_new, shows_bestseller, terms::int[], words_fingerprint
    from unnest(
      ${listings.map((each) => each.ordinal)}::int[], ${listings.map((each) => each.productId)}::text[],
      ${listings.map((each) => each.title)}::text[],
      ${listings.map((each) => each.priceMinor)}::bigint[], ${listings.map((each) => each.featuredPosition)}::bigint[],
      ${listings.map((each) => each.unitsSold)}::int[], ${listings.map((each) => each.ratingHundredths)}::int[],
      ${listings.map((each) => each.ratingCount)}::int[], ${listings.map((each) => each.createdMs)}::bigint[],
      ${listings.map((each) => each.showsNew)}::bool[], ${listings.map((each) => each.showsBestseller)}::bool[],
      ${listings.map((each) => arrayText(each.termIds))}::text[], ${listings.map((each) => each.wordsFingerprint)}::text[]
    ) as t (ordinal, product_id, title, price_minor, featured_position, units_sold, rating_hundredths, rating_count, created_ms,
      shows_new, shows_bestseller, terms, words_fingerprint)
    on conflict (ordinal) do update set title = excluded.title, price_minor = excluded.price_minor,
      featured_position = excluded.featured_position, units_sold = excluded.units_sold,
      rating_hundredths = excluded.rating_hundredths, rating_count = excluded.rating_count,
      created_ms = excluded.created_ms, shows_new = excluded.shows_new, shows_bestseller = excluded.shows_bestseller,
      terms = excluded.terms, words_fingerprint = excluded.words_fingerprint /* sent with the next */`.execute(tx)
}

/** An array as text, because PostgreSQL's nested arrays must have equal lengths. */
function arrayText(numbers: readonly number[]): string {
  return `{${numbers.join(',')}}`
}

/** The text by which a search finds a listing, with the strongest position first. */
export interface SearchTexts {
  ordinal: number
  title: string
  heading: string
  description: string
}

/** @param words in these texts, for the correction of typing errors. Words that no product has are harmless */
export async function saveSearchTexts(tx: Tx, texts: readonly SearchTexts[], words: readonly string[]): Promise<void> {
  if (texts.length === 0) return
  await sql`
    with parts as materialized (
      select ordinal, searchable(title) as title, searchable(heading) as heading, searchable(description) as description
      from unnest(${texts.map((each) => each.ordinal)}::int[], ${texts.map((each) => each.title)}::text[],
        ${texts.map((each) => each.heading)}::text[], ${texts.map((each) => each.description)}::text[])
        as t (ordinal, title, heading, description)
    ), titles as (
      insert into listing_titles (ordinal, title, heading) select ordinal, title, title || heading from parts
      on conflict (ordinal) do update set title = excluded.title, heading = excluded.heading
    ), texts as (
      insert into listing_texts (ordinal, words) select ordinal, title || heading || description from parts
      on conflict (ordinal) do update set words = excluded.words
    ), spellings as (
      insert into search_words (word)
      select distinct public.unaccent(word) as word from unnest(${words}::text[]) as word order by 1
      on conflict do nothing
    )
    insert into search_lexemes
    select distinct lexeme collate "C"
    from parts, unnest(tsvector_to_array(title || heading || description)) as lexeme order by 1
    on conflict do nothing /* sent with the next */`.execute(tx)
}
