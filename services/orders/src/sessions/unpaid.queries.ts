import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'

/** Serializes the new checkouts of this buyer. Comes after the locks of carts and sessions. */
export async function lockUnpaidCheckoutsOf(tx: Tx, keys: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtext('buyer'), key) from (
      select distinct hashtext(name) as key from unnest(${[...keys]}::text[]) as name order by key) keys
    /* sent with the next */`.execute(tx)
}

/** The number of unpaid checkouts of other goods for each of these keys, and when the first of them ends. */
export async function countUnpaidCheckouts(
  db: Database | Tx,
  keys: readonly string[],
  goods: { cartIds: readonly string[]; lineIds: readonly string[] },
): Promise<{ key: string; count: number; firstEnd: Date }[]> {
  const { rows } = await sql<{ key: string; count: number; firstEnd: Date }>`
    select key, count(*)::int as count, min(s.expires_at) as "firstEnd"
    from payment_sessions s, unnest(s.buyer_keys) as key
    where s.status in ('creating', 'open') and s.buyer_keys && ${[...keys]}::text[] and key = any(${[...keys]}::text[])
      and not (s.cart_id = any(${[...goods.cartIds]}) or s.line_ids && ${[...goods.lineIds]}::text[])
    group by key order by key`.execute(db)
  return rows
}

/** Units of each variant in unpaid checkouts for one of these keys. */
export async function countUnpaidUnits(
  tx: Tx,
  keys: readonly string[],
): Promise<{ variantId: string; units: number }[]> {
  const { rows } = await sql<{ variantId: string; units: number }>`
    select line->>'variantId' as "variantId", sum((line->>'quantity')::int)::int as units
    from payment_sessions s, jsonb_array_elements(s.document->'lines') as line
    where s.status in ('creating', 'open') and s.buyer_keys && ${[...keys]}::text[]
    group by 1`.execute(tx)
  return rows
}
