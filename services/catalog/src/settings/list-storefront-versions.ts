import { z } from 'zod'
import { pageFields, pageParameters, type App } from '@storefront/http'
import { listOf, StorefrontVersion } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findSettingsVersions } from './settings.queries.ts'
import { versionResponse } from './settings-version.ts'

export function listStorefrontVersionsRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/storefront/versions', {
    config: { access: { admin: 'catalog:read' } },
    schema: {
      summary: 'Who changed the storefront configuration and when, latest version first',
      description:
        'Every change makes a version, and none is deleted. The content of one is at GET ' +
        '/admin/storefront/versions/:version.',
      querystring: z.object(pageParameters()),
      response: { 200: listOf(StorefrontVersion).extend(pageFields) },
    },
    handler: async ({ query: { page, per_page: perPage } }) => {
      const { total, versions } = await findSettingsVersions(db, { limit: perPage, offset: (page - 1) * perPage })
      return { items: versions.map(versionResponse), total, page, perPage }
    },
  })
}
