import { sql } from 'kysely'
import type { Connection, Tx } from '../database.ts'
import type { StoredAdminUser } from './admin.ts'

const USER_COLUMNS = ['id', 'email', 'name', 'role'] as const

/** One copy of the service at a time looks for the first admin; it ends with the transaction. */
export async function lockAdminUsers(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('admin users'), hashtext(current_schema()))`.execute(tx)
}

export async function hasAdminUser(connection: Connection): Promise<boolean> {
  return (await connection.selectFrom('admin_users').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function insertAdminUser(
  tx: Tx,
  user: StoredAdminUser & { passwordHash: string; createdAt: Date },
): Promise<void> {
  const { id, email, name, role } = user
  await tx
    .insertInto('admin_users')
    .values({ id, email, name, role, password_hash: user.passwordHash, created_at: user.createdAt })
    .execute()
}

export async function findAdminByEmail(
  connection: Connection,
  email: string,
): Promise<(StoredAdminUser & { password_hash: string }) | undefined> {
  return connection
    .selectFrom('admin_users')
    .select([...USER_COLUMNS, 'password_hash'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
}

export async function findAdmin(connection: Connection, id: string): Promise<StoredAdminUser | undefined> {
  return connection.selectFrom('admin_users').select(USER_COLUMNS).where('id', '=', id).executeTakeFirst()
}
