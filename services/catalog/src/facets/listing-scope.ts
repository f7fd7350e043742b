import { sql } from 'kysely'
import { transaction } from '@storefront/chassis'
import type { Facets } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { countMatches } from '../listings/bitmaps.queries.ts'
import { scopeGroups, type Scope, type TermFilter } from '../listings/filters.ts'
import { FEW, findPageRows } from '../listings/pages.queries.ts'
import { term } from '../listings/terms.ts'
import { facetsOf } from './facets.ts'
import { findFacetTerms } from './facets.queries.ts'

export const WHOLE_SHOP = 'all'

export function scopeKey({ category, collection }: Scope): string {
  if (category === undefined && collection === undefined) return WHOLE_SHOP
  return [
    ...(category === undefined ? [] : [term.category(category)]),
    ...(collection === undefined ? [] : [term.collection(collection)]),
  ].join(' ')
}

export interface ScopeFacts {
  total: number
  /** JSON, ready to send. */
  facets: string
}

const NOTHING: Facets = { sizes: [], colors: [], tags: [], priceRange: { min: 0, max: 0 } }

/** Whether what a scope holds is kept. A category within a collection is rare, and computed every time. */
export function isStored({ category, collection }: Scope): boolean {
  return category === undefined || collection === undefined
}

/** Computes what a write has made stale and keeps it; whoever asks for the same meanwhile waits for it. */
export async function storeScope(db: Database, scope: Scope): Promise<void> {
  const name = scopeKey(scope)
  // Nothing is kept for names that nobody has listed anything under: they may be made up.
  const { total } = await countMatches(db, filterOf(scope), 0)
  if (total === 0) return
  await transaction(db, async (tx) => {
    await sql`insert into listing_scopes (scope, stale) values (${name}, true) on conflict do nothing`.execute(tx)
    // A writer marks the row in its own transaction: behind this lock we see all that it wrote, or it waits for us.
    const row = await tx
      .selectFrom('listing_scopes')
      .select('stale')
      .where('scope', '=', name)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (!row.stale) return
    await tx
      .updateTable('listing_scopes')
      .set({ ...(await computeScope(tx, scope)), stale: false })
      .where('scope', '=', name)
      .execute()
  })
}

function filterOf(scope: Scope): TermFilter {
  const groups = scopeGroups(scope)
  return { groups: groups.length > 0 ? groups : [[term.everything]], minPrice: undefined, maxPrice: undefined }
}

/** Total and facets of a scope, from the bitmaps. */
export async function computeScope(db: Database | Tx, scope: Scope): Promise<ScopeFacts> {
  const filter = filterOf(scope)
  const { total, ordinals } = await countMatches(db, filter, FEW)
  if (total === 0) return { total, facets: JSON.stringify(NOTHING) }
  const whole = { filter, ordinals, after: undefined, offset: 0, limit: 1 }
  const [cheapest] = await findPageRows(db, { ...whole, sort: 'price-asc' })
  const [dearest] = await findPageRows(db, { ...whole, sort: 'price-desc' })
  const facets = facetsOf(await findFacetTerms(db, filter), {
    min: Number(cheapest?.key[0] ?? 0),
    max: -Number(dearest?.key[0] ?? 0),
  })
  return { total, facets: JSON.stringify(facets) }
}

/** Called by every write that changes what a scope holds. Locks in one order, so that two writers cannot deadlock. */
export async function markScopesStale(tx: Tx, scopes: readonly string[]): Promise<void> {
  if (scopes.length === 0) return
  await sql`
    with locked as (
      select scope from listing_scopes where scope = any(${scopes}) and not stale order by scope for update)
    update listing_scopes set stale = true where scope in (select scope from locked)`.execute(tx)
}
