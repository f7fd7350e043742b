import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import { matchingBits } from '../listings/bitmaps.queries.ts'
import type { TermFilter } from '../listings/filters.ts'

export interface FacetTerm {
  term: string
  /** Listings that have it. */
  count: number
}

/** Every size, swatch and tag that occurs among the listings that match. */
export async function findFacetTerms(db: Database | Tx, filter: TermFilter): Promise<FacetTerm[]> {
  const { rows } = await sql<FacetTerm>`
    with matching as materialized (${matchingBits(filter)}), kinds (prefix) as (values ('size:'), ('swatch:'), ('tag:'))
    select b.term, sum(bit_count(b.bits & m.bits))::int as count
    from kinds join listing_bits b on b.term >= kinds.prefix and b.term < kinds.prefix || chr(1114111)
      join matching m on m.chunk = b.chunk
    group by b.term having sum(bit_count(b.bits & m.bits)) > 0`.execute(db)
  return rows
}
