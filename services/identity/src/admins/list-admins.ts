import type { App } from '@storefront/http'
import { listOf } from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import { AdminUser, toAdminUser } from './admin.ts'
import { listAdmins } from './admins.queries.ts'

export function listAdminsRoute(app: App, { db }: IdentityContext): void {
  app.get('/admin/users', {
    config: { access: { admin: 'admins:write' } },
    schema: {
      summary: 'All admin users',
      description: 'All of them in one response, including disabled ones, in the order in which they were added.',
      response: { 200: listOf(AdminUser) },
    },
    handler: async () => {
      const items = (await listAdmins(db)).map(toAdminUser)
      return { items, total: items.length }
    },
  })
}
