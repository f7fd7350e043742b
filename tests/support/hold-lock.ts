import { Client } from 'pg'
import { shopDatabase, type TestShop } from './shop.ts'

/** Holds a lock in the shop's database until the returned function is called: a service then stands still at that step. */
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
