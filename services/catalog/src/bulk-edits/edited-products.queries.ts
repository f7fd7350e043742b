import { jsonTexts } from '@storefront/postgres'
import { sql } from 'kysely'
import type { BulkEditFields, Money } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import type { Edit, EditableProduct } from './edited-fields.ts'

/** The next products of a bulk edit, in the order of their ids. */
export async function findNextProducts(
  tx: Tx,
  { id, lastProduct }: { id: string; lastProduct: string },
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ productId: string }>`
    select product_id as "productId" from bulk_edit_products
    where edit_id = ${id} and product_id > ${lastProduct} order by product_id limit ${limit}`.execute(tx)
  return rows.map((row) => row.productId)
}

interface ProductEdit extends Edit {
  productId: string
}

/** Stores what a bulk edit has changed about these products. */
export async function saveEdits(tx: Tx, id: string, edits: readonly ProductEdit[]): Promise<void> {
  if (edits.length === 0) return
  await sql`
    update bulk_edit_products p set before = t.before, after = t.after
    from unnest(${edits.map((each) => each.productId)}::text[],
      ${jsonTexts(edits.map((each) => JSON.stringify(each.before)))}::jsonb[],
      ${jsonTexts(edits.map((each) => JSON.stringify(each.after)))}::jsonb[]) as t (product_id, before, after)
    where p.edit_id = ${id} and p.product_id = t.product_id`.execute(tx)
}

/** What a bulk edit has changed about these products, by their ids. */
export async function findEdits(tx: Tx, id: string, productIds: readonly string[]): Promise<Map<string, Edit>> {
  const { rows } = await sql<{ productId: string; before: BulkEditFields; after: BulkEditFields }>`
    select product_id as "productId", before, after from bulk_edit_products
    where edit_id = ${id} and product_id = any(${productIds}) and before is not null and after is not null`.execute(tx)
  return new Map(rows.map(({ productId, before, after }) => [productId, { before, after }]))
}

/** Deletes what was stored for the undo of edits that ended long ago. @returns how many rows, at most `limit` */
export async function deleteEdits(db: Database, endedBefore: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from bulk_edit_products where ctid = any(array(
      select p.ctid from bulk_edits e join bulk_edit_products p on p.edit_id = e.id
      where e.finished_at < ${endedBefore} limit ${limit}))`.execute(db)
  return Number(numAffectedRows)
}

interface EditableRow {
  id: string
  title: string
  priceMinor: number
  compareAtMinor: number | null
  currency: string
  published: boolean
  tags: string[]
  categories: string[]
  variants: { id: string; sku: string; priceMinor: number | null; compareAtMinor: number | null }[]
}

/** Products for the preview of a bulk edit, with only the few variants that have their own prices. */
export async function findEditable(db: Database, ids: readonly string[]): Promise<EditableProduct[]> {
  const { rows } = await sql<EditableRow>`
    select p.id, p.title, p.price_minor as "priceMinor", p.compare_at_minor as "compareAtMinor", p.currency,
      p.published, p.tags,
      array(select category_slug from product_categories c where c.product_id = p.id order by 1) as categories,
      (select coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'sku', v.sku, 'priceMinor', v.price_minor,
          'compareAtMinor', v.compare_at_minor) order by v.position), '[]')
        from variants v
        where v.product_id = p.id and (v.price_minor is not null or v.compare_at_minor is not null)) as variants
    from products p where p.id = any(${ids}) order by p.id`.execute(db)
  return rows.map(editableOf)
}

function editableOf({ priceMinor, compareAtMinor, currency, variants, ...product }: EditableRow): EditableProduct {
  const money = (amount: number | null): Money | null => (amount === null ? null : { amount, currency })
  return {
    ...product,
    price: { amount: priceMinor, currency },
    compareAtPrice: money(compareAtMinor),
    variants: variants.map((variant) => ({
      id: variant.id,
      sku: variant.sku,
      price: money(variant.priceMinor),
      compareAtPrice: money(variant.compareAtMinor),
    })),
  }
}
