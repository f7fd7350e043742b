import { sql } from 'kysely'
import { listAddresses, listAddressesOf } from '../addresses/addresses.queries.ts'
import { ACCOUNT_COLUMNS } from '../accounts/accounts.queries.ts'
import type { Connection } from '../database.ts'
import { toShopCustomer, type ShopCustomer } from './customer.ts'

/** Newest first. @param search.q part of the e-mail address or the name, in any case */
export async function findCustomers(
  connection: Connection,
  search: { q: string | undefined; limit: number; offset: number },
): Promise<{ customers: ShopCustomer[]; total: number }> {
  let matching = connection.selectFrom('customers')
  if (search.q !== undefined) {
    const pattern = `%${search.q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    matching = matching.where((where) =>
      where.or([where('email', 'ilike', pattern), where(sql`first_name || ' ' || last_name`, 'ilike', pattern)]),
    )
  }
  const accounts = await matching
    .select([...ACCOUNT_COLUMNS, 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(search.limit)
    .offset(search.offset)
    .execute()
  const { total } = await matching.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const addresses = await listAddressesOf(
    connection,
    accounts.map((account) => account.id),
  )
  return { customers: accounts.map((account) => toShopCustomer(account, addresses.get(account.id) ?? [])), total }
}

export async function findCustomer(connection: Connection, id: string): Promise<ShopCustomer | undefined> {
  const account = await connection
    .selectFrom('customers')
    .select([...ACCOUNT_COLUMNS, 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  return account && toShopCustomer(account, await listAddresses(connection, id))
}
