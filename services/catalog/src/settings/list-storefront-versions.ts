import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { clampedInteger, listOf, StorefrontVersion } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { findSettingsVersions } from './settings.queries.ts'
import { versionAnswer } from './settings-version.ts'

const DEFAULT_PER_PAGE = 25
const MAX_PER_PAGE = 100

/** What was ever in force, the latest first, without its content. */
export function listStorefrontVersionsRoute(app: App, { db }: { db: Database }): void {
  app.get(
    '/admin/storefront/versions',
    {
      config: { access: { admin: 'catalog:read' } },
      schema: {
        tags: ['Admin: catalogue'],
        summary: 'Who changed the storefront configuration and when, the latest version first',
        querystring: z.object({
          page: clampedInteger({ default: 1, min: 1, max: 1_000_000 }),
          per_page: clampedInteger({ default: DEFAULT_PER_PAGE, min: 1, max: MAX_PER_PAGE }),
        }),
        response: {
          200: listOf(StorefrontVersion).extend({ page: z.int().positive(), perPage: z.int().positive() }),
        },
      },
    },
    async ({ query: { page, per_page: perPage } }) => {
      const { total, versions } = await findSettingsVersions(db, { limit: perPage, offset: (page - 1) * perPage })
      return { items: versions.map(versionAnswer), total, page, perPage }
    },
  )
}
