import { PINNABLE_BADGES, type AdminProduct } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { Database, Tx } from '../database.ts'
import type { RefreshRow } from './responses.queries.ts'
import { merchantRepliesOf } from './product-response.ts'
import { readProducts } from './refresh-products.ts'
import { sourceOf } from './refreshed-product.ts'

/** Products for merchants, including drafts, made from the current data and in the requested order. */
export async function findAdminProducts(
  db: Database | Tx,
  ids: readonly string[],
  { clock, publicUrl }: CatalogContext,
): Promise<AdminProduct[]> {
  if (ids.length === 0) return []
  const now = clock.now()
  const rows = await readProducts(db, ids, now)
  const byId = new Map(rows.map((row) => [row.id, adminProductOf(row, { now, publicUrl })]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export function adminProductOf(row: RefreshRow, context: Parameters<typeof sourceOf>[1]): AdminProduct {
  const { sizeChart: _resolved, ...page } = merchantRepliesOf(sourceOf(row, context)).page
  const { document } = row
  return {
    ...page,
    variants: page.variants.map((variant, index) => ({
      ...variant,
      priceOverride: typeof row.variants[index]?.priceMinor === 'number',
    })),
    pinnedBadges: PINNABLE_BADGES.filter((badge) => document.badges.includes(badge)),
    position: row.position,
    relatedSlugs: document.relatedSlugs ?? [],
    publishAt: row.publishAt?.toISOString() ?? null,
    unpublishAt: row.unpublishAt?.toISOString() ?? null,
    version: row.version,
  }
}
