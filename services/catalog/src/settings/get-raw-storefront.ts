import type { App } from '@storefront/http'
import { StorefrontConfiguration } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { etagOf } from '../merchant/entity-tags.ts'
import { findSettings } from './settings.queries.ts'

/**
 * The configuration as it is stored, for a form that edits it. Its ETag is the version, to be sent back as If-Match.
 */
export function getRawStorefrontRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/storefront', {
    config: { access: { admin: 'catalog:read' } },
    schema: {
      summary: 'The storefront configuration as it is stored',
      description:
        'For a form that edits it: with the mail settings, and pictures by their stored paths. Send ' +
        'the ETag back as If-Match.',
      response: { 200: StorefrontConfiguration },
    },
    handler: async (_request, reply) => {
      const settings = await findSettings(db)
      reply.header('etag', etagOf(settings))
      return { ...settings.document, version: settings.version }
    },
  })
}
