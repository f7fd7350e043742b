import { Client } from 'pg'
import { shopDatabase, type TestShop } from './shop.ts'

/**
 * Holds a lock in the database of the shop, which blocks a service at that step, until the returned function is called.
 */
export async function holdLock({ shop }: TestShop, statement: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: shopDatabase(shop) })
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  return async () => {
    await client.query('rollback')
    await client.end()
  }
}
