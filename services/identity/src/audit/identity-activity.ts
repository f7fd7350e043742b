import type { ActivityFilter, ActivitySource, SourceEntry } from '@storefront/audit'
import { AUDITED_KINDS } from '@storefront/contracts'
import { findActors } from '../actors/actors.queries.ts'
import type { Database } from '../database.ts'
import { AuditedAction, AuditOutcome } from './audit-entry.ts'
import { auditSentence, KIND_OF_ACTION } from './audit-sentence.ts'
import { countAuditEntries, findLatestEntries, type AuditFilter, type StoredAuditEntry } from './audit.queries.ts'

const MAX_SUMMARY_LENGTH = 400

/** Sign-ins of admins, and changes of users, keys and credentials, for the list of all activity. */
export function identityActivity(db: Database): ActivitySource {
  return {
    name: 'identity',
    kinds: AUDITED_KINDS.identity,
    async find(filter, page) {
      const rows = await findLatestEntries(db, filterOf(filter), page)
      const known = await findActors(db, [...new Set(rows.flatMap(({ subject }) => subject ?? []))])
      const names = new Map(known.map(({ id, name, email }) => [id, name ?? email]))
      return rows.map((row) => entryOf(row, names.get(row.subject ?? '') ?? row.email ?? undefined))
    },
    count: (filter, most) => countAuditEntries(db, filterOf(filter), most),
  }
}

function filterOf({ kinds, ...filter }: ActivityFilter): AuditFilter {
  if (kinds === undefined) return filter
  return { ...filter, actions: AuditedAction.options.filter((action) => kinds.includes(KIND_OF_ACTION[action])) }
}

function entryOf(row: StoredAuditEntry, name: string | undefined): SourceEntry {
  const { id, at, actor, subject, fields } = row
  const action = AuditedAction.safeParse(row.action)
  const outcome = AuditOutcome.safeParse(row.outcome)
  // A newer version may have written entries that this one has no text for.
  const summary =
    action.success && outcome.success
      ? auditSentence(action.data, outcome.data, { name: name ?? subject ?? 'unknown', fields })
      : `${row.action}: ${row.outcome}`
  return {
    number: id,
    at: at.toISOString(),
    actorId: actor,
    action: row.action,
    subject: {
      kind: action.success ? KIND_OF_ACTION[action.data] : 'admin-user',
      id: subject ?? 'unknown',
      ...(name !== undefined && { name }),
    },
    summary: summary.slice(0, MAX_SUMMARY_LENGTH),
    outcome: row.outcome,
    ...(fields.length > 0 && { changes: fields.map((field) => ({ field })) }),
  }
}
