import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../database.ts'
import { bitsByChunk, isMatching } from '../listings/bitmaps.queries.ts'
import type { TermFilter } from '../listings/filters.ts'
import type { WordQuery } from './word-query.ts'

/**
 * Where the words were found, the best place first; each listing counts where it was found first. The heading is what
 * stands around a title: subtitle, tags, categories and SKUs. The words are all there are, the description's too.
 */
export const PLACES = ['title', 'heading', 'words'] as const
export type Place = (typeof PLACES)[number]

/** A text search query and the listings that are found by their SKU whatever the words say. */
export interface Search extends WordQuery {
  skuOrdinals: readonly number[]
}

/** SKUs beginning with what was typed; more than these are not told apart from each other. */
const MAX_BY_SKU = 1000
const MIN_SKU_LENGTH = 3

const HIGHEST = '\u{10FFFF}'

/** Listings with a variant whose SKU is, or begins with, what was typed. */
export async function findBySku(db: Database, typed: string): Promise<number[]> {
  if (typed.length < MIN_SKU_LENGTH || typed.length > 100) return []
  const { rows } = await sql<{ ordinal: number }>`
    select distinct l.ordinal from (
      select product_id from variants
      where lower(sku) ~>=~ lower(${typed}) and lower(sku) ~<~ (lower(${typed}) || ${HIGHEST}) limit ${MAX_BY_SKU * 10}
    ) v join listings l on l.product_id = v.product_id limit ${MAX_BY_SKU}`.execute(db)
  return rows.map((row) => row.ordinal)
}

/** SQL: the query. An empty part counts for nothing. */
const query = ({ before, last, beginning }: WordQuery) =>
  sql`(to_tsquery('shopping', ${before})
    && (to_tsquery('shopping', ${last}) || to_tsquery('shopping_plain', ${beginning})))`

const bySku = (search: Search, ordinal: RawBuilder<unknown>) =>
  search.skuOrdinals.length === 0 ? sql`false` : sql`${ordinal} = any(${search.skuOrdinals}::int[])`

/** SQL condition on listing `l`: it is found in this place, and in none before it. Reads one row of each table. */
export function isFoundIn(place: Place, search: Search): RawBuilder<unknown> {
  const title = sql`(select title @@ ${query(search)} from listing_titles t where t.ordinal = l.ordinal)`
  const heading = sql`((select heading @@ ${query(search)} from listing_titles t where t.ordinal = l.ordinal)
    or ${bySku(search, sql`l.ordinal`)})`
  const words = sql`(select words @@ ${query(search)} from listing_texts t where t.ordinal = l.ordinal)`
  if (place === 'title') return title
  if (place === 'heading') return sql`${heading} and not ${title}`
  return sql`${words} and not ${heading}`
}

/** SQL condition on listing `l`: it is found at all. */
export function isFound(search: Search): RawBuilder<unknown> {
  return sql`((select words @@ ${query(search)} from listing_texts t where t.ordinal = l.ordinal)
    or ${bySku(search, sql`l.ordinal`)})`
}

/** How many listings each place holds that no place before it held. */
export async function countPlaces(
  db: Database,
  search: Search,
  filter: TermFilter | undefined,
): Promise<Record<Place, number>> {
  const { matching, matches } = narrowed(filter)
  const elsewhere = sql`not ${bySku(search, sql`t.ordinal`)}`
  const { rows } = await sql<{ sku: number; title: number; heading: number; words: number }>`
    /* plan anew */ ${matching} select
      (select count(*)::int from unnest(${search.skuOrdinals}::int[]) as t (ordinal) where ${matches}) as sku,
      (select count(*)::int from listing_titles t where t.title @@ ${query(search)} and ${matches}) as title,
      (select count(*)::int from listing_titles t
        where t.heading @@ ${query(search)} and ${elsewhere} and ${matches}) as heading,
      (select count(*)::int from listing_texts t
        where t.words @@ ${query(search)} and ${elsewhere} and ${matches}) as words`.execute(db)
  const { sku = 0, title = 0, heading = 0, words = 0 } = rows[0] ?? {}
  // The title is part of the heading, and the heading of the words; SKUs were counted apart.
  return { title, heading: heading + sku - title, words: words - heading }
}

