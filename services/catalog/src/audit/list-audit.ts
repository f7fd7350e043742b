import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { auditListOf, auditPage, AuditPageQuery, type App } from '@storefront/chassis'
import { Timestamp } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { leaveOutSecret } from './leave-out-secret.ts'
import { AUDITED_KINDS } from './record-change.ts'

const AuditEntry = z
  .object({
    id: z.int(),
    at: Timestamp,
    actor: z.string(),
    action: z.enum(['create', 'update', 'delete', 'import']),
    subject: z.object({ kind: z.enum(AUDITED_KINDS), id: z.string() }),
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'AuditEntry' })

const AuditQuery = AuditPageQuery.extend({
  kind: z.enum(AUDITED_KINDS).optional(),
  id: z.string().max(200).optional(),
})

/** Who changed what and when, the latest first. */
export function listAuditRoute(app: App, { db }: { db: Database }): void {
  app.get(
    '/admin/audit',
    {
      config: { access: { admin: 'catalog:read' } },
      schema: {
        tags: ['Admin: catalogue'],
        summary: 'Who changed what and when, the latest first',
        querystring: AuditQuery,
        response: { 200: auditListOf(AuditEntry) },
      },
    },
    async ({ query }) => {
      const { total, found } = await findEntries(db, query)
      return { ...auditPage(found, query.per_page), total }
    },
  )
}

/** @returns one more than a page holds, and how many fit the filters in all, whatever the page begins with */
async function findEntries(
  db: Database,
  query: z.output<typeof AuditQuery>,
): Promise<{ total: number; found: z.output<typeof AuditEntry>[] }> {
  const conditions = [
    ...(query.kind === undefined ? [] : [sql`subject_kind = ${query.kind}`]),
    ...(query.id === undefined ? [] : [sql`subject_id = ${query.id}`]),
    ...(query.actor === undefined ? [] : [sql`actor = ${query.actor}`]),
    ...(query.from === undefined ? [] : [sql`at >= ${query.from}::timestamptz`]),
    ...(query.to === undefined ? [] : [sql`at < ${query.to}::timestamptz`]),
  ]
  const page = query.before_id === undefined ? [] : [sql`id < ${query.before_id}::bigint`]
  const where = (all: RawBuilder<unknown>[]) => (all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from audit_entries ${where(conditions)}`.execute(db)
  const { rows } = await sql<Omit<z.output<typeof AuditEntry>, 'at'> & { at: Date }>`
    select id, at, actor, action, jsonb_build_object('kind', subject_kind, 'id', subject_id) as subject, before, after
    from audit_entries ${where([...conditions, ...page])} order by id desc limit ${query.per_page + 1}`.execute(db)
  const found = rows.map((row) => ({
    ...row,
    at: row.at.toISOString(),
    // Entries are never rewritten, and some are older than the rule that no secret is written down.
    before: JSON.parse(JSON.stringify(row.before), leaveOutSecret),
    after: JSON.parse(JSON.stringify(row.after), leaveOutSecret),
  }))
  return { total: counted[0]?.total ?? 0, found }
}
