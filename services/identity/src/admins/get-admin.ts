import type { App } from '@storefront/http'
import { Permission } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { accountGone } from '../errors.ts'
import { adminPersonOf } from '../sessions/caller.ts'
import { AdminUser, toAdminUser } from './admin.ts'
import { findAdmin } from './admins.queries.ts'

const AdminSession = z
  .object({
    user: AdminUser.describe('The signed-in user.'),
    permissions: z.array(Permission).describe('The permissions of this session.'),
  })
  .meta({ id: 'AdminSession' })

export function getAdminRoute(app: App, { db }: IdentityContext): void {
  app.get('/admin/auth/me', {
    config: { access: 'admin-user' },
    schema: {
      summary: 'The signed-in user, and the permissions of this session',
      description: 'The admin user of the token. An admin page uses the permissions to decide what it shows.',
      response: { 200: AdminSession },
    },
    handler: async ({ actor }) => {
      const { userId, permissions } = adminPersonOf(actor)
      const user = await findAdmin(db, userId)
      if (!user || user.disabled_at) throw accountGone()
      return { user: toAdminUser(user), permissions: [...permissions] }
    },
  })
}
