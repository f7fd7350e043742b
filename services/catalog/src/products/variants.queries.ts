import { sql } from 'kysely'
import type { Tx } from '../database.ts'

export interface VariantRow {
  id: string
  productId: string
  position: number
  sku: string
  options: Record<string, string>
  priceMinor: number | null
  compareAtMinor: number | null
  imageId: string | null
  /** The option whose role is colour: the picture a cart shows follows it. */
  color: string | null
}

export async function findVariantsOf(tx: Tx, productIds: readonly string[]): Promise<VariantRow[]> {
  const { rows } = await sql<VariantRow>`
    select id, product_id as "productId", position, sku, options, color, price_minor as "priceMinor",
      compare_at_minor as "compareAtMinor", image_id as "imageId"
    from variants where product_id = any(${productIds}) order by product_id, position`.execute(tx)
  return rows
}

/** The ids of variants, with the products they belong to. */
export async function findVariantIdsOf(
  tx: Tx,
  productIds: readonly string[],
): Promise<{ id: string; productId: string }[]> {
  const { rows } = await sql<{ id: string; productId: string }>`
    select id, product_id as "productId" from variants where product_id = any(${productIds})`.execute(tx)
  return rows
}

/** Makes the variants of these products exactly these. The stock rows of those that go stay. */
export async function replaceVariants(
  tx: Tx,
  productIds: readonly string[],
  variants: readonly VariantRow[],
): Promise<void> {
  const ids = variants.map((variant) => variant.id)
  await sql`delete from variants where product_id = any(${productIds}) and id <> all(${ids})`.execute(tx)
  await sql`
    insert into variants (id, product_id, position, sku, options, color, price_minor, compare_at_minor, image_id)
    select * from unnest(
      ${ids}::text[], ${variants.map((each) => each.productId)}::text[], ${variants.map((each) => each.position)}::int[],
      ${variants.map((each) => each.sku)}::text[], ${variants.map((each) => JSON.stringify(each.options))}::jsonb[],
      ${variants.map((each) => each.color)}::text[], ${variants.map((each) => each.priceMinor)}::bigint[],
      ${variants.map((each) => each.compareAtMinor)}::bigint[], ${variants.map((each) => each.imageId)}::text[])
    on conflict (id) do update set product_id = excluded.product_id, position = excluded.position, sku = excluded.sku,
      options = excluded.options, color = excluded.color, price_minor = excluded.price_minor,
      compare_at_minor = excluded.compare_at_minor, image_id = excluded.image_id`.execute(tx)
}

/** SKUs among these that belong to another product. */
export async function findForeignSkus(tx: Tx, skus: readonly { sku: string; productId: string }[]): Promise<string[]> {
  const { rows } = await sql<{ sku: string }>`
    select v.sku from variants v join unnest(
      ${skus.map((each) => each.sku)}::text[], ${skus.map((each) => each.productId)}::text[]) as t (sku, product_id)
      on t.sku = v.sku where v.product_id <> t.product_id`.execute(tx)
  return rows.map((row) => row.sku)
}

/** Variant ids among these that belong to another product. */
export async function findForeignVariantIds(
  tx: Tx,
  variants: readonly { id: string; productId: string }[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select v.id from variants v join unnest(
      ${variants.map((each) => each.id)}::text[], ${variants.map((each) => each.productId)}::text[]) as t (id, product_id)
      on t.id = v.id where v.product_id <> t.product_id`.execute(tx)
  return rows.map((row) => row.id)
}
