import { isSame } from './is-same.ts'

/**
 * A newer version of a record, with the fields that were changed here.
 * @param base what the changes began with
 */
export function rebasedFields<Values extends object>(mine: Values, base: Values, theirs: Values): Values {
  const changed = Object.entries(mine).filter(([name, value]) => !isSame(value, Reflect.get(base, name)))
  return { ...theirs, ...Object.fromEntries(changed) }
}
