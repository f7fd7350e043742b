import { plannedOnceIfFew } from '@storefront/postgres'
import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'

interface BuyableProduct {
  id: string
  priceMinor: number
  currency: string
  /** Variants that can be bought. */
  variantIds: readonly string[]
}

/**
 * Queues the products for which an alert is due. `limit` forces a separate index lookup for each variant and price: 500
 * products with 3,000 variants take 6 ms among 250,000 alerts.
 */
export async function queueDueAlerts(tx: Tx, products: readonly BuyableProduct[]): Promise<void> {
  if (products.length === 0) return
  await sql`
    insert into alert_checks (product_id)
    select a.product_id from unnest(${plannedOnceIfFew(products.flatMap(({ variantIds }) => variantIds))}) as v (id)
      cross join lateral (
        select product_id from alerts
        where variant_id = v.id and confirmed_at is not null and done_at is null and variant_id is not null limit 1) a
    union
    select a.product_id from unnest(${plannedOnceIfFew(products.map(({ id }) => id))},
        ${products.map(({ priceMinor }) => priceMinor)}::bigint[], ${products.map(({ currency }) => currency)}::text[])
        as p (id, price_minor, currency)
      cross join lateral (
        select product_id from alerts
        where product_id = p.id and price_minor > p.price_minor and currency = p.currency
          and confirmed_at is not null and done_at is null and kind = 'price-drop' limit 1) a
    /* sent with the next */`.execute(tx)
}

export async function queueCheck(tx: Tx, productId: string): Promise<void> {
  await tx.insertInto('alert_checks').values({ product_id: productId }).execute()
}

export async function isCheckWaiting(db: Database): Promise<boolean> {
  const { rows } = await sql<{ waiting: boolean }>`select exists (select from alert_checks) as waiting`.execute(db)
  return rows[0]?.waiting === true
}

interface AlertCheck {
  id: number
  productId: string
}

/**
 * Locks the oldest check that no other replica processes, and its product, so that writers wait. The check of a product
 * that a writer has locked stays in the queue: the change of that writer is not visible here yet, and it may not have
 * seen a new confirmation.
 */
export async function lockCheck(tx: Tx): Promise<AlertCheck | undefined> {
  // `lateral` locks a product before its check, so that checks that stay are not locked. A key share conflicts only
  // with the locks of writers, and not with that of a refresh. Planned each time, because a plan for a table with one
  // row would lock the products of all checks.
  const { rows } = await sql<AlertCheck>`
    select c.id, c.product_id as "productId" from alert_checks c left join lateral (
      select id from products where id = c.product_id for key share skip locked) p on true
    -- A deleted product has no row to lock.
    where p.id is not null or (select id from products where id = c.product_id) is null
    order by c.id limit 1 for update of c skip locked /* replan */`.execute(tx)
  return rows[0]
}

export async function deleteCheck(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('alert_checks').where('id', '=', id).execute()
}

interface DueAlert {
  id: string
  email: string
}

/** Ends alerts about the stock of these variants, which must be buyable. */
export async function endRestocked(
  tx: Tx,
  variantIds: readonly string[],
  { limit, now }: { limit: number; now: Date },
): Promise<(DueAlert & { variantId: string })[]> {
  // Locked in a fixed order, so that two replicas that process the same product cannot deadlock.
  const { rows } = await sql<DueAlert & { variantId: string }>`
    with due as materialized (
      select a.id from unnest(${[...variantIds].toSorted()}::text[]) as v (id)
        cross join lateral (
          select id from alerts
          where variant_id = v.id and confirmed_at is not null and done_at is null and variant_id is not null
          order by id limit ${limit} for update) a
      limit ${limit}
    )
    update alerts a set done_at = ${now}::timestamptz from due
    where a.id = due.id and a.variant_id is not null returning a.id, a.email, a.variant_id as "variantId"`.execute(tx)
  return rows
}

interface CheaperAlert extends DueAlert {
  formerPriceMinor: number
}

/** Lowers the price that alerts compare with to this one. */
export async function lowerPrices(
  tx: Tx,
  { id, priceMinor, currency }: Pick<BuyableProduct, 'id' | 'priceMinor' | 'currency'>,
  limit: number,
): Promise<CheaperAlert[]> {
  const { rows } = await sql<CheaperAlert>`
    with due as materialized (
      select id, price_minor from alerts
      where product_id = ${id} and price_minor > ${priceMinor} and currency = ${currency}
        and confirmed_at is not null and done_at is null and kind = 'price-drop'
      order by id limit ${limit} for update
    )
    update alerts a set price_minor = ${priceMinor} from due
    where a.id = due.id and due.price_minor is not null
    returning a.id, a.email, due.price_minor as "formerPriceMinor"`.execute(tx)
  return rows
}
