import { sql } from 'kysely'
import type { Tx } from '../database.ts'

export interface DueProducts {
  limit: number
  /** Products to skip, because they are tried again later. */
  except: readonly string[]
  /** If set, only this product is locked. */
  only?: string | null
}

/**
 * Locks products that are due, the longest due first. Products that another transaction has locked, such as the same
 * timer of another replica, are skipped. Of 100,000 products, 200 of them with a time, 100 due ones take 0.3 ms.
 */
export async function lockDueProducts(
  tx: Tx,
  now: Date,
  { limit, except, only = null }: DueProducts,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from products where least(publish_at, unpublish_at) <= ${now} and id <> all(${except}::text[])
      and (${only}::text is null or id = ${only})
    order by least(publish_at, unpublish_at) limit ${limit} for update skip locked`.execute(tx)
  return rows.map(({ id }) => id)
}
