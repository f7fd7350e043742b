import type { Kysely } from 'kysely'
import { z } from 'zod'
import { NamedActor, Timestamp } from '@storefront/contracts'
import { latestFirstPage, offsetOf } from '@storefront/http'
import type { ActorNames } from './actor-names.ts'
import { countAuditEntries, findAuditEntries, type AuditFilter, type AuditRow } from './audit-entries.queries.ts'
import { auditListOf, MAX_AUDIT_TOTAL, periodOf, type AuditPageQuery } from './audit-page.ts'
import { leaveOutSecret } from './leave-out-secret.ts'

const Fields = z.record(z.string(), z.unknown()).nullable()

/** An entry of the table `audit_entries`. Kinds and actions are text: a newer replica may have written others. */
const AuditEntry = z
  .object({
    id: z.int().describe('Number of the entry within this audit; later entries have higher numbers.'),
    at: Timestamp.describe('When the change was made, ISO 8601 in UTC.'),
    actor: z.string().describe('Id of the admin user or of the secret key.'),
    by: NamedActor.describe('The actor; its name is null if it could not be read at the moment.'),
    action: z.string().describe('`create`, `update`, `delete`, or another word for the action.'),
    subject: z
      .object({
        kind: z.string().describe('What kind of record was changed, such as `discount`.'),
        id: z.string().describe('Id of the record, or its code or slug if that identifies it.'),
      })
      .describe('The record that was changed.'),
    before: Fields.describe('The fields that differ, before the change; null for a new record.'),
    after: Fields.describe('The fields that differ, after the change; null for a deleted record.'),
  })
  .meta({ id: 'AuditEntry' })

export const AuditList = auditListOf(AuditEntry)

/**
 * Reads one page of the table `audit_entries`, with the names of the actors.
 * @param filter the subjects of the entries
 */
export async function readAuditPage<Schema>(
  { db, names }: { db: Kysely<Schema>; names: ActorNames },
  query: z.output<typeof AuditPageQuery>,
  filter: Pick<AuditFilter, 'kinds' | 'id'>,
): Promise<z.output<typeof AuditList>> {
  const { actor, before_id: beforeId } = query
  const wanted = { ...filter, actorIds: actor === undefined ? undefined : [actor], ...periodOf(query) }
  const total = await countAuditEntries(db, wanted, MAX_AUDIT_TOTAL)
  // One more than a page holds shows whether there is another page.
  const found = await findAuditEntries(db, wanted, {
    beforeId,
    limit: query.per_page + 1,
    offset: offsetOf(query, beforeId),
  })
  const page = latestFirstPage(found, query)
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

/** Entries are never rewritten, and some are older than the rule that secrets are not stored. */
export function withoutSecrets(fields: AuditRow['before']): AuditRow['before'] {
  return fields === null ? null : Fields.parse(JSON.parse(JSON.stringify(fields, leaveOutSecret)))
}
