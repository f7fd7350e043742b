import { plannedOnce } from '@storefront/postgres'
import { sql } from 'kysely'
import type { MovementKind } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import type { StockRow } from './decide-reservations.ts'

export interface Movement {
  variantId: string
  onHandDelta: number
  reservedDelta: number
  kind: MovementKind
  /** The claim of a reservation, or the reason that the merchant gave. */
  reference: string | null
  /** The id of a merchant's change, which must not have been applied before. */
  operationId?: string | null
  /** The merchant who made the change. */
  actor?: string | null
}

export interface ChangedStock {
  variantId: string
  productId: string
  inventory: number
  version: number
}

export interface LockedStock extends StockLevel {
  variantId: string
  productId: string
}

export type StockLevel = Pick<StockRow, 'onHand' | 'reserved'>

/**
 * Locks stock rows in the order of their ids. Every change of stock calls this first, with all its variants, because
 * transactions that lock in the same order cannot deadlock. The order of locks in this service is: settings, size
 * charts, library and categories; products by id; stock by id; reservations and sales; the version of the listings. A
 * transaction may leave out steps, but never swaps them. So checkouts, which lock stock and no product, never wait for
 * a transaction that waits for them. A refresh reads stock without locks. Only an import, which takes long, locks stock
 * after the listings: it has locked the products of these variants, without which no other transaction changes lists.
 */
export async function lockStock(tx: Tx, variantIds: readonly string[]): Promise<LockedStock[]> {
  const { rows } = await sql<LockedStock>`
    select s.variant_id as "variantId", s.product_id as "productId", s.on_hand as "onHand", s.reserved
    from stock s where s.variant_id = any(${plannedOnce([...new Set(variantIds)])})
    order by s.variant_id for update`.execute(tx)
  return rows
}

export interface StockForSale extends StockRow {
  version: number
}

/**
 * Limits the time that this statement and the next ones of its transaction wait for a lock, in milliseconds: without a
 * statement of its own as in `limitLockWaits`, because every batch of reservations begins with it.
 */
const SHORT_WAIT = sql`cross join (select set_config('lock_timeout', '100', true)) as short_wait`

/**
 * The same for a reservation, with whether the variants are for sale, which only their products tell.
 * @param options.skipsLocked whether to skip rows that other transactions have locked, in place of waiting a tenth of a
 * second for them
 */
export async function lockStockForSale(
  tx: Tx,
  variantIds: readonly string[],
  { skipsLocked }: { skipsLocked: boolean },
): Promise<StockForSale[]> {
  const wait = skipsLocked ? sql`` : SHORT_WAIT
  const skip = skipsLocked ? sql`skip locked` : sql``
  const { rows } = await sql<StockForSale>`
    select s.variant_id as "variantId", s.on_hand as "onHand", s.reserved, s.version,
      coalesce(p.published, false) as sellable
    from stock s left join variants v on v.id = s.variant_id left join products p on p.id = v.product_id ${wait}
    where s.variant_id = any(${plannedOnce([...new Set(variantIds)])})
    order by s.variant_id for update of s ${skip}`.execute(tx)
  return rows
}

/** Reads the stock of variants, of deleted ones too, without locking it. */
export async function findStockLevels(
  db: Database | Tx,
  variantIds: readonly string[],
): Promise<(StockLevel & { variantId: string })[]> {
  const { rows } = await sql<StockLevel & { variantId: string }>`
    select variant_id as "variantId", on_hand as "onHand", reserved from stock where variant_id = any(${variantIds})`.execute(
    db,
  )
  return rows
}

