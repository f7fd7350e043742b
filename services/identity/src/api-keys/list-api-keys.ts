import type { App } from '@storefront/http'
import { listOf } from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import { ApiKey, toApiKey } from './api-key.ts'
import { listApiKeys } from './api-keys.queries.ts'

export function listApiKeysRoute(app: App, { db }: IdentityContext): void {
  app.get('/admin/api-keys', {
    config: { access: { admin: 'admins:write' } },
    schema: {
      summary: 'List the API keys',
      description: 'Newest first. A key that was revoked or has expired stays in the list for 90 days.',
      response: { 200: listOf(ApiKey) },
    },
    handler: async () => {
      const items = (await listApiKeys(db)).map(toApiKey)
      return { items, total: items.length }
    },
  })
}
