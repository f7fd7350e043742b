import type { Customer, EmailAddress } from '@storefront/contracts'
import { sql, type Insertable, type Updateable } from 'kysely'
import { listAddresses } from '../addresses/addresses.queries.ts'
import type { Connection, IdentityTables, Tx } from '../database.ts'
import { accountGone } from '../errors.ts'
import { emailColumns, toCustomer, type Account } from './account.ts'

export const ACCOUNT_COLUMNS = [
  'id',
  'email',
  'email_canonical',
  'first_name',
  'last_name',
  'phone',
  'email_verified_at',
] as const

/** @throws the database's unique violation when the email address has an account */
export async function insertAccount(tx: Tx, account: Insertable<IdentityTables['customers']>): Promise<Account> {
  return tx.insertInto('customers').values(account).returning(ACCOUNT_COLUMNS).executeTakeFirstOrThrow()
}

/** @param canonical form of an email address; undefined for an invalid one, which no account has */
export async function findPassword(
  connection: Connection,
  canonical: string | undefined,
): Promise<{ id: string; password_hash: string } | undefined> {
  return connection
    .selectFrom('customers')
    .select(['id', 'password_hash'])
    .where('email_canonical', '=', canonical ?? null)
    .executeTakeFirst()
}

/** A locked account: it does not change until the transaction ends. */
export interface LockedAccount extends Account {
  password_hash: string
  /**
   * The hash of the registration's password, which no longer signs in because the address was confirmed without proof
   * of the account.
   */
  unproven_password_hash: string | null
}

const LOCKED_COLUMNS = [...ACCOUNT_COLUMNS, 'password_hash', 'unproven_password_hash'] as const

/** Serializes the writers of one account. */
export async function findLockedAccount(tx: Tx, customerId: string): Promise<LockedAccount | undefined> {
  return (
    tx
      .selectFrom('customers')
      .select(LOCKED_COLUMNS)
      .where('id', '=', customerId)
      // Not `for update`, so that rows that only refer to this one, such as a new confirmation, need not wait.
      .forNoKeyUpdate()
      .executeTakeFirst()
  )
}

/** Serializes the writers of one account. @throws HttpError `unauthenticated` when the account is gone */
export async function lockAccount(tx: Tx, customerId: string): Promise<LockedAccount> {
  const account = await findLockedAccount(tx, customerId)
  if (!account) throw accountGone()
  return account
}

/**
 * Whether the password is still the one that was checked. It cannot change until the transaction ends, so that a later
 * change of the password also ends the session that this transaction opens.
 */
export async function holdPassword(tx: Tx, customerId: string, passwordHash: string): Promise<boolean> {
  const account = await tx
    .selectFrom('customers')
    .select('id')
    .where('id', '=', customerId)
    .where('password_hash', '=', passwordHash)
    .forShare()
    .executeTakeFirst()
  return account !== undefined
}

/** @throws HttpError `unauthenticated` when the account is gone */
export async function readPassword(
  connection: Connection,
  customerId: string,
): Promise<{ email: string; email_canonical: string | null; password_hash: string }> {
  const account = await connection
    .selectFrom('customers')
    .select(['email', 'email_canonical', 'password_hash'])
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (!account) throw accountGone()
  return account
}

/** Requires the lock on the account. */
export async function updatePassword(tx: Tx, customerId: string, passwordHash: string): Promise<void> {
  await tx
    .updateTable('customers')
    .set({ password_hash: passwordHash, unproven_password_hash: null })
    .where('id', '=', customerId)
    .execute()
}

/** The password no longer signs in; it is kept for comparison. Requires the lock on the account. */
export async function withdrawPassword(tx: Tx, customerId: string, unusableHash: string): Promise<void> {
  await tx
    .updateTable('customers')
    .set({
      password_hash: unusableHash,
      unproven_password_hash: sql`coalesce(unproven_password_hash, password_hash)`,
    })
    .where('id', '=', customerId)
    .execute()
}

/**
 * The password that an account was registered with, as long as its address is not verified.
 * @returns undefined for an account with a verified address
 */
export async function findUnprovenPassword(connection: Connection, customerId: string): Promise<string | undefined> {
  const account = await connection
    .selectFrom('customers')
    .select(['password_hash', 'unproven_password_hash'])
    .where('id', '=', customerId)
    .where('email_verified_at', 'is', null)
    .executeTakeFirst()
  return account && unprovenPasswordOf(account)
}

export function unprovenPasswordOf(account: Pick<LockedAccount, 'password_hash' | 'unproven_password_hash'>): string {
  return account.unproven_password_hash ?? account.password_hash
}

/** Requires the lock on the account. */
export async function clearDetails(tx: Tx, customerId: string): Promise<void> {
  await tx
    .updateTable('customers')
    .set({ first_name: '', last_name: '', phone: null, marketing_opt_in: false })
    .where('id', '=', customerId)
    .execute()
}

/** Marks the account's address as verified; the time of the first verification is kept. */
export async function markVerified(tx: Tx, customerId: string, now: Date): Promise<void> {
  await tx
    .updateTable('customers')
    .set({ email_verified_at: now })
    .where('id', '=', customerId)
    .where('email_verified_at', 'is', null)
    .execute()
}

/** A new address, verified. @throws the database's unique violation when the address has an account */
export async function updateEmail(tx: Tx, customerId: string, email: EmailAddress, now: Date): Promise<void> {
  await tx
    .updateTable('customers')
    .set({ ...emailColumns(email), email_verified_at: now })
    .where('id', '=', customerId)
    .execute()
}

/** The customer with all addresses. @throws HttpError `unauthenticated` when the account is gone */
export async function readCustomer(connection: Connection, customerId: string): Promise<Customer> {
  const account = await connection
    .selectFrom('customers')
    .select(ACCOUNT_COLUMNS)
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (!account) throw accountGone()
  return toCustomer(account, await listAddresses(connection, customerId))
}

/** Fields that are left out or undefined stay unchanged; at least one is required. */
export async function updateAccount(
  tx: Tx,
  customerId: string,
  change: Updateable<IdentityTables['customers']>,
): Promise<void> {
  await tx.updateTable('customers').set(change).where('id', '=', customerId).execute()
}

/**
 * Locks the account against all other transactions, including those about to sign in or to add rows that refer to it.
 */
export async function lockAccountToDelete(tx: Tx, customerId: string): Promise<LockedAccount | undefined> {
  return tx.selectFrom('customers').select(LOCKED_COLUMNS).where('id', '=', customerId).forUpdate().executeTakeFirst()
}

/** Rows that refer to the account are deleted with it, except its sessions, which only lose its name. */
export async function deleteCustomer(tx: Tx, customerId: string): Promise<void> {
  await tx.deleteFrom('customers').where('id', '=', customerId).execute()
}
