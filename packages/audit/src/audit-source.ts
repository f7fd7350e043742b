import type { Kysely } from 'kysely'
import type { ActivitySource, SourceEntry } from './activity.ts'
import { countAuditEntries, findLatestEntries, type AuditRow } from './audit-entries.queries.ts'
import { changesOf } from './changes-of.ts'
import { withoutSecrets } from './read-audit-page.ts'

/** Names and sentences of a list take a line or two; the name of a record may be longer. */
const MAX_NAME_LENGTH = 120
const MAX_SUMMARY_LENGTH = 400

interface AuditSourceOptions {
  /** Part of the ids of its entries. */
  name: string
  kinds: readonly string[]
  /** Entries of this action are left out: there may be thousands at once, and another entry stands for them. */
  withoutAction?: string | undefined
  /** The names of the subjects of these entries, in their order; undefined where the name is not known. */
  namesOf: (rows: readonly AuditRow[]) => Promise<readonly (string | undefined)[]>
  /** Describes an entry in a sentence. */
  summaryOf: (row: AuditRow, name: string | undefined) => string
}

/** Makes the table `audit_entries` a source of `GET /admin/activity`. */
export function auditSource<Schema>(db: Kysely<Schema>, options: AuditSourceOptions): ActivitySource {
  const { name, kinds, withoutAction, namesOf, summaryOf } = options
  return {
    name,
    kinds,
    async find(filter, page) {
      const rows = (await findLatestEntries(db, { ...filter, withoutAction }, page)).map((row) => ({
        ...row,
        before: withoutSecrets(row.before),
        after: withoutSecrets(row.after),
      }))
      const names = await namesOf(rows)
      return rows.map((row, index) => entryOf(row, names[index]?.slice(0, MAX_NAME_LENGTH), summaryOf))
    },
    count: (filter, most) => countAuditEntries(db, { ...filter, withoutAction }, most),
  }
}

function entryOf(row: AuditRow, name: string | undefined, summaryOf: AuditSourceOptions['summaryOf']): SourceEntry {
  const changes = changesOf(row.before, row.after)
  return {
    number: row.id,
    at: row.at.toISOString(),
    actorId: row.actor,
    action: row.action,
    subject: { kind: row.subjectKind, id: row.subjectId, ...(name !== undefined && { name }) },
    summary: summaryOf(row, name).slice(0, MAX_SUMMARY_LENGTH),
    ...(changes && { changes }),
  }
}

/**
 * The sentence of an entry about a change of fields, such as `Product “Linen shirt” was changed: price, title.`
 * @param subject the beginning of the sentence
 */
export function changeSentence(subject: string, { action, before, after }: AuditRow): string {
  if (action === 'create') return `${subject} was created.`
  if (action === 'delete') return `${subject} was deleted.`
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return fields.length === 0 ? `${subject} was changed.` : `${subject} was changed: ${fields.join(', ')}.`
}
