import { auditListOf, auditPage, AuditPageQuery, type App } from '@storefront/chassis'
import { Timestamp } from '@storefront/contracts'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { countEndpointAudit, listEndpointAudit } from './endpoint-audit.queries.ts'

const MAX_TOTAL = 10_000

const Fields = z.record(z.string(), z.unknown()).nullable()

/** As in the audit of the catalogue. */
const WebhookAuditEntry = z
  .object({
    id: z.int(),
    at: Timestamp,
    /** The admin user or the secret key. */
    actor: z.string(),
    action: z.enum(['create', 'update', 'delete']),
    subject: z.object({ kind: z.literal('webhook'), id: z.string() }),
    before: Fields,
    after: Fields,
  })
  .meta({ id: 'WebhookAuditEntry' })

const WebhookAuditQuery = AuditPageQuery.extend({ id: z.string().max(200).optional() })

const WebhookAuditList = auditListOf(WebhookAuditEntry).extend({
  total: z.int().nonnegative().max(MAX_TOTAL).describe(`How many fit; ${MAX_TOTAL} stands for that many or more.`),
})

export function listEndpointAuditRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/webhooks/audit', {
    config: { access: { admin: 'webhooks:write' } },
    schema: {
      tags: ['Admin: webhooks'],
      summary: 'Who registered, changed, rotated or deleted which endpoint and when, the latest first',
      description: 'Of secrets, and of what follows the host in an address, it says only that they changed.',
      querystring: WebhookAuditQuery,
      response: { 200: WebhookAuditList },
    },
    handler: async ({ query }) => {
      const total = await countEndpointAudit(db, query, MAX_TOTAL)
      // One more than a page holds tells whether there is another.
      const found = await listEndpointAudit(db, query, { beforeId: query.before_id, limit: query.per_page + 1 })
      const entries = found.map(({ endpoint_id: id, at, ...entry }) => ({
        ...entry,
        at: at.toISOString(),
        subject: { kind: 'webhook' as const, id },
      }))
      return { ...auditPage(entries, query.per_page), total }
    },
  })
}
