import { isSame } from './is-same.ts'
import { readLastChange, type Change, type ChangedKind } from './last-change.ts'

/** A part of a form that is kept or dropped as a whole. */
interface EditedField<Values> {
  label: string
  keys: readonly (keyof Values)[]
}

/** What is edited: a record that is read with its entity tag. */
export interface EditedRecord<Values> {
  /** Undefined where the shop has no list of who changed one record. */
  kind?: ChangedKind
  id: string
  fields: readonly EditedField<Values>[]
  read: () => Promise<Values>
}

/** A save: what a person began with, and what they made of it. */
export interface Edit<Values> {
  before: Values
  after: Values
}

/** Someone saved the record after it was read here. */
export interface EditConflict<Values> {
  before: Values
  mine: Values
  theirs: Values
  by: Change | undefined
  /** Labels of the fields. */
  theirFields: readonly string[]
  myFields: readonly string[]
}

/**
 * Reads what others have done in the meantime.
 * @param getMine called last, because a person may type until the conflict is known
 */
export async function readEditConflict<Values>(
  { kind, id, fields, read }: EditedRecord<Values>,
  before: Values,
  getMine: () => Values,
): Promise<EditConflict<Values>> {
  const [theirs, by] = await Promise.all([read(), kind && readLastChange(kind, id)])
  const mine = getMine()
  const changed = (after: Values) => fields.filter(({ keys }) => differ(keys, before, after)).map(({ label }) => label)
  return { before, mine, theirs, by, theirFields: changed(theirs), myFields: changed(mine) }
}

/** Their record, with the fields that were changed here. */
export function rebased<Values>(
  fields: readonly EditedField<Values>[],
  { before, mine, theirs }: Pick<EditConflict<Values>, 'before' | 'mine' | 'theirs'>,
): Values {
  const next = { ...theirs }
  for (const { keys } of fields) {
    if (differ(keys, before, mine)) for (const key of keys) next[key] = mine[key]
  }
  return next
}

function differ<Values>(keys: readonly (keyof Values)[], one: Values, other: Values): boolean {
  return keys.some((key) => !isSame(one[key], other[key]))
}

/** The header of a write that must not overwrite changes of others. */
export function ifMatch(etag: string): { header?: { 'if-match': string } } {
  return etag === '' ? {} : { header: { 'if-match': etag } }
}
