import { auditListOf, auditPage, AuditPageQuery, type App } from '@storefront/chassis'
import { z } from 'zod'
import type { Dependencies } from '../app.ts'
import { AdminAuditEntry, AuditedAction } from './audit-entry.ts'
import { countAuditEntries, listAuditEntries } from './audit.queries.ts'

const MAX_TOTAL = 10_000

const AuditQuery = AuditPageQuery.extend({ action: AuditedAction.optional() })

const AuditList = auditListOf(AdminAuditEntry).extend({
  total: z.int().nonnegative().max(MAX_TOTAL).describe(`How many fit; ${MAX_TOTAL} stands for that many or more.`),
})

/** Who signed in, or tried to, and who changed what about admin users and keys, the latest first. */
export function listAuditRoute(app: App, { db }: Dependencies): void {
  app.get('/admin/auth/audit', {
    config: { access: { admin: 'admins:write' } },
    schema: {
      tags: ['Admin: users'],
      summary: 'Who signed in or tried to, and who changed whose access, the latest first',
      querystring: AuditQuery,
      response: { 200: AuditList },
    },
    handler: async ({ query }) => {
      const total = await countAuditEntries(db, query, MAX_TOTAL)
      // One more than a page holds tells whether there is another.
      const found = await listAuditEntries(db, query, { beforeId: query.before_id, limit: query.per_page + 1 })
      const entries = found.map(({ at, user_agent, request_id, ...entry }) => ({
        ...entry,
        at: at.toISOString(),
        userAgent: user_agent,
        requestId: request_id,
      }))
      return { ...auditPage(entries, query.per_page), total }
    },
  })
}
