import { sql } from 'kysely'
import type { Customer } from '@storefront/contracts'
import { listAddresses } from '../addresses/addresses.queries.ts'
import type { Connection, Tx } from '../database.ts'
import { accountGone } from '../errors.ts'
import { toCustomer, type Account } from './account.ts'

const ACCOUNT_COLUMNS = ['id', 'email', 'first_name', 'last_name', 'phone', 'email_verified_at'] as const

export interface NewAccount {
  id: string
  email: string
  passwordHash: string
  firstName: string
  lastName: string
  createdAt: Date
}

/** @throws the database's unique violation when the e-mail address has an account */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<Account> {
  return tx
    .insertInto('customers')
    .values({
      id: account.id,
      email: account.email,
      password_hash: account.passwordHash,
      first_name: account.firstName,
      last_name: account.lastName,
      created_at: account.createdAt,
    })
    .returning(ACCOUNT_COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function findPassword(
  connection: Connection,
  email: string,
): Promise<{ id: string; password_hash: string } | undefined> {
  return connection
    .selectFrom('customers')
    .select(['id', 'password_hash'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
}

/**
 * Makes writers of one account wait for each other.
 * @throws Refusal `unauthenticated` when the account is gone
 */
export async function lockAccount(tx: Tx, customerId: string): Promise<void> {
  const account = await tx
    .selectFrom('customers')
    .select('id')
    .where('id', '=', customerId)
    // Not `for update`: a login elsewhere inserts a session that refers to this row and need not wait.
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!account) throw accountGone()
}

/** The customer with all addresses. @throws Refusal `unauthenticated` when the account is gone */
export async function readCustomer(connection: Connection, customerId: string): Promise<Customer> {
  const account = await connection
    .selectFrom('customers')
    .select(ACCOUNT_COLUMNS)
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (!account) throw accountGone()
  return toCustomer(account, await listAddresses(connection, customerId))
}

export interface AccountChange {
  firstName?: string | undefined
  lastName?: string | undefined
  phone?: string | null | undefined
  marketingOptIn?: boolean | undefined
}

/** What is left out stays as it is. */
export async function updateAccount(tx: Tx, customerId: string, change: AccountChange): Promise<void> {
  await tx
    .updateTable('customers')
    .set({
      ...(change.firstName === undefined ? {} : { first_name: change.firstName }),
      ...(change.lastName === undefined ? {} : { last_name: change.lastName }),
      ...(change.phone === undefined ? {} : { phone: change.phone }),
      ...(change.marketingOptIn === undefined ? {} : { marketing_opt_in: change.marketingOptIn }),
    })
    .where('id', '=', customerId)
    .execute()
}

/** The stored hash of a customer's password; undefined when the account is gone. */
export async function findPasswordOf(connection: Connection, customerId: string): Promise<string | undefined> {
  const account = await connection
    .selectFrom('customers')
    .select('password_hash')
    .where('id', '=', customerId)
    .executeTakeFirst()
  return account?.password_hash
}

/** Keeps everybody off the account, those too who are about to sign in or to add what refers to it. */
export async function lockAccountToDelete(
  tx: Tx,
  customerId: string,
): Promise<(Account & { password_hash: string }) | undefined> {
  return tx
    .selectFrom('customers')
    .select([...ACCOUNT_COLUMNS, 'password_hash'])
    .where('id', '=', customerId)
    .forUpdate()
    .executeTakeFirst()
}

/** What refers to the account goes with it, its sessions aside, which only lose its name. */
export async function deleteCustomer(tx: Tx, customerId: string): Promise<void> {
  await tx.deleteFrom('customers').where('id', '=', customerId).execute()
}
