import { AuditList, AuditPageQuery, readAuditPage, type ActorNames } from '@storefront/audit'
import { optionalFilter, type App } from '@storefront/http'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { normalizedCode } from '../discounts/discount.ts'

const Query = AuditPageQuery.extend({
  id: optionalFilter(z.string().max(200)).describe('Only entries about the discount with this code, in any case.'),
})

export function listAuditRoute(app: App, context: { db: Database; names: ActorNames }): void {
  app.get('/admin/discounts/audit', {
    config: { access: { admin: 'discounts:write' } },
    schema: {
      summary: 'Who created, changed, deleted or imported which discount and when, latest first',
      description:
        'The action `import` is the change that an import made to one discount: there is no `before` when it was created, and no ' +
        '`after` when it was deleted. A discount whose code is AUDIT is read in capitals, at /admin/discounts/AUDIT.',
      querystring: Query,
      response: { 200: AuditList },
    },
    handler: ({ query }) =>
      readAuditPage(context, query, { id: query.id === undefined ? undefined : normalizedCode(query.id) }),
  })
}
