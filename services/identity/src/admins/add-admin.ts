import { transaction, violatedConstraint, type App } from '@storefront/chassis'
import { AdminRole, newId } from '@storefront/contracts'
import { z } from 'zod'
import { requireEmail } from '../accounts/account.ts'
import type { Dependencies } from '../app.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { accountGone, emailTaken } from '../errors.ts'
import { adminOf } from '../sessions/caller.ts'
import { AdminName, AdminUser, requireAllPermissionsOf, requireStrongAdminPassword, toAdminUser } from './admin.ts'
import { findAdmin, insertAdminUser } from './admins.queries.ts'

const NewAdmin = z.object({ email: z.string(), name: AdminName, role: AdminRole, password: z.string() })

export function addAdminRoute(app: App, { db, passwords, verifyActor, clock }: Dependencies): void {
  app.post('/admin/users', {
    config: { access: { admin: 'admins:write' } },
    schema: { tags: ['Admin: users'], summary: 'Add an admin user', body: NewAdmin, response: { 200: AdminUser } },
    handler: async (request) => {
      const { userId: actor, permissions } = adminOf(request.actor)
      const { name, role, password } = request.body
      const email = requireEmail(request.body.email)
      requireAllPermissionsOf(role, permissions)
      requireStrongAdminPassword(password)
      const passwordHash = await passwords.hash(password)
      const id = newId('adminUser')
      const at = clock.now()
      const origin = originOf(request, verifyActor)
      const added = await transaction(db, async (tx) => {
        await insertAdminUser(tx, { id, email, name, role, passwordHash, createdAt: at })
        await recordAudit(tx, { action: 'create_user', actor, subject: id, email, origin, at })
        return findAdmin(tx, id)
      }).catch((error: unknown) => {
        throw violatedConstraint(error) === 'admin_users_email' ? emailTaken() : error
      })
      if (!added) throw accountGone()
      return toAdminUser(added)
    },
  })
}
