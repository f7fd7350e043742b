import { sql } from 'kysely'
import { deleteRows } from '@storefront/postgres'
import type { Database, Tx } from '../database.ts'

/**
 * Serializes the decisions about these holds: a session that is being created is invisible to a verdict that is being
 * written, and the other way round. Comes after all locks of carts.
 */
export async function lockClaims(tx: Tx, claims: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtext('claim'), key) from (
      select distinct hashtext(claim) as key from unnest(${[...claims]}::text[]) as claim order by key) keys /* sent with the next */`.execute(
    tx,
  )
}

/**
 * Records that no order may ever use these holds, except those that are decided already or belong to an open payment
 * page. Waits for a checkout that is deciding one of them now. The holds must be locked.
 */
export async function abandonClaims(tx: Tx, claims: readonly string[], at: Date): Promise<void> {
  await sql`
    with paying as (
      select claim, discount_claim from payment_sessions
      where status in ('creating', 'open') and expires_at > ${at}::timestamptz
    ), unused as (
      select claim from unnest(${claims}::text[]) as claim
      except select claim from paying except select discount_claim from paying
    )
    insert into claims (claim, verdict, decided_at)
    select claim, 'abandoned', ${at}::timestamptz from unused order by claim
    on conflict do nothing`.execute(tx)
}

/**
 * The same for the holds of a cart, except those of an open payment session: a repeated checkout of the same cart has
 * the same hold, and the buyer may be paying for it now.
 * @returns those that no order uses or ever will
 */
export async function abandonUnusedClaims(
  tx: Tx,
  cartId: string,
  claims: readonly string[],
  at: Date,
): Promise<string[]> {
  await sql`
    insert into claims (claim, verdict, decided_at)
    select claim, 'abandoned', ${at}::timestamptz from unnest(${claims}::text[]) as held (claim)
    where not exists (
      select from payment_sessions s where s.cart_id = ${cartId} and s.status in ('creating', 'open')
        and (s.claim = held.claim or s.discount_claim = held.claim))
    order by claim
    on conflict do nothing`.execute(tx)
  const verdicts = await findVerdicts(tx, claims)
  return verdicts.flatMap(({ claim, verdict }) => (verdict === 'abandoned' ? [claim] : []))
}

/**
 * Deletes claims that no service will request again: catalog and cart settle their holds within minutes, not weeks.
 * @returns how many, at most `limit`
 */
export function deleteOldClaims(db: Database, before: Date, limit: number): Promise<number> {
  return deleteRows(db, 'claims', sql`decided_at < ${before} order by decided_at`, limit)
}

export async function findVerdicts(
  db: Database | Tx,
  claims: readonly string[],
): Promise<{ claim: string; verdict: 'ordered' | 'abandoned' }[]> {
  const { rows } = await sql<{ claim: string; verdict: 'ordered' | 'abandoned' }>`
    select claim, verdict from claims where claim = any(${[...claims]})`.execute(db)
  return rows
}
