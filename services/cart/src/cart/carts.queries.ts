import { deleteRows, plannedOnce } from '@storefront/postgres'
import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import { findDiscountFor } from '../discounts/discounts.queries.ts'
import { keysAfter } from './change-key.ts'
import type { StoredCart, StoredLine } from './stored-cart.ts'

const COLUMNS = sql`id, customer_id as "customerId", lines, version, recent_keys as "recentKeys",
  discount_code as "discountCode", nullif(discount_code, rejected_code) as "validCode"`

interface CartRow extends Omit<StoredCart, 'discount'> {
  /** The code, unless a checkout rejected it. */
  validCode: string | null
}

/**
 * Only for a cart with a code, and not as a part of the statement that reads the cart: PostgreSQL opens the tables of
 * every subquery of a statement, also of one that it then does not run.
 */
async function withDiscount<Row extends CartRow>(db: Database | Tx, cart: Row): Promise<Row & StoredCart> {
  const discount = cart.validCode === null ? null : await findDiscountFor(db, cart.validCode, cart)
  return { ...cart, discount }
}

const IS_OPEN = (id: string, now: Date) => sql`
  id = coalesce((select cart_id from cart_aliases where alias = ${id}), ${id}) and status = 'open' and expires_at > ${now}`

export async function insertCart(
  db: Database | Tx,
  cart: { id: string; customerId: string | null; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await sql`insert into carts (id, customer_id, created_at, expires_at)
    values (${cart.id}, ${cart.customerId}, ${cart.createdAt}, ${cart.expiresAt})`.execute(db)
}

/** An open, unexpired cart, by its id or the id of a cart that was merged into it. */
export async function findCart(db: Database | Tx, id: string, now: Date): Promise<StoredCart | undefined> {
  const { rows } = await sql<CartRow>`select ${COLUMNS} from carts where ${IS_OPEN(id, now)}`.execute(db)
  return rows[0] && withDiscount(db, rows[0])
}

/** More carts than one person merges by signing in. */
const MAX_ALIASES = 100

/**
 * The cart of `findCart` with the guest carts that were merged into it and not bought before. They are read in one
 * snapshot: otherwise an order could name a cart whose lines it does not have.
 */
export async function findCartWithAliases(
  db: Database,
  id: string,
  now: Date,
): Promise<(StoredCart & { mergedCartIds: string[] }) | undefined> {
  const { rows } = await sql<CartRow & { mergedCartIds: string[] }>`
    select ${COLUMNS}, array(
      select alias from cart_aliases where cart_id = carts.id and not ordered order by alias limit ${MAX_ALIASES}
    ) as "mergedCartIds"
    from carts where ${IS_OPEN(id, now)}`.execute(db)
  return rows[0] && withDiscount(db, rows[0])
}

export async function lockCart(tx: Tx, id: string, now: Date): Promise<StoredCart | undefined> {
  const { rows } = await sql<CartRow>`
    select ${COLUMNS} from carts where id = ${id} and status = 'open' and expires_at > ${now} for update`.execute(tx)
  return rows[0] && withDiscount(tx, rows[0])
}

/** Locks carts that are open and not expired, in the order of their ids. */
export async function lockCarts(tx: Tx, ids: readonly string[], now: Date): Promise<StoredCart[]> {
  const { rows } = await sql<CartRow>`
    select ${COLUMNS} from carts where id = any(${ids}) and status = 'open' and expires_at > ${now}
    order by id for update`.execute(tx)
  return Promise.all(rows.map((cart) => withDiscount(tx, cart)))
}

/** Serializes the choice of a customer's open cart. Take this lock before those of carts. */
export async function lockCartsOf(tx: Tx, customerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`carts of ${customerId}`}, 0)) /* sent with the next */`.execute(
    tx,
  )
}

/** The same for the owners of these carts, sorted, so that all transactions that lock several use the same order. */
export async function lockCartsOfOwners(tx: Tx, cartIds: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('carts of ' || customer_id, 0)) from (
      select distinct customer_id from carts where id = any(${plannedOnce(cartIds)}) and customer_id is not null
      order by customer_id) owners /* sent with the next */`.execute(tx)
}

export async function findOpenCartOf(
  db: Database | Tx,
  customerId: string,
  now: Date,
): Promise<(StoredCart & { quotedAt: Date | null }) | undefined> {
  const { rows } = await sql<CartRow & { quotedAt: Date | null }>`
    select ${COLUMNS}, quoted_at as "quotedAt" from carts
    where customer_id = ${customerId} and status = 'open' and expires_at > ${now}
    order by created_at desc limit 1`.execute(db)
  return rows[0] && withDiscount(db, rows[0])
}

/**
 * Saves the lines unless the cart changed since they were read.
 * @param change.discountCode unchanged when left out
 * @returns the new version, undefined when the cart has changed
 */
