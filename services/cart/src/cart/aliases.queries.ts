import { plannedOnce } from '@storefront/postgres'
import { sql } from 'kysely'
import type { Tx } from '../database.ts'

/**
 * Deletes a cart that was merged, and makes its id an alias of the other cart. Aliases that referred to the deleted
 * cart refer to the other one, too. Both carts must be locked.
 */
export async function replaceByAlias(tx: Tx, alias: string, cartId: string): Promise<void> {
  await sql`update cart_aliases set cart_id = ${cartId} where cart_id = ${alias}`.execute(tx)
  await sql`delete from carts where id = ${alias}`.execute(tx)
  await sql`insert into cart_aliases (alias, cart_id) values (${alias}, ${cartId})`.execute(tx)
}

/** Records that these carts became orders after they were merged. @returns those that were not recorded before */
export async function markAliasesOrdered(
  tx: Tx,
  aliases: readonly string[],
): Promise<{ alias: string; cartId: string }[]> {
  const { rows } = await sql<{ alias: string; cartId: string }>`
    update cart_aliases set ordered = true
    where alias in (
      select alias from cart_aliases where alias = any(${plannedOnce(aliases)}) and not ordered order by alias for update)
    returning alias, cart_id as "cartId"`.execute(tx)
  return rows
}

/** Makes aliases of a closed cart refer to the cart that has its remaining lines, except those that the order names. */
export async function moveAliases(
  tx: Tx,
  { from, to, ordered }: { from: string; to: string; ordered: readonly string[] },
): Promise<void> {
  await sql`
    update cart_aliases set cart_id = ${to}
    where alias in (
      select alias from cart_aliases
      where cart_id = ${from} and not ordered and alias <> all(${[...ordered]}::text[]) order by alias for update)`.execute(
    tx,
  )
}
