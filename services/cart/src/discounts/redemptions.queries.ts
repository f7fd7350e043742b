import { deleteRows } from '@storefront/postgres'
import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'

interface RedemptionHolder {
  id: string
  discountId: number
  code: string
  cartId: string
  customerId: string | null
  buyerHash: Buffer | null
}

/**
 * Holds a redemption of a locked discount, or keeps the existing one: a redemption that is held or belongs to an order
 * stays the same, with the same claim; a released one gets a new claim.
 * @returns the claim
 */
export async function holdRedemption(
  tx: Tx,
  redemption: RedemptionHolder,
  { now, until }: { now: Date; until: Date },
): Promise<string> {
  const { rows } = await sql<{ claim: string }>`
    with before as (
      select status from discount_redemptions where id = ${redemption.id}
    ), held as (
      insert into discount_redemptions as u
        (id, generation, discount_id, code, cart_id, customer_id, buyer_hash, status, held_at, expires_at)
      values (${redemption.id}, 1, ${redemption.discountId}, ${redemption.code}, ${redemption.cartId},
        ${redemption.customerId}, ${redemption.buyerHash}, 'held', ${now}, ${until})
      on conflict (id) do update set
        generation = u.generation + case when u.status = 'released' then 1 else 0 end,
        status = case when u.status = 'released' then 'held' else u.status end,
        held_at = case when u.status = 'released' then excluded.held_at else u.held_at end,
        customer_id = case when u.status = 'used' then u.customer_id else excluded.customer_id end,
        buyer_hash = case when u.status = 'used' then u.buyer_hash else excluded.buyer_hash end,
        email_digest = case when u.status = 'used' then u.email_digest end,
        expires_at = case when u.status = 'released' then excluded.expires_at
          else greatest(u.expires_at, excluded.expires_at) end
      returning id || '.' || generation as claim
    ), counted as (
      update discounts set used = used + 1
      where id = ${redemption.discountId} and not exists (select 1 from before where status <> 'released')
    )
    select claim from held`.execute(tx)
  const claim = rows[0]?.claim
  if (claim === undefined) throw new Error(`no redemption was held: ${redemption.id}`)
  return claim
}

const idsOf = (claims: readonly string[]) => claims.map((claim) => claim.slice(0, claim.lastIndexOf('.')))

interface Redeemed {
  claim: string
  customerId: string | null
  buyerHash: Buffer | null
}

/**
 * Marks the redemptions of orders as redeemed by the buyers of these orders: another checkout of the cart may have held
 * them since, for another buyer. An account that is not the holder's is left out, because it may have been deleted in
 * the meantime; the mailbox still counts.
 */
export async function redeemForOrders(tx: Tx, redeemed: readonly Redeemed[]): Promise<void> {
  if (redeemed.length === 0) return
  const claims = redeemed.map(({ claim }) => claim)
  await sql`
    update discount_redemptions u set status = 'used', buyer_hash = o.buyer_hash, email_digest = null,
      customer_id = case when u.customer_id = o.customer_id then u.customer_id end
    from unnest(${claims}::text[], ${redeemed.map(({ customerId }) => customerId)}::text[],
      ${redeemed.map(({ buyerHash }) => buyerHash)}::bytea[]) as o (claim, customer_id, buyer_hash)
    where u.id || '.' || u.generation = o.claim and u.id in (
      select id from discount_redemptions where status <> 'released' and id = any(${idsOf(claims)})
      order by id for update) /* sent with the next */`.execute(tx)
}

/**
 * Marks these redemptions as belonging to orders. One that was released, because its order was cancelled, stays
 * released.
 */
export async function markRedeemed(tx: Tx, claims: readonly string[]): Promise<void> {
  if (claims.length === 0) return
  await sql`
    update discount_redemptions set status = 'used' where id in (
      select id from discount_redemptions
      where status = 'held' and id = any(${idsOf(claims)}) and id || '.' || generation = any(${[...claims]})
      order by id for update)`.execute(tx)
}

/**
 * Releases redemptions. Locks their discounts first and in order, as every transaction that changes a count does.
 * @param from the status that they must have: only a cancelled order releases one that was redeemed
 * @returns how many were released
 */
export async function releaseRedemptions(
  tx: Tx,
  claims: readonly string[],
  from: readonly ('held' | 'used')[],
): Promise<number> {
  if (claims.length === 0) return 0
  const ids = idsOf(claims)
  await sql`
    select 1 from discounts where id in (select discount_id from discount_redemptions where id = any(${ids}))
    order by id for update`.execute(tx)
  const { rows } = await sql<{ released: number }>`
    with ended as (
      update discount_redemptions set status = 'released', customer_id = null, buyer_hash = null, email_digest = null where id in (
        select id from discount_redemptions
        where status = any(${[...from]}) and id = any(${ids}) and id || '.' || generation = any(${[...claims]})
        order by id for update)
      returning discount_id
    ), counted as (
      update discounts d set used = d.used - each.count
      from (select discount_id, count(*)::int as count from ended group by discount_id) as each
      where d.id = each.discount_id
    )
    select count(*)::int as released from ended`.execute(tx)
  return rows[0]?.released ?? 0
}

