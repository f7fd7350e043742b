import type { Kysely } from 'kysely'
import { z } from 'zod'
import { NamedActor, Timestamp } from '@storefront/contracts'
import type { ActorNames } from './actor-names.ts'
import { countAuditEntries, findAuditEntries, type AuditFilter, type AuditRow } from './audit-entries.queries.ts'
import { auditListOf, auditPage, MAX_AUDIT_TOTAL, type AuditPageQuery } from './audit-page.ts'
import { leaveOutSecret } from './leave-out-secret.ts'

const Fields = z.record(z.string(), z.unknown()).nullable()

/** An entry of the table `audit_entries`. Kinds and actions are text: a newer replica may have written others. */
const AuditEntry = z
  .object({
    id: z.int().describe('Counted up within this audit; a later entry has a higher one.'),
    at: Timestamp.describe('When it was done, ISO 8601 in UTC.'),
    actor: z.string().describe('Id of the admin user or of the secret key.'),
    by: NamedActor.describe('Who that is; without a name if it could not be read just now.'),
    action: z.string().describe('`create`, `update`, `delete`, or another word for what was done.'),
    subject: z
      .object({
        kind: z.string().describe('What kind of thing was changed, such as `discount`.'),
        id: z.string().describe('Id of the thing, or its code or slug where that names it.'),
      })
      .describe('What it was done to.'),
    before: Fields.describe('What differs, as it was; null for what is new.'),
    after: Fields.describe('What differs, as it is; null for what is gone.'),
  })
  .meta({ id: 'AuditEntry' })

export const AuditList = auditListOf(AuditEntry)

/**
 * Reads one page of the table `audit_entries`, with the names of who did it.
 * @param filter what the entries are about
 */
export async function readAuditPage<Schema>(
  { db, names }: { db: Kysely<Schema>; names: ActorNames },
  query: z.output<typeof AuditPageQuery>,
  filter: Pick<AuditFilter, 'kinds' | 'id'>,
): Promise<z.output<typeof AuditList>> {
  const { actor, from, to, before_id: beforeId, per_page: perPage } = query
  const wanted = {
    ...filter,
    actorIds: actor === undefined ? undefined : [actor],
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  }
  const total = await countAuditEntries(db, wanted, MAX_AUDIT_TOTAL)
  // One more than a page holds tells whether there is another.
  const found = await findAuditEntries(db, wanted, { beforeId, limit: perPage + 1 })
  const page = auditPage(found, perPage)
  const nameOf = await names(page.items.map((row) => row.actor))
  return { ...page, items: page.items.map((row) => entryOf(row, nameOf(row.actor))), total }
}

function entryOf({ subjectKind, subjectId, ...row }: AuditRow, by: NamedActor): z.output<typeof AuditEntry> {
  return {
    ...row,
    at: row.at.toISOString(),
    by,
    subject: { kind: subjectKind, id: subjectId },
    before: withoutSecrets(row.before),
    after: withoutSecrets(row.after),
  }
}

/** Entries are never rewritten, and some are older than the rule that no secret is written down. */
export function withoutSecrets(fields: AuditRow['before']): AuditRow['before'] {
  return fields === null ? null : Fields.parse(JSON.parse(JSON.stringify(fields, leaveOutSecret)))
}
