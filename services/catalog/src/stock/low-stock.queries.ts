import { sql, type RawBuilder } from 'kysely'
import type { LowStockVariant, ProductOption } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'

/** Where a variant stands in the list. */
export interface LowStockPlace {
  /** The units that could be bought when the product was last refreshed. */
  listed: number
  sku: string
}

export interface LowStockRow extends LowStockPlace, LowStockVariant {
  optionList: ProductOption[]
}

export interface LowStockFilter {
  /** The most units that can be bought of a listed variant. */
  threshold: number
  published: boolean | undefined
}

/** The variants of the list; with a status, those of its products, by their narrow rows. */
const low = ({ threshold, published }: LowStockFilter): RawBuilder<unknown> => sql`
  variants v ${published === undefined ? sql`` : sql`join merchant_listings m on m.product_id = v.product_id and m.published = ${published}`}
  where v.listed_inventory <= ${threshold}`

/**
 * A part of the variants of which few units can be bought, fewest first. The stock itself has no index for it: that
 * would contain the columns that every sale changes, and then no update of stock would be done in place any more.
 */
export async function findLowStock(
  db: Database,
  filter: LowStockFilter,
  { limit, offset, after }: { limit: number; offset: number; after: LowStockPlace | undefined },
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

/** How many variants there are in the list, up to `atMost`. */
export async function countLowStock(db: Database, filter: LowStockFilter, atMost: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (select 1 from ${low(filter)} limit ${atMost}) counted /* replan */`.execute(db)
  return rows[0]?.total ?? 0
}

/** Records by which quantities variants are listed. There are no concurrent writers: their products are locked. */
export async function listInventory(tx: Tx, variants: readonly { id: string; inventory: number }[]): Promise<void> {
  if (variants.length === 0) return
  await sql`
    update variants v set listed_inventory = t.inventory
    from unnest(${variants.map(({ id }) => id)}::text[], ${variants.map(({ inventory }) => inventory)}::int[])
      as t (id, inventory)
    where v.id = t.id /* sent with the next */`.execute(tx)
}
