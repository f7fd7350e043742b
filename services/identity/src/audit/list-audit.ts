import type { App } from '@storefront/chassis'
import { clampedInteger, listOf } from '@storefront/contracts'
import { z } from 'zod'
import type { Dependencies } from '../app.ts'
import { AdminAuditEntry, AuditedAction } from './audit-entry.ts'
import { countAuditEntries, listAuditEntries } from './audit.queries.ts'

const DEFAULT_PER_PAGE = 25
const MAX_PER_PAGE = 100
const MAX_TOTAL = 10_000

const AuditQuery = z.object({
  action: AuditedAction.optional(),
  actor: z.string().max(200).optional(),
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  /** The last id of the page before: entries are numbered, and newer ones come while somebody reads. */
  before_id: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .optional(),
  per_page: clampedInteger({ default: DEFAULT_PER_PAGE, min: 1, max: MAX_PER_PAGE }),
})

const AuditList = listOf(AdminAuditEntry).extend({
  total: z.int().nonnegative().max(MAX_TOTAL).describe(`How many fit; ${MAX_TOTAL} stands for that many or more.`),
  perPage: z.int(),
  nextBeforeId: z.int().optional(),
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
      const page = found.slice(0, query.per_page)
      const last = page.at(-1)
      return {
        items: page.map(({ at, user_agent, request_id, ...entry }) => ({
          ...entry,
          at: at.toISOString(),
          userAgent: user_agent,
          requestId: request_id,
        })),
        total,
        perPage: query.per_page,
        ...(found.length > page.length && last && { nextBeforeId: last.id }),
      }
    },
  })
}
