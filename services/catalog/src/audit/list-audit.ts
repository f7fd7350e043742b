import { z } from 'zod'
import { AuditList, AuditPageQuery, readAuditPage, type ActorNames, type App } from '@storefront/chassis'
import { AUDITED_KINDS } from '@storefront/contracts'
import type { Database } from '../database.ts'

const AuditQuery = AuditPageQuery.extend({
  kind: z.enum(AUDITED_KINDS.catalog).optional(),
  id: z.string().max(200).optional(),
})

/** Who changed what and when, the latest first. */
export function listAuditRoute(app: App, context: { db: Database; names: ActorNames }): void {
  app.get(
    '/admin/audit',
    {
      config: { access: { admin: 'catalog:read' } },
      schema: {
        tags: ['Admin: catalogue'],
        summary: 'Who changed what and when, the latest first',
        querystring: AuditQuery,
        response: { 200: AuditList },
      },
    },
    ({ query }) =>
      readAuditPage(context, query, { kinds: query.kind === undefined ? undefined : [query.kind], id: query.id }),
  )
}
