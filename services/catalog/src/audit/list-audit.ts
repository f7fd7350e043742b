import { z } from 'zod'
import { AuditList, AuditPageQuery, readAuditPage, type ActorNames } from '@storefront/audit'
import { optionalFilter, type App } from '@storefront/http'
import { AUDITED_KINDS } from '@storefront/contracts'
import type { Database } from '../database.ts'

const AuditQuery = AuditPageQuery.extend({
  kind: optionalFilter(z.enum(AUDITED_KINDS.catalog)).describe('Only entries about this kind of record.'),
  id: optionalFilter(z.string().max(200)).describe(
    'Only entries about the record with this id; for categories and collections, the slug.',
  ),
})

export function listAuditRoute(app: App, context: { db: Database; names: ActorNames }): void {
  app.get('/admin/audit', {
    config: { access: { admin: 'catalog:read' } },
    schema: {
      summary: 'Who changed what and when, latest first',
      description:
        'Each entry holds the fields that differ, before and after, without secrets. An import is one entry. A bulk edit has ' +
        'an entry for each product that it changed, with the action `bulk-edit`.',
      querystring: AuditQuery,
      response: { 200: AuditList },
    },
    handler: ({ query }) =>
      readAuditPage(context, query, { kinds: query.kind === undefined ? undefined : [query.kind], id: query.id }),
  })
}
