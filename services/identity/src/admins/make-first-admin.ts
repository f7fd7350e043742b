import { transaction } from '@storefront/postgres'
import type { Clock } from '@storefront/service'
import { newId, type EmailAddress } from '@storefront/contracts'
import { emailColumns } from '../accounts/account.ts'
import type { Database } from '../database.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import { hasAdminUser, insertAdminUser, lockAdminUsers } from './admins.queries.ts'

/**
 * Creates the first admin at the start of a new shop. Once there is one, ADMIN_EMAIL and ADMIN_PASSWORD are ignored: a
 * leftover variable must not undo a changed password.
 */
export async function makeFirstAdmin(
  { db, passwords, clock }: { db: Database; passwords: PasswordHasher; clock: Clock },
  { email, password }: { email: EmailAddress; password: string },
): Promise<void> {
  if (await hasAdminUser(db)) return
  const passwordHash = await passwords.hash(password)
  await transaction(db, async (tx) => {
    await lockAdminUsers(tx)
    // Another replica may have created it at the same moment.
    if (await hasAdminUser(tx)) return
    await insertAdminUser(tx, {
      id: newId('adminUser'),
      ...emailColumns(email),
      name: 'Owner',
      role: 'owner',
      password_hash: passwordHash,
      created_at: clock.now(),
    })
  })
}
