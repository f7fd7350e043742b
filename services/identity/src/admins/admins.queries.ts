import { sql, type Insertable, type Updateable } from 'kysely'
import type { Connection, IdentityTables, Row, Tx } from '../database.ts'
import type { StoredAdminUser } from './admin.ts'

/** Serializes changes of admin users until the transaction ends. */
export async function lockAdminUsers(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('admin users'), hashtext(current_schema()))`.execute(tx)
}

export async function hasAdminUser(connection: Connection): Promise<boolean> {
  return (await connection.selectFrom('admin_users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** @throws the database's unique violation when the email address belongs to another admin user */
export async function insertAdminUser(tx: Tx, user: Insertable<IdentityTables['admin_users']>): Promise<void> {
  await tx.insertInto('admin_users').values(user).execute()
}

export type AdminWithPassword = Omit<Row<'admin_users'>, 'created_at' | 'last_sign_in_at'>

const WITH_PASSWORD = ['id', 'email', 'email_canonical', 'name', 'role', 'password_hash', 'disabled_at'] as const

/** @param canonical form of an email address; undefined for an invalid one, which no user has */
export async function findAdminByEmail(
  connection: Connection,
  canonical: string | undefined,
): Promise<AdminWithPassword | undefined> {
  return connection
    .selectFrom('admin_users')
    .select(WITH_PASSWORD)
    .where('email_canonical', '=', canonical ?? null)
    .executeTakeFirst()
}

export async function findAdminWithPassword(
  connection: Connection,
  id: string,
): Promise<AdminWithPassword | undefined> {
  return connection.selectFrom('admin_users').select(WITH_PASSWORD).where('id', '=', id).executeTakeFirst()
}

const ADMINS = sql`
  select u.id, u.email, u.email_canonical, u.name, u.role, u.created_at, u.disabled_at, u.last_sign_in_at, exists (
    select from admin_second_factors f where f.admin_user_id = u.id and f.confirmed_at is not null) as has_second_factor
  from admin_users u`

export async function findAdmin(connection: Connection, id: string): Promise<StoredAdminUser | undefined> {
  const { rows } = await sql<StoredAdminUser>`${ADMINS} where u.id = ${id}`.execute(connection)
  return rows[0]
}

/** Oldest first. */
export async function listAdmins(connection: Connection): Promise<StoredAdminUser[]> {
  const { rows } = await sql<StoredAdminUser>`${ADMINS} order by u.created_at, u.id`.execute(connection)
  return rows
}

/** Locks the user until the transaction ends. Values that were read before may be out of date. */
export async function lockAdmin(tx: Tx, id: string): Promise<AdminWithPassword | undefined> {
  return tx.selectFrom('admin_users').select(WITH_PASSWORD).where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function hasOtherEnabledOwner(tx: Tx, id: string): Promise<boolean> {
  const other = await tx
    .selectFrom('admin_users')
    .select('id')
    .where('role', '=', 'owner')
    .where('disabled_at', 'is', null)
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** Fields that are left out or undefined stay unchanged; at least one is required. */
export async function updateAdmin(
  tx: Tx,
  id: string,
  change: Updateable<IdentityTables['admin_users']>,
): Promise<void> {
  await tx.updateTable('admin_users').set(change).where('id', '=', id).execute()
}

export async function deleteAdmin(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('admin_users').where('id', '=', id).execute()
}
