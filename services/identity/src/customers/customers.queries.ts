import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { listAddresses, listAddressesOf } from '../addresses/addresses.queries.ts'
import { ACCOUNT_COLUMNS } from '../accounts/accounts.queries.ts'
import type { Connection } from '../database.ts'
import { toShopCustomer, type DatedAccount, type ShopCustomer } from './customer.ts'

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
  const matching = sql`with matching as ${q === undefined ? sql`not materialized` : sql`materialized`} (
    select id, email, email_canonical, first_name, last_name, phone, email_verified_at, created_at
    from customers ${q === undefined ? sql`` : sql`where ${matches(q)}`})`
  const { rows: accounts } = await sql<DatedAccount>`
    ${matching} select * from matching order by created_at desc, id desc
    limit ${search.limit} offset ${search.offset}`.execute(connection)
  const { rows: counted } = await sql<{ total: number }>`
    ${matching} select count(*) as total from matching`.execute(connection)
  const addresses = await listAddressesOf(
    connection,
    accounts.map((account) => account.id),
  )
  return {
    customers: accounts.map((account) => toShopCustomer(account, addresses.get(account.id) ?? [])),
    total: counted[0]?.total ?? 0,
  }
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
