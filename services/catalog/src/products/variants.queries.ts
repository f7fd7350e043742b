import { sql } from 'kysely'
import type { Tx } from '../database.ts'
import type { MissingVariant } from '../errors.ts'
import type { VariantFields } from './product-fields.ts'

export interface VariantRow extends VariantFields {
  productId: string
  position: number
  /** The value of the color option, which determines the picture that a cart shows. */
  color: string | null
}

export async function findVariantsOf(tx: Tx, productIds: readonly string[]): Promise<VariantRow[]> {
  if (productIds.length === 0) return []
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

/** Limited so that a program that constantly creates variants cannot fill the table. */
const FORMER_VARIANTS_KEPT = 1000

export interface SkuOfProduct {
  sku: string
  productId: string
}

/** A variant that was deleted before. Older records have no options. */
export interface FormerVariant extends SkuOfProduct {
  id: string
  options: Record<string, string> | null
}

/** @returns the deleted variants of products with these SKUs, the last first */
export async function findFormerVariants(tx: Tx, skus: readonly SkuOfProduct[]): Promise<FormerVariant[]> {
  if (skus.length === 0) return []
  const { rows } = await sql<FormerVariant>`
    select f.variant_id as id, f.product_id as "productId", f.sku, f.options
    from former_variants f join unnest(
      ${skus.map((each) => each.sku)}::text[], ${skus.map((each) => each.productId)}::text[]) as t (sku, product_id)
      on t.sku = f.sku and t.product_id = f.product_id
    order by f.place desc`.execute(tx)
  return rows
}

type GoneVariant = Pick<VariantRow, 'id' | 'productId' | 'sku' | 'options'>

/** Records variants that were just deleted, and removes the records of those that were added. */
async function keepFormerVariants(tx: Tx, gone: readonly GoneVariant[], added: readonly string[]): Promise<void> {
  if (added.length > 0) {
    await sql`delete from former_variants where variant_id = any(${added}) /* sent with the next */`.execute(tx)
  }
  if (gone.length === 0) return
  await sql`
    insert into former_variants (variant_id, product_id, sku, options)
    select * from unnest(${gone.map((each) => each.id)}::text[], ${gone.map((each) => each.productId)}::text[],
      ${gone.map((each) => each.sku)}::text[],
      ${gone.map((each) => JSON.stringify(each.options))}::jsonb[])`.execute(tx)
  await sql`
    delete from former_variants where variant_id in (
      select variant_id from (
        select variant_id, row_number() over (partition by product_id order by place desc) as nth
        from former_variants where product_id = any(${[...new Set(gone.map((each) => each.productId))]})) as ranked
      where nth > ${FORMER_VARIANTS_KEPT})`.execute(tx)
}

export interface VariantWithStock extends MissingVariant {
  productId: string
}

/** The variants of products with their stock, which is not locked and may change at any moment. */
export async function findVariantsWithStock(tx: Tx, productIds: readonly string[]): Promise<VariantWithStock[]> {
  const { rows } = await sql<VariantWithStock>`
    select v.product_id as "productId", v.id, v.sku, v.options, s.on_hand as "onHand", s.reserved
    from (select * from variants where product_id = any(${productIds}) offset 0) v
      cross join lateral (select on_hand, reserved from stock where variant_id = v.id offset 0) s
    order by v.product_id, v.position`.execute(tx)
  return rows
}

interface VariantsOfProduct {
  productId: string
  variants: readonly VariantRow[]
  /** The ids of its stored variants. */
  storedIds: ReadonlySet<string>
  /** Whether neither the product nor any of its variants may have existed before. */
  isNew: boolean
}

/** Replaces the variants of these products, whose stock has been opened. The stock rows of deleted ones stay. */
export async function replaceVariants(tx: Tx, products: readonly VariantsOfProduct[]): Promise<void> {
  const variants = products.flatMap((each) => each.variants)
  const ids = variants.map((variant) => variant.id)
  const known = products.filter(({ isNew }) => !isNew)
  const gone = await deleteOtherVariants(tx, known)
  await sql`
    insert into variants (id, product_id, position, sku, options, color, price_minor, compare_at_minor, image_id,
      listed_inventory)
    select t.*, (select on_hand - reserved from stock where variant_id = t.id) from unnest(
      ${ids}::text[], ${variants.map((each) => each.productId)}::text[], ${variants.map((each) => each.position)}::int[],
      ${variants.map((each) => each.sku)}::text[], ${variants.map((each) => JSON.stringify(each.options))}::jsonb[],
      ${variants.map((each) => each.color)}::text[], ${variants.map((each) => each.priceMinor)}::bigint[],
      ${variants.map((each) => each.compareAtMinor)}::bigint[], ${variants.map((each) => each.imageId)}::text[])
      as t (id, product_id, position, sku, options, color, price_minor, compare_at_minor, image_id)
    on conflict (id) do update set product_id = excluded.product_id, position = excluded.position, sku = excluded.sku,
      options = excluded.options, color = excluded.color, price_minor = excluded.price_minor,
      compare_at_minor = excluded.compare_at_minor, image_id = excluded.image_id /* sent with the next */`.execute(tx)
  const added = known.flatMap((each) => each.variants.flatMap(({ id }) => (each.storedIds.has(id) ? [] : id)))
  await keepFormerVariants(tx, gone, added)
}

/** @returns the variants that these products no longer have */
async function deleteOtherVariants(tx: Tx, products: readonly VariantsOfProduct[]): Promise<GoneVariant[]> {
  const kept = new Set(products.flatMap((each) => each.variants.map(({ id }) => id)))
  const losing = products.filter(({ storedIds }) => [...storedIds].some((id) => !kept.has(id)))
  if (losing.length === 0) return []
  const { rows } = await sql<GoneVariant>`
    delete from variants where product_id = any(${losing.map((each) => each.productId)}) and id <> all(${[...kept]})
    returning id, product_id as "productId", sku, options`.execute(tx)
  return rows
}

/** SKUs among these that belong to another product. */
export async function findForeignSkus(tx: Tx, skus: readonly SkuOfProduct[]): Promise<string[]> {
  const { rows } = await sql<{ sku: string }>`
    select v.sku from variants v join unnest(
      ${skus.map((each) => each.sku)}::text[], ${skus.map((each) => each.productId)}::text[]) as t (sku, product_id)
      on t.sku = v.sku where v.product_id <> t.product_id`.execute(tx)
  return rows.map((row) => row.sku)
}
