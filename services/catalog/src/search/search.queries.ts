import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { integersIn } from '../listings/index.queries.ts'
import type { SearchField } from './search-fields.ts'

/** The maximum number of listings that are found by the beginning of a SKU. */
const MAX_BY_SKU = 1000
/** The variants that are read to find them: more, because the SKUs of one product often have the same beginning. */
const MAX_VARIANTS_BY_SKU = 10 * MAX_BY_SKU
/** Of a shorter text only a whole SKU is found, because the SKUs of many products may begin with it. */
const MIN_SKU_BEGINNING = 3
const MAX_SKU_LENGTH = 100

/** More than are used as corrections, because some may no longer occur on any product. */
const MAX_SIMILAR = 20

const HIGHEST = '\u{10FFFF}'

/**
 * A letter with this suffix stands for all lexemes that begin with it, because looking up each of thousands takes
 * seconds. No lexeme is a letter and a star.
 */
const ANY_END = '*'

/** A typed word. The last one may still be unfinished. */
export interface TypedWord {
  /** A run of letters, digits and marks, from `queryWords`. */
  word: string
  isBeginning: boolean
}

/** The lexemes of a typed word: a text contains the word if it has all lexemes of the stem or one of the beginnings. */
export interface MeantLexemes {
  /** Empty for stop words like `the`, which every text has. */
  stem: string[]
  /** Whether each lexeme of the stem has ever occurred in a text. If not, nothing needs to be looked up. */
  isKnown: boolean
  /** Lexemes that begin with the unfinished word: `runn` is a beginning of `running`, but not of its stem `run`. */
  beginnings: string[]
}

/** The data that a search reads from the database before it uses the index. */
export interface Meant {
  /** The meanings of each typed word, in their order. */
  lexemes: MeantLexemes[]
  /** Listings with a variant whose SKU is the whole typed text, or begins with it if it is long enough. */
  skuOrdinals: number[]
}

/**
 * Each value is in a separate `select`, because otherwise PostgreSQL plans the statement again for each search, which
 * took three times as long as running it.
 */
export async function findMeant(db: Database, typed: string, words: readonly TypedWord[]): Promise<Meant> {
  const mayBeSku = typed !== '' && typed.length <= MAX_SKU_LENGTH
  const anyEnd = typed.length < MIN_SKU_BEGINNING ? '' : HIGHEST
  const { rows } = await sql<Meant>`
    select (
      select coalesce(jsonb_agg(jsonb_build_object(
        'stem', stem,
        'isKnown', not exists (
          select from unnest(stem) as part where not exists (select from search_lexemes where lexeme = part)),
        'beginnings', case when is_beginning and char_length(plain) = 1 then array[plain || ${ANY_END}] else array(
          select lexeme from search_lexemes where is_beginning and char_length(plain) > 1 and lexeme >= plain
            and lexeme < (plain || ${HIGHEST}) collate "C") end
      ) order by place), '[]')
      from unnest((select ${words.map((each) => each.word)}::text[]), (select ${words.map((each) => each.isBeginning)}::bool[]))
        with ordinality as t (word, is_beginning, place), public.unaccent(word) as plain,
        tsvector_to_array(to_tsvector('shopping', word)) as stem
    ) as lexemes, array(
      select distinct l.ordinal from (
        select product_id from variants
        where (select ${mayBeSku}::bool) and lower(sku) ~>=~ (select lower(${typed})) and lower(sku) ~<=~ (select lower(${typed}) || ${anyEnd})
        limit ${MAX_VARIANTS_BY_SKU}
      ) v cross join lateral (select ordinal from listings where product_id = v.product_id offset 0) l limit ${MAX_BY_SKU}
    ) as "skuOrdinals"`.execute(db)
  return rows[0] ?? { lexemes: [], skuOrdinals: [] }
}

interface LexemeFields extends Record<SearchField, number[]> {
  lexeme: string
}

/**
 * The listings that have each of these lexemes in each field, in ascending order, and the version of the listings.
 */
export async function findLexemeFields(
  db: Database,
  lexemes: readonly string[],
): Promise<{ version: number; fields: LexemeFields[] }> {
  const { rows } = await sql<{ version: number; lexeme: string } & Record<SearchField, string>>`
    select (select version from listing_version) as version, lexeme,
      array(select ordinal from listing_titles where title @@ query order by 1)::text as title,
      array(select ordinal from listing_titles where heading @@ query order by 1)::text as heading,
      array(select ordinal from listing_texts where words @@ query order by 1)::text as words
    from (
      select lexeme, tsquery(quoted) as query
      from unnest(${lexemes}::text[], ${lexemes.map(quoted)}::text[]) as t (lexeme, quoted) offset 0
    ) t`.execute(db)
  const fields = rows.map(({ lexeme, title, heading, words }) => ({
    lexeme,
    title: integersIn(title),
    heading: integersIn(heading),
    words: integersIn(words),
  }))
  return { version: rows[0]?.version ?? 0, fields }
}

/** Converts a lexeme, or a letter with `ANY_END`, into a query. */
function quoted(lexeme: string): string {
  const letter = /^(.)\*$/u.exec(lexeme)?.[1]
  const text = (letter ?? lexeme).replaceAll('\\', '\\\\').replaceAll("'", "''")
  return letter === undefined ? `'${text}'` : `'${text}':*`
}

export interface LexemesOfListing {
  ordinal: number
  /** The lexemes by field, and the letters that they begin with. */
  lexemes: Record<SearchField, ReadonlySet<string>>
}

/** All lexemes of these listings. A deleted one has none. */
export async function findLexemesOf(db: Database, ordinals: readonly number[]): Promise<LexemesOfListing[]> {
  if (ordinals.length === 0) return []
  const { rows } = await sql<{ ordinal: number } & Record<SearchField, string[]>>`
    select o.ordinal, coalesce(tsvector_to_array(t.title), '{}') as title,
      coalesce(tsvector_to_array(t.heading), '{}') as heading, coalesce(tsvector_to_array(w.words), '{}') as words
    from unnest(${ordinals}::int[]) as o (ordinal)
      left join listing_titles t on t.ordinal = o.ordinal left join listing_texts w on w.ordinal = o.ordinal`.execute(
    db,
  )
  return rows.map(({ ordinal, title, heading, words }) => ({
    ordinal,
    lexemes: { title: withLetters(title), heading: withLetters(heading), words: withLetters(words) },
  }))
}

function withLetters(lexemes: readonly string[]): Set<string> {
  return new Set([
    ...lexemes,
    ...lexemes.map((lexeme) => `${String.fromCodePoint(lexeme.codePointAt(0) ?? 0)}${ANY_END}`),
  ])
}

export interface SimilarWord {
  word: string
  /** The number of letters to add, remove or change. */
  distance: number
}

/** Other words that products have or had, as corrections of a typed word, the nearest first. */
export async function findSimilarWords(db: Database, typed: string): Promise<SimilarWord[]> {
  const { rows } = await sql<SimilarWord>`
    select word, distance from similar_words(${typed}) where distance > 0 limit ${MAX_SIMILAR}`.execute(db)
  return rows
}
