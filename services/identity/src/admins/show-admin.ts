import type { App } from '@storefront/chassis'
import { z } from 'zod'
import type { Dependencies } from '../app.ts'
import { accountGone } from '../errors.ts'
import { adminUserIdOf } from '../sessions/caller.ts'
import { AdminUser, toAdminUser } from './admin.ts'
import { findAdmin } from './admins.queries.ts'

export function showAdminRoute(app: App, { db }: Dependencies): void {
  app.get('/admin/auth/me', {
    // Every role has it: this is for any admin.
    config: { access: { admin: 'catalog:read' } },
    schema: { tags: ['Admin: sign-in'], summary: 'Who is signed in', response: { 200: z.object({ user: AdminUser }) } },
    handler: async ({ actor }) => {
      const user = await findAdmin(db, adminUserIdOf(actor))
      if (!user) throw accountGone()
      return { user: toAdminUser(user) }
    },
  })
}