export async function saveLines(
  db: Database | Tx,
  cart: StoredCart,
  change: {
    lines: readonly StoredLine[]
    customerId: string | null
    expiresAt: Date
    discountCode?: string | null
    /** The keys to store: of this change, and of the changes to carts that are merged into this one. */
    keys?: readonly string[]
  },
): Promise<number | undefined> {
  const discountCode = change.discountCode === undefined ? cart.discountCode : change.discountCode
  const recentKeys = keysAfter(change.keys ?? [], cart.recentKeys)
  const { rows } = await sql<{ version: number }>`
    update carts set lines = ${JSON.stringify(change.lines)}::jsonb, customer_id = ${change.customerId},
      expires_at = ${change.expiresAt}, discount_code = ${discountCode}, rejected_code = null,
      recent_keys = ${recentKeys}::text[],
      version = version + 1
    where id = ${cart.id} and version = ${cart.version} and status = 'open' returning version`.execute(db)
  return rows[0]?.version
}

/**
 * Makes a guest cart the customer's. The version is increased, so that a guest who read the cart before cannot save it.
 * The cart counts as quoted: the guest may have checked it out a moment ago, which guest carts do not record.
 * @returns the cart, undefined when it has an owner already
 */
export async function claimCart(
  db: Database | Tx,
  id: string,
  customerId: string,
  now: Date,
): Promise<StoredCart | undefined> {
  const { rows } = await sql<CartRow>`
    update carts set customer_id = ${customerId}, claimed_at = ${now}, quoted_at = ${now}, version = version + 1
    where id = ${id} and customer_id is null and status = 'open' returning ${COLUMNS}`.execute(db)
  return rows[0] && withDiscount(db, rows[0])
}

/** Records that a cart is at the checkout, without blocking concurrent changes of its lines. */
export async function markQuoted(db: Database, id: string, now: Date): Promise<void> {
  await sql`update carts set quoted_at = ${now} where id = ${id}`.execute(db)
}

/**
 * Records that a checkout rejected the code of a cart. The code stays until the cart is read or changed, because
 * another attempt would otherwise charge a total that its buyer has not seen.
 */
export async function rejectCode(
  db: Database,
  { id, discountCode }: Pick<StoredCart, 'id' | 'discountCode'>,
): Promise<void> {
  await sql`update carts set rejected_code = discount_code where id = ${id} and discount_code = ${discountCode}`.execute(
    db,
  )
}

/** Removes a code that is no longer valid, unless the cart was changed and repriced meanwhile. */
export async function dropDiscount(db: Database, { id, version }: Pick<StoredCart, 'id' | 'version'>): Promise<void> {
  await sql`update carts set discount_code = null, version = version + 1
    where id = ${id} and version = ${version} and status = 'open'`.execute(db)
}

export async function convertCarts(tx: Database | Tx, ids: readonly string[]): Promise<void> {
  await sql`update carts set status = 'converted', version = version + 1
    where id in (select id from carts where id = any(${ids}) order by id for update)`.execute(tx)
}

/** Locks bought carts in the order of their ids, including those that are closed or expired. */
export async function lockBoughtCarts(
  tx: Tx,
  ids: readonly string[],
): Promise<{ id: string; customerId: string | null; lines: StoredLine[] }[]> {
  const { rows } = await sql<{ id: string; customerId: string | null; lines: StoredLine[] }>`
    select id, customer_id as "customerId", lines from carts where id = any(${plannedOnce(ids)}) order by id for update`.execute(
    tx,
  )
  return rows
}

/** Closes locked carts and stores the lines that were ordered. */
export async function closeCarts(
  tx: Tx,
  carts: readonly { id: string; lines: readonly StoredLine[] }[],
): Promise<void> {
  if (carts.length === 0) return
  await sql`
    update carts set status = 'converted', lines = t.lines, version = version + 1
    from unnest(${plannedOnce(carts.map(({ id }) => id))}, ${carts.map(({ lines }) => JSON.stringify(lines))}::jsonb[])
      as t (id, lines)
    where carts.id = t.id /* sent with the next */`.execute(tx)
}

/**
 * Closes a guest cart that was bought. Lines added since are claimed for the signed-in customer when `order.placed` is
 * consumed.
 */
export async function convertGuestCart(db: Database, id: string, customerId: string): Promise<void> {
  await sql`
    update carts set status = 'converted', customer_id = ${customerId}, version = version + 1
    where id = ${id} and customer_id is null and status = 'open'`.execute(db)
}

/** Writes the lines of a locked cart without extending its life: the change was not made by its owner. */
export async function replaceLines(tx: Tx, id: string, lines: readonly StoredLine[]): Promise<void> {
  await sql`update carts set lines = ${JSON.stringify(lines)}::jsonb, version = version + 1 where id = ${id}`.execute(
    tx,
  )
}

/** @returns how many were deleted, at most `limit` */
export function deleteExpired(db: Database, now: Date, limit: number): Promise<number> {
  return deleteRows(db, 'carts', sql`expires_at < ${now}`, limit)
}
