import { plannedOnce } from '@storefront/postgres'
import { sql, type RawBuilder } from 'kysely'
import type { LowStockVariant, ProductOption } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'

/** The highest threshold of a list. */
export const MAX_THRESHOLD = 1000

/** The position of a variant in the list. */
export interface LowStockPosition {
  /** The available units at the last refresh of the product; out of date above the highest threshold. */
  listed: number
  sku: string
}

export interface LowStockRow extends LowStockPosition, LowStockVariant {
  optionList: ProductOption[]
}

interface LowStockFilter {
  /** The maximum number of available units of a listed variant. */
  threshold: number
  published: boolean | undefined
}

/** The variants of the list: if requested, only those of published products or of drafts. */
const low = ({ threshold, published }: LowStockFilter): RawBuilder<unknown> => sql`
  variants v ${published === undefined ? sql`` : sql`join merchant_listings m on m.product_id = v.product_id and m.published = ${published}`}
  where v.listed_inventory <= ${threshold}`

/**
 * A page of the variants with few available units, fewest first. The stock table has no index for this, because an
 * index on columns that every sale changes would prevent updates in place.
 */
export async function findLowStock(
  db: Database,
  filter: LowStockFilter,
  { limit, offset, after }: { limit: number; offset: number; after: LowStockPosition | undefined },
): Promise<LowStockRow[]> {
  const isAfter = after ? sql`and (v.listed_inventory, v.sku) > (${after.listed}::int, ${after.sku})` : sql``
  const { rows } = await sql<LowStockRow>`
    select v.id, v.sku, v.options, p.document->'options' as "optionList",
      jsonb_build_object('id', p.id, 'slug', p.slug, 'title', p.title, 'published', p.published) as product,
      s.on_hand as "onHand", s.reserved, s.on_hand - s.reserved as inventory,
      page.listed_inventory as listed
    from (
      select v.id, v.listed_inventory from ${low(filter)} ${isAfter}
      order by v.listed_inventory, v.sku limit ${limit} offset ${offset}
    ) page join variants v on v.id = page.id join products p on p.id = v.product_id join stock s on s.variant_id = v.id
    where page.listed_inventory is not null
    order by page.listed_inventory, v.sku /* replan */`.execute(db)
  return rows
}

/** The number of variants in the list, up to `atMost`. */
export async function countLowStock(db: Database, filter: LowStockFilter, atMost: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (select 1 from ${low(filter)} limit ${atMost}) counted /* replan */`.execute(db)
  return rows[0]?.total ?? 0
}

/**
 * Whether the quantity of a variant must be recorded for the list. Above its highest threshold no list shows a variant, and each
 * recorded quantity writes new entries into all indexes of the variants.
 */
export function mustBeListed({ inventory, listed }: { inventory: number; listed: number | null }): boolean {
  return inventory !== listed && Math.min(inventory, listed ?? 0) <= MAX_THRESHOLD
}

/** Records the listed quantities of variants. Their products are locked, so there are no concurrent writers. */
export async function listInventory(tx: Tx, variants: readonly { id: string; inventory: number }[]): Promise<void> {
  if (variants.length === 0) return
  await sql`
    update variants v set listed_inventory = t.inventory
    from unnest(${plannedOnce(variants.map(({ id }) => id))}, ${variants.map(({ inventory }) => inventory)}::int[])
      as t (id, inventory)
    where v.id = t.id /* sent with the next */`.execute(tx)
}
