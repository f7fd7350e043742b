import { sql } from 'kysely'
import type { Tx } from '../database.ts'
import { CHUNK_SIZE } from './terms.ts'

/** What a listing is sorted by, and what the timers look for. */
export interface ListingFacts {
  productId: string
  priceMinor: number
  featuredPosition: number
  unitsSold: number
  ratingHundredths: number
  ratingCount: number
  createdMs: number
  showsNew: boolean
  showsBestseller: boolean
}

export interface StoredListing extends ListingFacts {
  ordinal: number
  terms: string[]
  wordsFingerprint: string
}

export async function findListings(tx: Tx, productIds: readonly string[]): Promise<StoredListing[]> {
  const { rows } = await sql<StoredListing>`
    select l.ordinal, l.product_id as "productId", l.price_minor as "priceMinor",
      l.featured_position as "featuredPosition", l.units_sold as "unitsSold", l.rating_hundredths as "ratingHundredths",
      l.rating_count as "ratingCount", l.created_ms as "createdMs", l.shows_new as "showsNew",
      l.shows_bestseller as "showsBestseller", t.terms, t.words_fingerprint as "wordsFingerprint"
    from listings l join listing_terms t on t.ordinal = l.ordinal
    where l.product_id = any(${productIds})`.execute(tx)
  return rows
}

/**
 * One transaction at a time changes what lists hold. Each touches many bitmaps, in no order that all could keep to.
 * Taken last, when a transaction has all its other locks, and held until it ends.
 */
export async function lockListings(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('catalog listings'))`.execute(tx)
}

/** Numbers for new listings: those that were given back first. */
export async function takeOrdinals(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<{ ordinal: number }>`
    delete from free_ordinals where ordinal in (select ordinal from free_ordinals order by 1 limit ${count})
    returning ordinal`.execute(tx)
  const given = rows.map((row) => row.ordinal)
  if (given.length === count) return given
  const { rows: made } = await sql<{ ordinal: number }>`
    select nextval('listing_ordinals')::int as ordinal from generate_series(1, ${count - given.length}::int)`.execute(
    tx,
  )
  return [...given, ...made.map((row) => row.ordinal)]
}

/** Saves listings under their ordinals, new or known. */
export async function saveListings(tx: Tx, listings: readonly (ListingFacts & { ordinal: number })[]): Promise<void> {
  if (listings.length === 0) return
  await sql`
    insert into listings (ordinal, product_id, price_minor, featured_position, units_sold, rating_hundredths, rating_count,
      created_ms, shows_new, shows_bestseller)
    select * from unnest(
      ${listings.map((each) => each.ordinal)}::int[], ${listings.map((each) => each.productId)}::text[],
      ${listings.map((each) => each.priceMinor)}::bigint[], ${listings.map((each) => each.featuredPosition)}::bigint[],
      ${listings.map((each) => each.unitsSold)}::int[], ${listings.map((each) => each.ratingHundredths)}::int[],
      ${listings.map((each) => each.ratingCount)}::int[], ${listings.map((each) => each.createdMs)}::bigint[],
      ${listings.map((each) => each.showsNew)}::bool[], ${listings.map((each) => each.showsBestseller)}::bool[])
    on conflict (ordinal) do update set price_minor = excluded.price_minor,
      featured_position = excluded.featured_position, units_sold = excluded.units_sold,
      rating_hundredths = excluded.rating_hundredths, rating_count = excluded.rating_count,
      created_ms = excluded.created_ms, shows_new = excluded.shows_new,
      shows_bestseller = excluded.shows_bestseller`.execute(tx)
}

/** Takes listings off and gives their numbers back. Their bits must be cleared in the same transaction. */
export async function removeListings(tx: Tx, ordinals: readonly number[]): Promise<void> {
  if (ordinals.length === 0) return
  await sql`
    with gone as (delete from listings where ordinal = any(${ordinals}) returning ordinal)
    insert into free_ordinals select ordinal from gone`.execute(tx)
}

export interface ListingWords {
  ordinal: number
  terms: string[]
  wordsFingerprint: string
}

export async function saveTerms(tx: Tx, listings: readonly ListingWords[]): Promise<void> {
  if (listings.length === 0) return
  await sql`
    insert into listing_terms (ordinal, terms, words_fingerprint)
    select ordinal, array(select jsonb_array_elements_text(terms)), words_fingerprint
    from unnest(${listings.map((each) => each.ordinal)}::int[],
      ${listings.map((each) => JSON.stringify(each.terms))}::jsonb[],
      ${listings.map((each) => each.wordsFingerprint)}::text[]) as t (ordinal, terms, words_fingerprint)
    on conflict (ordinal) do update set terms = excluded.terms, words_fingerprint = excluded.words_fingerprint`.execute(
    tx,
  )
}

/** That a listing has a term, or has it no more. */
export interface TermChange {
  term: string
  ordinal: number
}

export async function clearBits(tx: Tx, changes: readonly TermChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    with cleared as (${bitsOf(changes)}), changed as (
      update listing_bits b set bits = b.bits & ~c.bits from cleared c where b.term = c.term and b.chunk = c.chunk
    )
    select 1`.execute(tx)
  // What no listing has any more must not be found among the facets' terms for ever.
  await sql`
    delete from listing_bits b using (${bitsOf(changes)}) c
    where b.term = c.term and b.chunk = c.chunk and bit_count(b.bits) = 0`.execute(tx)
}

export async function setBits(tx: Tx, changes: readonly TermChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into listing_bits (term, chunk, bits) ${bitsOf(changes)}
    on conflict (term, chunk) do update set bits = listing_bits.bits | excluded.bits`.execute(tx)
}

function bitsOf(changes: readonly TermChange[]) {
  return sql`
    select term, ordinal / ${sql.lit(CHUNK_SIZE)} as chunk,
      bit_or(set_bit(0::bit(${sql.lit(CHUNK_SIZE)}), ordinal % ${sql.lit(CHUNK_SIZE)}, 1)) as bits
    from unnest(${changes.map((each) => each.term)}::text[], ${changes.map((each) => each.ordinal)}::int[])
      as t (term, ordinal)
    group by 1, 2`
}

/** What a search finds a listing by, the strongest place first. */
export interface SearchTexts {
  ordinal: number
  title: string
  heading: string
  description: string
}

export async function saveSearchTexts(tx: Tx, texts: readonly SearchTexts[]): Promise<void> {
  if (texts.length === 0) return
  const columns = sql`unnest(${texts.map((each) => each.ordinal)}::int[], ${texts.map((each) => each.title)}::text[],
    ${texts.map((each) => each.heading)}::text[], ${texts.map((each) => each.description)}::text[])
    as t (ordinal, title, heading, description)`
  await sql`
    insert into listing_titles (ordinal, title, heading)
    select ordinal, searchable(title), searchable(title || ' ' || heading)
    from ${columns}
    on conflict (ordinal) do update set title = excluded.title, heading = excluded.heading`.execute(tx)
  await sql`
    insert into listing_texts (ordinal, words)
    select ordinal, searchable(title || ' ' || heading || ' ' || description) from ${columns}
    on conflict (ordinal) do update set words = excluded.words`.execute(tx)
}

/** Remembers words that typing errors are measured against. Words that no product has any more do no harm. */
export async function rememberWords(tx: Tx, words: readonly string[]): Promise<void> {
  if (words.length === 0) return
  await sql`
    insert into search_words (word)
    select distinct public.unaccent(word) as word from unnest(${words}::text[]) as word order by 1
    on conflict do nothing`.execute(tx)
}
