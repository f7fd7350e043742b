import type { App } from '@storefront/http'
import { Library } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findLibrary } from './library.queries.ts'

export function listLibraryRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/library', {
    config: { access: { admin: 'catalog:read' } },
    schema: {
      summary: 'The store’s own attributes, features and assurances',
      description: 'Items that the store saved for its products; built-in ones are only at GET /attributes.',
      response: { 200: Library },
    },
    handler: async () => findLibrary(db),
  })
}
