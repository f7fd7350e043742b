import { AuditList, AuditPageQuery, readAuditPage, type ActorNames, type App } from '@storefront/chassis'
import { z } from 'zod'
import type { Database } from '../database.ts'

const WEBHOOK_KINDS = ['webhook', 'delivery'] as const

const WebhookAuditQuery = AuditPageQuery.extend({
  kind: z
    .enum(WEBHOOK_KINDS)
    .optional()
    .describe('`webhook`: what was done to endpoints. `delivery`: what was sent again. Both if left out.'),
  id: z.string().max(200).optional().describe('Id of an endpoint or of a delivery.'),
})

export function listAuditRoute(app: App, context: { db: Database; names: ActorNames }): void {
  app.get('/admin/webhooks/audit', {
    config: { access: { admin: 'webhooks:write' } },
    schema: {
      tags: ['Admin: webhooks'],
      summary: 'Who changed, tested or deleted which endpoint, and who had deliveries sent again, the latest first',
      description:
        'Of secrets, and of what follows the host in an address, it says only that they changed. The actions `create`, ' +
        '`update`, `delete` and `test` are about an endpoint, `replay` is about deliveries.',
      querystring: WebhookAuditQuery,
      response: { 200: AuditList },
    },
    handler: ({ query }) =>
      readAuditPage(context, query, { kinds: query.kind === undefined ? WEBHOOK_KINDS : [query.kind], id: query.id }),
  })
}
