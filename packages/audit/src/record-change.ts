import type { Actor, ActivityKind } from '@storefront/contracts'
import type { AnyTransaction } from '@storefront/postgres'
import { insertAuditEntries, type NewAuditRow } from './audit-entries.queries.ts'
import { changedFields, type AuditedFields } from './changed-fields.ts'
import { SCHEDULE } from './actor-names.ts'
import { leaveOutSecret } from './leave-out-secret.ts'

/** The actor of an entry: the caller of a request, or a time that a merchant had set. */
type AuditActor = Actor | { kind: typeof SCHEDULE }

/** The subject of an audit entry. */
interface AuditSubject {
  kind: ActivityKind
  id: string
}

/**
 * Writes a change and its actor into the audit, in the transaction of the change. Writes no entry when no field
 * differs.
 * @param change.before all fields before the change; undefined for a new record
 * @param change.after all fields after the change; undefined for a deleted record
 * @param change.at time of the change, by the clock of the service
 */
export async function recordChange(tx: AnyTransaction, change: Omit<Action, 'action'>): Promise<void> {
  const { actor, subject, at } = change
  const found = changedFields(change)
  if (found) await recordAction(tx, { actor, subject, at, ...found })
}

/**
 * Writes the changes of many records that one action made. Records of which no field differs get no entry.
 * @param done.action one word for all of them, such as `bulk-edit`
 * @param done.changes each with all fields of the record before and after
 */
export async function recordChanges(
  tx: AnyTransaction,
  done: {
    actor: AuditActor
    action: string
    changes: readonly { subject: AuditSubject; before: AuditedFields; after: AuditedFields }[]
    at: Date
  },
): Promise<void> {
  const { actor, action, changes, at } = done
  const entries = changes.flatMap(({ subject, before, after }) => {
    const found = changedFields({ before, after })
    return found ? [entryOf({ actor, action, subject, at, before: found.before, after: found.after })] : []
  })
  await insertAuditEntries(tx, entries)
}

interface Action {
  actor: AuditActor
  action: string
  subject: AuditSubject
  before?: AuditedFields | undefined
  after?: AuditedFields | undefined
  at: Date
}

/**
 * Writes an action and its actor into the audit, in the transaction of the action. For actions that change no fields,
 * such as sending something again.
 * @param done.action one word such as `import`
 */
export async function recordAction(tx: AnyTransaction, done: Action): Promise<void> {
  await insertAuditEntries(tx, [entryOf(done)])
}

function entryOf({ actor, action, subject, before, after, at }: Action): NewAuditRow {
  return {
    at,
    actor: actorIdOf(actor),
    action,
    subjectKind: subject.kind,
    subjectId: subject.id,
    before: jsonOf(before),
    after: jsonOf(after),
  }
}

/** How an audit names an actor: the id of the admin user or of the secret key. Identity knows the name. */
export function actorIdOf(actor: AuditActor): string {
  if (actor.kind === SCHEDULE) return SCHEDULE
  if (actor.kind === 'admin') return actor.userId
  return actor.kind === 'customer' ? actor.customerId : 'anonymous'
}

function jsonOf(fields: AuditedFields | undefined): string | null {
  return fields === undefined ? null : JSON.stringify(fields, leaveOutSecret)
}
