import { sql, type RawBuilder } from 'kysely'
import type { Connection, Tx } from '../database.ts'

/** The kinds of rows whose email address is unique among them. */
export type Holder = 'customer' | 'admin user' | 'subscriber'

interface HolderTable {
  table: RawBuilder<unknown>
  /** When the address was verified. */
  provenAt: RawBuilder<unknown>
  since: RawBuilder<unknown>
}

const TABLES: Record<Holder, HolderTable> = {
  customer: { table: sql`customers`, provenAt: sql`email_verified_at`, since: sql`created_at` },
  'admin user': { table: sql`admin_users`, provenAt: sql`null::timestamptz`, since: sql`created_at` },
  subscriber: { table: sql`newsletter_subscribers`, provenAt: sql`confirmed_at`, since: sql`subscribed_at` },
}
export const HOLDERS: readonly Holder[] = ['customer', 'admin user', 'subscriber']

/** A row without the canonical form of its address. */
export interface AddressToCanonicalize {
  id: string
  email: string
  isProven: boolean
  /** With microseconds, because the table is sorted by them. */
  since: string
}

/** Lets one replica at a time process addresses; it ends with the transaction. */
export async function lockAddressesToCanonicalize(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('unread addresses'), hashtext(current_schema()))`.execute(tx)
}

/** Rows with a verified address first, then by age, oldest first. @param after the last row of the previous batch */
export async function listAddressesToCanonicalize(
  connection: Connection,
  holder: Holder,
  { after, limit }: { after: AddressToCanonicalize | undefined; limit: number },
): Promise<AddressToCanonicalize[]> {
  const { table, provenAt, since } = TABLES[holder]
  const isLater = after
    ? sql`((${provenAt}) is null, ${since}, id) > (${!after.isProven}, ${after.since}::timestamptz, ${after.id})`
    : sql`true`
  const { rows } = await sql<AddressToCanonicalize>`
    select id, email, (${provenAt}) is not null as "isProven", ${since}::text as since
    from ${table} where email_canonical is null and ${isLater}
    order by (${provenAt}) is null, ${since}, id limit ${limit}`.execute(connection)
  return rows
}

export async function countAddressesToCanonicalize(connection: Connection, holder: Holder): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${TABLES[holder].table} where email_canonical is null`.execute(connection)
  return rows[0]?.count ?? 0
}

export async function findHolder(
  connection: Connection,
  holder: Holder,
  canonical: string,
): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from ${TABLES[holder].table} where email_canonical = ${canonical}`.execute(connection)
  return rows[0]
}

/** Does nothing when another row has the address, or when the address of this row has changed. */
export async function setCanonical(
  tx: Tx,
  holder: Holder,
  { id, email, canonical }: { id: string; email: string; canonical: string },
): Promise<void> {
  const { table } = TABLES[holder]
  await sql`
    update ${table} set email_canonical = ${canonical}
    where id = ${id} and email = ${email} and email_canonical is null
      and not exists (select from ${table} where email_canonical = ${canonical})`.execute(tx)
}

/** @returns whether the address of this account counted as verified until now */
export async function unverify(tx: Tx, customerId: string, email: string): Promise<boolean> {
  const result = await tx
    .updateTable('customers')
    .set({ email_verified_at: null })
    .where('id', '=', customerId)
    .where('email', '=', email)
    .where('email_canonical', 'is', null)
    .where('email_verified_at', 'is not', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
