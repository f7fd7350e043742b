import { auditListOf, AuditPageQuery, MAX_AUDIT_TOTAL, namelessActor, periodOf } from '@storefront/audit'
import { latestFirstPage, offsetOf, optionalFilter, type App } from '@storefront/http'
import type { z } from 'zod'
import { findActors } from '../actors/actors.queries.ts'
import type { IdentityContext } from '../context.ts'
import { AdminAuditEntry, AuditedAction } from './audit-entry.ts'
import { countAuditEntries, listAuditEntries, type AuditFilter } from './audit.queries.ts'

const AuditQuery = AuditPageQuery.extend({
  action: optionalFilter(AuditedAction).describe('Only entries of this action.'),
})

/** Sign-ins of admins, failed ones included, and changes of admin users and keys, latest first. */
export function listAuditRoute(app: App, { db }: IdentityContext): void {
  app.get('/admin/auth/audit', {
    config: { access: { admin: 'admins:write' } },
    schema: {
      summary: 'Sign-ins and sign-in attempts, and changes of admin access, latest first',
      description:
        'Failed sign-ins are included, with the reason. Entries contain names of fields and never a password, ' +
        'code or key.',
      querystring: AuditQuery,
      response: { 200: auditListOf(AdminAuditEntry) },
    },
    handler: async ({ query }) => {
      const filter = filterOf(query)
      const total = await countAuditEntries(db, filter, MAX_AUDIT_TOTAL)
      // One more than a page holds, which shows whether there is another page.
      const found = await listAuditEntries(db, filter, {
        beforeId: query.before_id,
        limit: query.per_page + 1,
        offset: offsetOf(query, query.before_id),
      })
      const page = latestFirstPage(found, query)
      const actors = await findActors(db, [...new Set(page.items.flatMap(({ actor }) => actor ?? []))])
      const known = new Map(actors.map((actor) => [actor.id, actor]))
      const items = page.items.map(({ at, user_agent, request_id, ...entry }) => ({
        ...entry,
        at: at.toISOString(),
        by: entry.actor === null ? null : (known.get(entry.actor) ?? namelessActor(entry.actor)),
        userAgent: user_agent,
        requestId: request_id,
      }))
      return { ...page, items, total }
    },
  })
}

function filterOf({ action, actor, ...period }: z.output<typeof AuditQuery>): AuditFilter {
  return {
    actions: action === undefined ? undefined : [action],
    actorIds: actor === undefined ? undefined : [actor],
    ...periodOf(period),
  }
}
