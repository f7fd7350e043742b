import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'

/**
 * Replaces a cart by its id alone, which from now on means the other cart; so do the ids that meant the first one. Both
 * carts must be locked.
 */
export async function replaceByAlias(tx: Tx, alias: string, cartId: string): Promise<void> {
  await sql`update cart_aliases set cart_id = ${cartId} where cart_id = ${alias}`.execute(tx)
  await sql`delete from carts where id = ${alias}`.execute(tx)
  await sql`insert into cart_aliases (alias, cart_id) values (${alias}, ${cartId})`.execute(tx)
}

/** Notes that these carts became orders after they were merged. @returns those of which that was not known */
export async function markAliasesOrdered(
  tx: Tx,
  aliases: readonly string[],
): Promise<{ alias: string; cartId: string }[]> {
  const { rows } = await sql<{ alias: string; cartId: string }>`
    update cart_aliases set ordered = true
    where alias in (
      select alias from cart_aliases where alias = any(${aliases}) and not ordered order by alias for update)
    returning alias, cart_id as "cartId"`.execute(tx)
  return rows
}

/** More carts than one person brings to a customer's bag by signing in. */
const MAX_ALIASES = 100

/** Guests' carts that were merged into this one and were not bought before. */
export async function findAliases(db: Database, cartId: string): Promise<string[]> {
  const { rows } = await sql<{ alias: string }>`
    select alias from cart_aliases where cart_id = ${cartId} and not ordered order by alias limit ${MAX_ALIASES}`.execute(
    db,
  )
  return rows.map(({ alias }) => alias)
}