export async function findDueRedemptions(db: Database, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ claim: string }>`
    select id || '.' || generation as claim from discount_redemptions
    where status = 'held' and expires_at < ${now} order by expires_at limit ${limit}`.execute(db)
  return rows.map((row) => row.claim)
}

interface ExportedRedemption {
  id: string
  code: string
  status: string
  heldAt: Date
}

/** A customer's discount redemptions, after this id. */
export async function findRedemptionsAfter(
  db: Database,
  customerId: string,
  { after, limit }: { after: string; limit: number },
): Promise<ExportedRedemption[]> {
  const { rows } = await sql<ExportedRedemption>`
    select id, code, status, held_at as "heldAt" from discount_redemptions
    where customer_id = ${customerId} and id > ${after} order by id limit ${limit}`.execute(db)
  return rows
}

/**
 * Removes the account from discount redemptions. They still count towards the total and the limit of the mailbox, of
 * which only the keyed hash is stored.
 */
export async function anonymizeRedemptions(tx: Tx, customerIds: readonly string[]): Promise<void> {
  await sql`
    update discount_redemptions set customer_id = null where id in (
      select id from discount_redemptions where customer_id = any(${[...customerIds]}) order by id for update)`.execute(
    tx,
  )
}

/**
 * Locks redemptions that an older version stored with a digest of the address. Rows that are already locked are left
 * for the next run.
 */
export async function findOldBuyers(tx: Tx, limit: number): Promise<{ id: string; emailDigest: Buffer }[]> {
  const { rows } = await sql<{ id: string; emailDigest: Buffer }>`
    select id, email_digest as "emailDigest" from discount_redemptions
    where status <> 'released' and email_digest is not null
    order by id limit ${limit} for update skip locked`.execute(tx)
  return rows
}

export async function replaceDigests(tx: Tx, redemptions: readonly { id: string; buyerHash: Buffer }[]): Promise<void> {
  await sql`
    update discount_redemptions u set buyer_hash = hashed.buyer_hash, email_digest = null
    from unnest(${redemptions.map(({ id }) => id)}::text[], ${redemptions.map(({ buyerHash }) => buyerHash)}::bytea[])
      as hashed (id, buyer_hash)
    where u.id = hashed.id`.execute(tx)
}

/**
 * Deletes redemptions that no longer count: those released by a cart that was deleted, or of a deleted discount. While
 * the cart exists, its redemption is kept, because a later redemption by the same cart must not get the same claim
 * again.
 * @returns how many were deleted
 */
export function deleteOldRedemptions(db: Database, before: Date, limit: number): Promise<number> {
  const due = sql`status <> 'held' and expires_at < ${before}
    and not exists (select from carts where carts.id = cart_id)
    and (status = 'released' or not exists (select from discounts where discounts.id = discount_id))`
  return deleteRows(db, 'discount_redemptions', due, limit)
}

interface RedemptionCount {
  discountId: number
  code: string
  /** The count of the discount. */
  used: number
  /** The number of its redemptions. */
  redeemed: number
}

/** Discounts after this id, with their counts and the number of their redemptions, from one snapshot. */
export async function findRedemptionCounts(
  db: Database | Tx,
  after: number,
  limit: number,
): Promise<RedemptionCount[]> {
  const { rows } = await sql<RedemptionCount>`
    select d.id as "discountId", d.code, d.used, u.redeemed
    from (select id, code, used from discounts where id > ${after} order by id limit ${limit}) d
      cross join lateral (
        select count(*)::int as redeemed from discount_redemptions where discount_id = d.id and status <> 'released') u
    order by d.id`.execute(db)
  return rows
}

/** Holds that should have ended before this moment, oldest first. */
export async function findOverdueRedemptions(
  db: Database,
  before: Date,
  limit: number,
): Promise<{ holds: { claim: string; expiresAt: Date }[]; total: number }> {
  const { rows } = await sql<{ claim: string; expiresAt: Date; total: number }>`
    select id || '.' || generation as claim, expires_at as "expiresAt", count(*) over () as total
    from discount_redemptions where status = 'held' and expires_at < ${before}
    order by expires_at, id limit ${limit}`.execute(db)
  return { holds: rows, total: rows[0]?.total ?? 0 }
}
