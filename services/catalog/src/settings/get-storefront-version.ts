import type { App } from '@storefront/http'
import type { Database } from '../database.ts'
import { storefrontVersionNotFound } from '../errors.ts'
import { findSettingsVersion } from './settings.queries.ts'
import { configurationOf } from './stored-settings.ts'
import { versionResponse, VersionParam, WholeVersion } from './settings-version.ts'

export function getStorefrontVersionRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/storefront/versions/:version', {
    config: { access: { admin: 'catalog:read' }, errors: ['not_found'] },
    schema: {
      summary: 'One version of the storefront configuration',
      description: 'The configuration that was in force at that time, in the current shapes.',
      params: VersionParam,
      response: { 200: WholeVersion },
    },
    handler: async ({ params }) => {
      const found = await findSettingsVersion(db, params.version)
      if (!found) throw storefrontVersionNotFound()
      return { ...versionResponse(found), configuration: configurationOf(found.document) }
    },
  })
}
