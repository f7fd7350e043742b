import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { listAddresses, listAddressesOf } from '../addresses/addresses.queries.ts'
import { ACCOUNT_COLUMNS } from '../accounts/accounts.queries.ts'
import type { Connection } from '../database.ts'
import { toShopCustomer, type ShopCustomer } from './customer.ts'

/** The length of a trigram: the indexes do not find shorter parts, which would be searched in every row. */
const PART_LENGTH = 3

/**
 * Newest first.
 * @param search.q part of the email address or the name, in upper or lower case; with fewer than three letters the
 * beginning of the address or of a word of the name
 */
export async function findCustomers(
  connection: Connection,
  search: { q: string | undefined; limit: number; offset: number },
): Promise<{ customers: ShopCustomer[]; total: number }> {
  const { q } = search
  // Matches are materialized before they are sorted: a scan in the order of the list would read all rows for a few.
  const found = connection
    .with(
      (name) => (q === undefined ? name('matching').notMaterialized() : name('matching').materialized()),
      (query) => {
        const all = query.selectFrom('customers').select([...ACCOUNT_COLUMNS, 'created_at'])
        return q === undefined ? all : all.where(matches(q))
      },
    )
    .selectFrom('matching')
  const accounts = await found
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(search.limit)
    .offset(search.offset)
    .execute()
  const { total } = await found.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const addresses = await listAddressesOf(
    connection,
    accounts.map((account) => account.id),
  )
  return { customers: accounts.map((account) => toShopCustomer(account, addresses.get(account.id) ?? [])), total }
}

/** Written so that the indexes customers_email_parts and customers_name_parts are used. */
function matches(q: string): RawBuilder<SqlBool> {
  const text = q.replaceAll(/[\\%_]/g, String.raw`\$&`)
  const name = sql`lower(first_name || ' ' || last_name)`
  if (Array.from(q).length >= PART_LENGTH) {
    const part = `%${text}%`
    return sql`(lower(email) like lower(${part}) or ${name} like lower(${part}))`
  }
  const [beginning, laterBeginning] = [`${text}%`, `% ${text}%`]
  return sql`(lower(email) like lower(${beginning})
    or ${name} like lower(${beginning}) or ${name} like lower(${laterBeginning}))`
}

export async function findCustomer(connection: Connection, id: string): Promise<ShopCustomer | undefined> {
  const account = await connection
    .selectFrom('customers')
    .select([...ACCOUNT_COLUMNS, 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  return account && toShopCustomer(account, await listAddresses(connection, id))
}