/** Sorts ids as `lockStock` does, for a caller that locks them in parts. */
export async function inLockOrder(tx: Tx, variantIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from unnest(${variantIds}::text[]) as id order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The number of changes of a product's stock, which only grows while the product keeps its variants. */
export async function findStockVersion(db: Database | Tx, productId: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select coalesce(sum(s.version), 0)::bigint as version
    from variants v join stock s on s.variant_id = v.id where v.product_id = ${productId}`.execute(db)
  return rows[0]?.version ?? 0
}

/**
 * Writes movements to the ledger, changes the stock by their sums and queues the products for a refresh, all in one
 * statement. The rows must be locked.
 * @param options.isRefreshed whether the responses of the products have the new stock when the transaction ends
 * @param options.isAwaited whether the caller needs the result, which is empty otherwise
 * @returns the stock of each variant that changed, for the price projection
 */
export async function moveStock(
  tx: Tx,
  movements: readonly Movement[],
  at: Date,
  { isRefreshed = false, isAwaited = true }: { isRefreshed?: boolean; isAwaited?: boolean } = {},
): Promise<ChangedStock[]> {
  if (movements.length === 0) return []
  const sent = isAwaited ? sql`` : sql`/* sent with the next */`
  const { rows } = await sql<ChangedStock>`
    with moves as (
      select * from unnest(
        ${plannedOnce(movements.map((move) => move.variantId))}, ${movements.map((move) => move.onHandDelta)}::int[],
        ${movements.map((move) => move.reservedDelta)}::int[], ${movements.map((move) => move.kind)}::text[],
        ${movements.map((move) => move.reference)}::text[],
        ${movements.map((move) => move.operationId ?? null)}::text[], ${movements.map((move) => move.actor ?? null)}::text[]
      ) with ordinality as m (variant_id, on_hand_delta, reserved_delta, kind, reference, operation_id, actor, place)
    ), ledger as (
      insert into stock_movements (variant_id, on_hand_delta, reserved_delta, kind, reference, operation_id, actor, at)
      select variant_id, on_hand_delta, reserved_delta, kind, reference, operation_id, actor, ${at}::timestamptz
      from moves order by place
    ), sums as (
      select variant_id, sum(on_hand_delta)::int as on_hand, sum(reserved_delta)::int as reserved from moves group by 1
    ), changed as (
      update stock s set on_hand = s.on_hand + sums.on_hand, reserved = s.reserved + sums.reserved, version = s.version + 1
      from sums where s.variant_id = sums.variant_id
      returning s.variant_id, s.product_id, s.on_hand - s.reserved as inventory, s.version
    ), queued as (
      insert into refresh_queue (product_id) select distinct product_id from changed where not ${isRefreshed}::boolean
    )
    select variant_id as "variantId", product_id as "productId", inventory, version from changed ${sent}`.execute(tx)
  return rows
}

/**
 * Creates the stock rows of variants that have none, with the initial quantity as their first movement. A deleted
 * variant that is added again still has its row, under the product that it belongs to now.
 */
export async function openStock(
  tx: Tx,
  variants: readonly { id: string; productId: string; inventory: number }[],
  { actor = null, at }: { actor?: string | null | undefined; at: Date },
): Promise<void> {
  if (variants.length === 0) return
  const wanted = sql`unnest(
    ${variants.map((each) => each.id)}::text[], ${variants.map((each) => each.productId)}::text[],
    ${variants.map((each) => each.inventory)}::int[]) as w (variant_id, product_id, on_hand)`
  const { rows } = await sql<{ id: string }>`
    with opened as (
      insert into stock (variant_id, product_id, on_hand, reserved) select variant_id, product_id, on_hand, 0 from ${wanted}
      on conflict (variant_id) do nothing returning variant_id, on_hand
    ), ledger as (
      insert into stock_movements (variant_id, on_hand_delta, reserved_delta, kind, actor, at)
      select variant_id, on_hand, 0, 'set', ${actor}, ${at}::timestamptz from opened where on_hand <> 0
    )
    select variant_id as id from opened`.execute(tx)
  if (rows.length < variants.length) {
    await sql`
      update stock s set product_id = w.product_id from ${wanted}
      where s.variant_id = w.variant_id and s.product_id <> w.product_id`.execute(tx)
  }
}

/** The current stock of these variants, without deleted ones, for the price projection. */
export async function findStockOnSale(db: Database, variantIds: readonly string[]): Promise<ChangedStock[]> {
  const { rows } = await sql<ChangedStock>`
    select s.variant_id as "variantId", s.product_id as "productId", s.on_hand - s.reserved as inventory, s.version
    from stock s join variants v on v.id = s.variant_id where s.variant_id = any(${[...variantIds]})`.execute(db)
  return rows
}

/** Locks the product of a variant. The variant may have been deleted meanwhile, or be another product's. */
export async function lockProductOfVariant(tx: Tx, variantId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select p.id from variants v join products p on p.id = v.product_id
    where v.id = ${variantId} for update of p`.execute(tx)
  return rows[0]?.id
}

export async function findProductOfVariant(tx: Tx, variantId: string): Promise<string | undefined> {
  const row = await tx.selectFrom('variants').select('product_id').where('id', '=', variantId).executeTakeFirst()
  return row?.product_id
}

/**
 * Whether an operation has changed this variant before. The variant's stock must be locked, so that the operation
 * cannot be applied concurrently.
 */
export async function wasApplied(tx: Tx, variantId: string, operationId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from stock_movements where variant_id = ${variantId} and operation_id = ${operationId}`.execute(tx)
  return rows.length > 0
}
