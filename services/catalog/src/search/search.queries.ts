import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { integersIn } from '../listings/index.queries.ts'
import type { Place, RewordedListing, TypedWord } from './word-sets.ts'

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

/**
 * Parts of a query in the syntax of to_tsquery. A word that may be unfinished is looked for by its stem, and as the
 * beginning of a plain word: `runn` begins `running`, and not its stem `run`.
 * @param typed a run of letters, digits and marks, as `queryWords` makes them: nothing in it is syntax
 */
function partsOf({ word, isBeginning }: TypedWord): { whole: string; beginning: string } {
  return { whole: `'${word}'`, beginning: isBeginning ? `'${word}':*` : '' }
}

export interface WordPlaces extends Record<Place, number[]> {
  isIgnored: boolean
}

/** The listings that have a word in each place, ascending. */
export async function findWordPlaces(db: Database, typed: TypedWord): Promise<WordPlaces> {
  const { whole, beginning } = partsOf(typed)
  const query = sql`(to_tsquery('shopping', ${whole}) || to_tsquery('shopping_plain', ${beginning}))`
  const { rows } = await sql<{ nodes: number; title: string; heading: string; words: string }>`
    select numnode(${query}) as nodes,
      array(select ordinal from listing_titles where title @@ ${query} order by 1)::text as title,
      array(select ordinal from listing_titles where heading @@ ${query} order by 1)::text as heading,
      array(select ordinal from listing_texts where words @@ ${query} order by 1)::text as words`.execute(db)
  const { nodes = 0, title = '', heading = '', words = '' } = rows[0] ?? {}
  return {
    isIgnored: nodes === 0,
    title: integersIn(title),
    heading: integersIn(heading),
    words: integersIn(words),
  }
}

/** Which of these listings have which of these words, and where. Listings that are gone have none. */
export async function findRewordedPlaces(
  db: Database,
  typed: readonly TypedWord[],
  ordinals: readonly number[],
): Promise<(RewordedListing & { typed: TypedWord })[]> {
  const parts = typed.map(partsOf)
  const { rows } = await sql<{ at: number; ordinal: number } & Record<Place, boolean>>`
    select q.at::int - 1 as at, o.ordinal, coalesce(t.title @@ q.query, false) as title,
      coalesce(t.heading @@ q.query, false) as heading, coalesce(w.words @@ q.query, false) as words
    from (
        select at, to_tsquery('shopping', whole) || to_tsquery('shopping_plain', beginning) as query
        from unnest(${parts.map((each) => each.whole)}::text[], ${parts.map((each) => each.beginning)}::text[])
          with ordinality as p (whole, beginning, at) offset 0
      ) q
      cross join unnest(${ordinals}::int[]) as o (ordinal)
      left join listing_titles t on t.ordinal = o.ordinal left join listing_texts w on w.ordinal = o.ordinal`.execute(
    db,
  )
  return rows.flatMap(({ at, ordinal, ...places }) => {
    const word = typed[at]
    return word ? [{ typed: word, ordinal, places }] : []
  })
}

/** Words that a mistyped word may have meant, of those that still occur: the nearest, at most three equally near ones. */
export async function findSimilarWords(db: Database, typed: string): Promise<string[]> {
  const { rows } = await sql<{ word: string; distance: number }>`
    select s.word, s.distance from similar_words(${typed}) s
    where exists (select 1 from listing_texts where words @@ plainto_tsquery('shopping', s.word)) limit 3`.execute(db)
  return rows.filter((row) => row.distance === rows[0]?.distance).map((row) => row.word)
}
