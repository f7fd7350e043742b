import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '../database.ts'
import type { TermFilter } from './filters.ts'
import { CHUNK_SIZE } from './terms.ts'

/**
 * SQL: rows (chunk, bits) of the listings that match. One text for every filter, so that it is prepared once. `offset 0`
 * because PostgreSQL would otherwise compare the prices once for every mention of the bits.
 */
export function matchingBits({ groups, minPrice, maxPrice }: TermFilter): RawBuilder<unknown> {
  const numbers = groups.flatMap((terms, number) => terms.map(() => number))
  const inRange = [
    ...(minPrice === undefined ? [] : [sql`& ~price_at_most(chunk, ${minPrice - 1}::bigint)`]),
    ...(maxPrice === undefined ? [] : [sql`& price_at_most(chunk, ${maxPrice}::bigint)`]),
  ]
  return sql`
    select chunk, bits ${inRange.length === 0 ? sql`` : sql.join(inRange, sql` `)} as bits from (
      select chunk, bit_and(bits) as bits from (
        select g.number, b.chunk, bit_or(b.bits) as bits
        from unnest(${numbers}::int[], ${groups.flat()}::text[]) as g (number, term) join listing_bits b on b.term = g.term
        group by 1, 2
      ) of_group group by chunk having count(*) = ${groups.length}
    ) of_all_groups offset 0`
}

/** SQL: the bitmaps of a filter as one array, the chunk's number plus one being the place. For `isMatching`. */
export function bitsByChunk(filter: TermFilter): RawBuilder<unknown> {
  return sql`
    select array_agg(m.bits order by place) as chunks
    from generate_series(0, (select max(chunk) from listing_bits where term = 'all')) as place
      left join (${matchingBits(filter)}) m on m.chunk = place`
}

/** SQL condition: a listing's bit is set. `chunks` is the array that `bitsByChunk` made. */
export function isMatching(chunks: RawBuilder<unknown>, ordinal: RawBuilder<unknown>): RawBuilder<unknown> {
  const size = sql.lit(CHUNK_SIZE)
  return sql`get_bit((${chunks})[${ordinal} / ${size} + 1], ${ordinal} % ${size}) = 1`
}

export interface Matches {
  total: number
  /** All of them, in no order, when they are few enough to be sorted; otherwise undefined. */
  ordinals: number[] | undefined
}

/** Counts what matches, and names it when there are at most `few`. */
export async function countMatches(db: Database | Tx, filter: TermFilter, few: number): Promise<Matches> {
  const { rows } = await sql<{ total: number; chunks: number[] | null; bits: string[] | null }>`
    select total, chunks, case when total <= ${few} then bits::text[] end as bits from (
      select coalesce(sum(bit_count(bits)), 0)::int as total, array_agg(chunk) as chunks, array_agg(bits) as bits
      from (${matchingBits(filter)}) m where bit_count(bits) > 0
    ) counted`.execute(db)
  const { total = 0, chunks, bits } = rows[0] ?? {}
  if (total === 0) return { total, ordinals: [] }
  return {
    total,
    ordinals: bits && chunks ? bits.flatMap((text, index) => ordinalsIn(text, chunks[index] ?? 0)) : undefined,
  }
}

function ordinalsIn(bits: string, chunk: number): number[] {
  const found: number[] = []
  for (let place = bits.indexOf('1'); place >= 0; place = bits.indexOf('1', place + 1)) {
    found.push(chunk * CHUNK_SIZE + place)
  }
  return found
}
