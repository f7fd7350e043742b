import { AuditList, AuditPageQuery, readAuditPage, type ActorNames } from '@storefront/audit'
import { optionalFilter, type App } from '@storefront/http'
import { z } from 'zod'
import type { Database } from '../database.ts'

const WEBHOOK_KINDS = ['webhook', 'delivery'] as const

const WebhookAuditQuery = AuditPageQuery.extend({
  kind: optionalFilter(z.enum(WEBHOOK_KINDS)).describe(
    '`webhook`: changes of endpoints. `delivery`: replays. Both if omitted.',
  ),
  id: optionalFilter(z.string().max(200)).describe('Id of an endpoint or of a delivery.'),
})

export function listAuditRoute(app: App, context: { db: Database; names: ActorNames }): void {
  app.get('/admin/webhooks/audit', {
    config: { access: { admin: 'webhooks:write' } },
    schema: {
      summary: 'Who changed, tested or deleted endpoints, and who replayed deliveries, latest first',
      description:
        'For secrets, and for the part of a URL after the host, it shows only that they changed. The actions `create`, ' +
        '`update`, `delete` and `test` are about an endpoint, `replay` is about deliveries.',
      querystring: WebhookAuditQuery,
      response: { 200: AuditList },
    },
    handler: ({ query }) =>
      readAuditPage(context, query, { kinds: query.kind === undefined ? WEBHOOK_KINDS : [query.kind], id: query.id }),
  })
}