export interface Found {
  ordinal: number
  place: Place
}

/** All that is found, with the place it is found in; undefined when that is more than `few`. */
export async function findFew(
  db: Database,
  search: Search,
  filter: TermFilter | undefined,
  few: number,
): Promise<Found[] | undefined> {
  const { matching, matches } = narrowed(filter)
  const { rows } = await sql<Found>`
    /* plan anew */ ${matching}
    select t.ordinal, case when h.title @@ ${query(search)} then 'title'
      when h.heading @@ ${query(search)} or ${bySku(search, sql`t.ordinal`)} then 'heading' else 'words' end as place
    from (
      select t.ordinal from (${found('anywhere', search)}) t where ${matches} limit ${few + 1} offset 0
    ) t cross join lateral (select title, heading from listing_titles h where h.ordinal = t.ordinal offset 0) h`.execute(
    db,
  )
  return rows.length > few ? undefined : rows
}

/** The listings of one place, when they are few enough to be sorted. */
export async function findInPlace(
  db: Database,
  place: Place | 'anywhere',
  search: Search,
  filter: TermFilter | undefined,
): Promise<number[]> {
  const { matching, matches } = narrowed(filter)
  const { rows } = await sql<{ ordinals: number[] | null }>`
    /* plan anew */ ${matching}
    select array_agg(t.ordinal) as ordinals from (${found(place, search)}) t where ${matches}`.execute(db)
  return rows[0]?.ordinals ?? []
}

function narrowed(filter: TermFilter | undefined): { matching: RawBuilder<unknown>; matches: RawBuilder<unknown> } {
  if (!filter) return { matching: sql``, matches: sql`true` }
  return {
    matching: sql`with matching as materialized (${bitsByChunk(filter)})`,
    matches: isMatching(sql`select chunks from matching`, sql`t.ordinal`),
  }
}

/** SQL: the ordinals that a place holds, found by its index. */
function found(place: Place | 'anywhere', search: Search): RawBuilder<unknown> {
  const skus = sql`select ordinal from unnest(${search.skuOrdinals}::int[]) as by_sku (ordinal)`
  const titles = sql`select ordinal from listing_titles where title @@ ${query(search)}`
  const headings = sql`select ordinal from listing_titles where heading @@ ${query(search)}`
  const words = sql`select ordinal from listing_texts where words @@ ${query(search)}`
  if (place === 'title') return titles
  // A union is whole before its first row can be given, and most searches find nothing by SKU.
  if (search.skuOrdinals.length === 0) {
    if (place === 'heading') return sql`${headings} except ${titles}`
    return place === 'words' ? sql`${words} except ${headings}` : words
  }
  if (place === 'heading') return sql`(${headings} union ${skus}) except ${titles}`
  return place === 'words' ? sql`${words} except (${headings} union ${skus})` : sql`${words} union ${skus}`
}

/** Which of these one-word queries find nothing, whatever else is asked for. @returns their places in the list */
export async function findUnknownWords(db: Database, queries: readonly WordQuery[]): Promise<number[]> {
  const { rows } = await sql<{ place: number }>`
    select place::int - 1 as place
    from unnest(${queries.map((each) => each.last)}::text[], ${queries.map((each) => each.beginning)}::text[])
      with ordinality as w (whole, beginning, place)
    where not exists (
      select 1 from listing_texts
      where words @@ (to_tsquery('shopping', w.whole) || to_tsquery('shopping_plain', w.beginning)))
    order by place`.execute(db)
  return rows.map((row) => row.place)
}

/** Words that a mistyped word may have meant, of those that still occur: the nearest, at most three equally near ones. */
export async function findSimilarWords(db: Database, typed: string): Promise<string[]> {
  const { rows } = await sql<{ word: string; distance: number }>`
    select s.word, s.distance from similar_words(${typed}) s
    where exists (select 1 from listing_texts where words @@ plainto_tsquery('shopping', s.word)) limit 3`.execute(db)
  return rows.filter((row) => row.distance === rows[0]?.distance).map((row) => row.word)
}
