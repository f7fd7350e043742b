import { sql } from 'kysely'
import type { Tx } from '../database.ts'

export interface DueProducts {
  limit: number
  /** Products that are tried later. */
  except: readonly string[]
  /** The only product to look at. */
  only?: string | null
}

/**
 * Locks products with a time that has come, the longest due first. Those that another transaction holds, such as the same
 * worker of another replica, are left out. Of 100,000 products, 200 of them with a time, 100 take 0.3 ms and none 0.02 ms.
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
