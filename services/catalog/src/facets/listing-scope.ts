import { sql, type RawBuilder } from 'kysely'
import { transaction } from '@storefront/chassis'
import type { Facets } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { byGarmentSize } from './garment-size.ts'

/** What facets and totals are computed over: a category with its descendants, a collection, or the whole shop. */
export interface Scope {
  category?: string | undefined
  collection?: string | undefined
}

export function scopeKey({ category, collection }: Scope): string {
  if (category === undefined && collection === undefined) return 'all'
  return [
    ...(category === undefined ? [] : [`category:${category}`]),
    ...(collection === undefined ? [] : [`collection:${collection}`]),
  ].join(' ')
}

/** SQL condition: product `p` belongs to the scope. */
export function inScope({ category, collection }: Scope): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = []
  if (category !== undefined) {
    conditions.push(sql`exists (
      with recursive branch as (
        select slug from categories where slug = ${category}
        union select c.slug from categories c join branch on c.parent = branch.slug
      )
      select 1 from product_categories pc join branch on branch.slug = pc.category_slug where pc.product_id = p.id)`)
  }
  if (collection !== undefined) {
    conditions.push(
      sql`exists (select 1 from collection_products cp where cp.collection_slug = ${collection} and cp.product_id = p.id)`,
    )
  }
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

export interface ScopeFacts {
  total: number
  /** JSON, ready to send. */
  facets: string
}

const NOTHING: ScopeFacts = { total: 0, facets: '{"sizes":[],"colors":[],"tags":[],"priceRange":{"min":0,"max":0}}' }

/** Total and facets of a scope: stored, or computed now and stored when a write has made them stale. */
export async function facetsOfScope(db: Database, scope: Scope): Promise<ScopeFacts> {
  const key = scopeKey(scope)
  const stored = await db
    .selectFrom('listing_scopes')
    .select(['total', 'facets'])
    .where('scope', '=', key)
    .where('stale', '=', false)
    .executeTakeFirst()
  if (stored) return stored
  if (!(await scopeExists(db, scope))) return NOTHING
  return transaction(db, async (tx) => {
    await sql`insert into listing_scopes (scope, stale) values (${key}, true) on conflict do nothing`.execute(tx)
    // A writer marks the row in its own transaction: behind this lock we see all that it wrote, or it waits for us.
    const row = await tx
      .selectFrom('listing_scopes')
      .select(['stale', 'total', 'facets'])
      .where('scope', '=', key)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (!row.stale) return row
    const facts = await computeScope(tx, scope)
    await tx
      .updateTable('listing_scopes')
      .set({ ...facts, stale: false })
      .where('scope', '=', key)
      .execute()
    return facts
  })
}

/** Only scopes that exist are stored, so that made-up names cannot fill the table. */
async function scopeExists(db: Database, { category, collection }: Scope): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`select
    (${category ?? null}::text is null or exists (select 1 from categories where slug = ${category ?? null})) and
    (${collection ?? null}::text is null or exists (select 1 from collections where slug = ${collection ?? null})) as known`.execute(
    db,
  )
  return rows[0]?.known ?? false
}

/** Called by every write that can change what a scope holds. Locks in one order, so that two writers cannot deadlock. */
export async function markScopesStale(tx: Tx): Promise<void> {
  await sql`
    with locked as (select scope from listing_scopes where not stale order by scope for update)
    update listing_scopes set stale = true where scope in (select scope from locked)`.execute(tx)
}

async function computeScope(tx: Tx, scope: Scope): Promise<ScopeFacts> {
  const where = sql`p.published and ${inScope(scope)}`
  const { rows } = await sql<{
    total: number
    min: number | null
    max: number | null
    tags: string[]
    sizes: string[]
    colors: { name: string; hex: string | null }[]
  }>`
    with members as materialized (select p.id, p.price_minor, p.tags, p.document from products p where ${where})
    select (select count(*)::int from members) as total, (select min(price_minor) from members) as min,
      (select max(price_minor) from members) as max,
      array(select distinct unnest(tags) from members order by 1) as tags,
      array(select distinct v.size from variants v join members m on m.id = v.product_id where v.size is not null) as sizes,
      (select coalesce(jsonb_agg(jsonb_build_object('name', name, 'hex', hex) order by name), '[]') from (
        select v.color as name, min(m.document->'swatches'->>v.color) as hex
        from variants v join members m on m.id = v.product_id where v.color is not null group by v.color) c) as colors`.execute(
    tx,
  )
  const row = rows[0]
  if (!row) return NOTHING
  const facets: Facets = {
    sizes: row.sizes.toSorted(byGarmentSize),
    colors: row.colors.map(({ name, hex }) => ({ name, hex: hex ?? '#cccccc' })),
    tags: row.tags,
    priceRange: { min: row.min ?? 0, max: row.max ?? 0 },
  }
  return { total: row.total, facets: JSON.stringify(facets) }
}
