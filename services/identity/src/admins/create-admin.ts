import { transaction, violatedConstraint } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { AdminRole, newId } from '@storefront/contracts'
import { z } from 'zod'
import { emailColumns, requireEmail } from '../accounts/account.ts'
import type { IdentityContext } from '../context.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { accountGone, emailTaken } from '../errors.ts'
import { adminOf } from '../sessions/caller.ts'
import {
  ADMIN_PASSWORD_RULE,
  AdminName,
  AdminUser,
  requireAllPermissionsOf,
  requireStrongAdminPassword,
  toAdminUser,
} from './admin.ts'
import { findAdmin, insertAdminUser } from './admins.queries.ts'
import { ReauthenticationFields, reauthenticateByCode, reauthenticateByPassword } from './re-authenticate.ts'

const NewAdmin = z.object({
  email: z.string().describe('The address for signing in; unique among admin users, ignoring case.'),
  name: AdminName.describe('Shown in audits and in the list of users.'),
  role: AdminRole.describe('Decides the permissions, all of which you must have yourself.'),
  password: z.string().describe(ADMIN_PASSWORD_RULE),
  ...ReauthenticationFields.shape,
})

export function createAdminRoute(app: App, context: IdentityContext): void {
  const { db, passwords, verifyActor, clock } = context
  app.post('/admin/users', {
    config: {
      access: { admin: 'admins:write' },
      errors: ['email_taken', 'invalid_credentials', 'invalid_email', 'missing_credentials', 'weak_password'],
    },
    schema: {
      summary: 'Add an admin user',
      description:
        'The user can sign in at once. Requires your own password as `currentPassword`, and a `code` if your second factor is ' +
        'on: a stolen session must not be able to add a user. A secret key cannot add one.',
      body: NewAdmin,
      response: { 200: AdminUser },
    },
    handler: async (request) => {
      const { userId: actor, permissions } = adminOf(request.actor)
      const { name, role, password } = request.body
      const email = requireEmail(request.body.email)
      requireAllPermissionsOf(role, permissions)
      requireStrongAdminPassword(password)
      const origin = originOf(request, verifyActor)
      const operation = { action: 'create_user', origin } as const
      const person = await reauthenticateByPassword(context, request.actor, request.body, operation)
      const passwordHash = await passwords.hash(password)
      const id = newId('adminUser')
      const at = clock.now()
      const added = await transaction(db, async (tx) => {
        const error = await reauthenticateByCode(tx, person, context, at)
        if (error) return { error }
        const row = { id, ...emailColumns(email), name, role, password_hash: passwordHash, created_at: at }
        await insertAdminUser(tx, row)
        await recordAudit(tx, { action: 'create_user', actor, subject: id, email: email.typed, origin, at })
        return { user: await findAdmin(tx, id) }
      }).catch((error: unknown) => {
        throw violatedConstraint(error) === 'admin_users_email_canonical' ? emailTaken() : error
      })
      if (added.error) throw added.error
      if (!added.user) throw accountGone()
      return toAdminUser(added.user)
    },
  })
}
