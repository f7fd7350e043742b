import { isDeepStrictEqual } from 'node:util'

export type AuditedFields = Readonly<Record<string, unknown>>

interface FieldsChange {
  action: 'create' | 'update' | 'delete'
  before: AuditedFields | undefined
  after: AuditedFields | undefined
}

/**
 * The part of a change that an audit entry stores.
 * @param change.before all fields before the change; undefined for a new record
 * @param change.after all fields after the change; undefined for a deleted record
 * @returns only the fields that differ, if there was a record before and after; undefined when none differs
 */
export function changedFields({
  before,
  after,
}: {
  before?: AuditedFields | undefined
  after?: AuditedFields | undefined
}): FieldsChange | undefined {
  if (!before) return after && { action: 'create', before, after }
  if (!after) return { action: 'delete', before, after }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )
  return names.length === 0
    ? undefined
    : { action: 'update', before: picked(before, names), after: picked(after, names) }
}

function picked(fields: AuditedFields, names: readonly string[]): AuditedFields {
  return Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))
}
