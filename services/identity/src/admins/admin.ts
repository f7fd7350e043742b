import { AdminRole, OpaqueId, Permission, ROLE_PERMISSIONS, Timestamp } from '@storefront/contracts'
import { z } from 'zod'
import { oneLine } from '../accounts/account.ts'
import type { Row } from '../database.ts'
import { beyondOwnPermissions } from '../errors.ts'
import { PASSWORD_LENGTH, requireStrongPassword } from '../passwords/password.ts'

export const AdminUser = z
  .object({
    id: z.string().describe('Audits name the user by it.'),
    email: z.string().describe('The address for signing in.'),
    name: z.string().describe('Shown in audits and in the list of users.'),
    role: AdminRole.describe('Decides the permissions of the user.'),
    permissions: z.array(Permission).describe('The permissions of the role.'),
    disabled: z.boolean().describe('True for a user who cannot sign in.'),
    secondFactor: z.boolean().describe('Whether signing in also requires a code from an authenticator app.'),
    createdAt: Timestamp.describe('When the user was added.'),
    lastSignInAt: Timestamp.nullable().describe('Null before the first sign-in.'),
  })
  .meta({ id: 'AdminUser' })
export type AdminUser = z.output<typeof AdminUser>

export const AdminName = oneLine(100).min(1)

/** Longer than a customer's: it protects the whole shop. */
const ADMIN_PASSWORD_LENGTH = { min: 12, max: PASSWORD_LENGTH.max } as const

/** Describes a password that an admin user chooses. */
export const ADMIN_PASSWORD_RULE = `${ADMIN_PASSWORD_LENGTH.min} to ${ADMIN_PASSWORD_LENGTH.max} characters; anything else is \`weak_password\`.`

export const AdminParams = z.object({ id: OpaqueId.describe('Id of an admin user, as GET /admin/users lists it.') })

export type StoredAdminUser = Omit<Row<'admin_users'>, 'password_hash'> & { has_second_factor: boolean }

export function toAdminUser(user: StoredAdminUser): AdminUser {
  const { id, email, name, role } = user
  return {
    id,
    email,
    name,
    role,
    permissions: [...ROLE_PERMISSIONS[role]],
    disabled: user.disabled_at !== null,
    secondFactor: user.has_second_factor,
    createdAt: user.created_at.toISOString(),
    lastSignInAt: user.last_sign_in_at?.toISOString() ?? null,
  }
}

/** @throws HttpError `weak_password` */
export function requireStrongAdminPassword(password: string): void {
  requireStrongPassword(password, ADMIN_PASSWORD_LENGTH)
}

/**
 * An admin cannot grant permissions that they do not have, or change a user who has more: otherwise a secret key for
 * one purpose would be as powerful as one for everything.
 * @throws HttpError `forbidden`
 */
export function requireAllPermissionsOf(role: AdminRole, own: readonly Permission[]): void {
  if (!ROLE_PERMISSIONS[role].every((permission) => own.includes(permission))) throw beyondOwnPermissions()
}
