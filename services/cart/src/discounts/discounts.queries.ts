import { sql } from 'kysely'
import type { DiscountInput } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import type { BuyerKeys } from './buyer-hash.ts'
import type { CartDiscount, StoredDiscount } from './discount.ts'

const FIELDS = sql`'id', d.id, 'code', d.code, 'kind', d.kind, 'value', d.value, 'label', d.label, 'active', d.active,
  'startsAt', d.starts_at, 'endsAt', d.ends_at, 'minSubtotal', d.min_subtotal_minor, 'usageLimit', d.usage_limit,
  'perCustomerLimit', d.per_customer_limit, 'categories', d.categories, 'products', d.products, 'used', d.used`

/**
 * The discount of a code, with the redemptions that matter to this cart.
 * @param cart.buyer for a checkout, which has an email address
 * @returns null when there is no such code
 */
export async function findDiscountFor(
  db: Database | Tx,
  code: string,
  { id, customerId, buyer }: { id: string; customerId: string | null; buyer?: BuyerKeys | null },
): Promise<CartDiscount | null> {
  // Redemptions of the cart and of carts merged into it do not count against it: until `order.placed` arrives, orders
  // places only one of these carts with a code, except where the money was taken.
  const own = sql`u.cart_id in (
    select ${id}::text union all select alias from cart_aliases where cart_id = ${id} and not ordered)`
  const counted = sql`u.discount_id = d.id and u.status <> 'released'`
  const others = sql`${counted} and not ${own}`
  const { rows } = await sql<{ discount: CartDiscount }>`
    select jsonb_build_object(${FIELDS},
      'usedByOthers', d.used - (
        select count(*) from discount_redemptions u where ${counted} and ${own}),
      'usedByCustomer', case when d.per_customer_limit is null then 0 else (
        select count(*) from (
          select u.id from discount_redemptions u where ${others} and u.customer_id = ${customerId}
          union
          select u.id from discount_redemptions u where ${others} and u.buyer_hash = any(${[...(buyer?.hashes ?? [])]}::bytea[])
          union
          select u.id from discount_redemptions u where ${others} and u.email_digest = ${buyer?.digest ?? null}::bytea
        ) as own) end) as discount
    from discounts d where d.code = ${code}`.execute(db)
  return rows[0]?.discount ?? null
}

/**
 * Locks the discount until the transaction ends: no other transaction can redeem it. Values that were read before may
 * be out of date.
 */
export async function lockDiscount(tx: Tx, code: string): Promise<void> {
  await sql`select 1 from discounts where code = ${code} for update`.execute(tx)
}

export async function findDiscount(db: Database | Tx, code: string): Promise<StoredDiscount | undefined> {
  const { rows } = await sql<{ discount: StoredDiscount }>`
    select jsonb_build_object(${FIELDS}) as discount from discounts d where code = ${code}`.execute(db)
  return rows[0]?.discount
}

/** A page of all discounts, the newest first. @param q part of a code or a label, in any case */
export async function findDiscounts(
  db: Database,
  q: string | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; discounts: StoredDiscount[] }> {
  const pattern = q === undefined ? undefined : `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const where = pattern === undefined ? sql`` : sql`where code ilike ${pattern} or label ilike ${pattern}`
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from discounts ${where}`.execute(db)
  const { rows } = await sql<{ discount: StoredDiscount }>`
    select jsonb_build_object(${FIELDS}) as discount from discounts d ${where}
    order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(db)
  return { total: counted[0]?.total ?? 0, discounts: rows.map((row) => row.discount) }
}

/** Discounts by their codes, after this one. */
export async function findDiscountsAfter(db: Database, after: string, limit: number): Promise<StoredDiscount[]> {
  const { rows } = await sql<{ discount: StoredDiscount }>`
    select jsonb_build_object(${FIELDS}) as discount from discounts d where code > ${after}
    order by code limit ${limit}`.execute(db)
  return rows.map((row) => row.discount)
}

/** @returns false when the code already exists */
export async function insertDiscount(db: Database | Tx, input: DiscountInput, at: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('discounts')
    .values({ code: input.code, ...valuesOf(input), created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows ?? 0) === 1
}

export async function updateDiscount(tx: Tx, input: DiscountInput, at: Date): Promise<void> {
  await tx
    .updateTable('discounts')
    .set({ ...valuesOf(input), updated_at: at })
    .where('code', '=', input.code)
    .execute()
}

/** Its redemptions stay until `deleteOldRedemptions` deletes them, because events may still refer to them. */
export async function deleteDiscount(tx: Tx, code: string): Promise<void> {
  await tx.deleteFrom('discounts').where('code', '=', code).execute()
}

function valuesOf(input: DiscountInput) {
  return {
    kind: input.kind,
    value: input.value,
    label: input.label ?? null,
    active: input.active,
    starts_at: input.startsAt === undefined ? null : new Date(input.startsAt),
    ends_at: input.endsAt === undefined ? null : new Date(input.endsAt),
    min_subtotal_minor: input.minSubtotal ?? null,
    usage_limit: input.usageLimit ?? null,
    per_customer_limit: input.perCustomerLimit ?? null,
    categories: input.categories ?? null,
    products: input.products ?? null,
  }
}
