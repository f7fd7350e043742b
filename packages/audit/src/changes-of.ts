import type { ActivityChange } from '@storefront/contracts'
import { leaveOutSecret, LEFT_OUT } from './leave-out-secret.ts'

/** Entries of a hundred changed fields are rare, and a list shows what fits on a screen. */
const MAX_FIELDS = 20
/** Of one value as JSON; longer values are only in the audit of the service. */
const MAX_VALUE_LENGTH = 200
/** Of all values of an entry together: a page of a hundred entries must fit into a message of 1 MiB. */
const MAX_BYTES = 4000
const MAX_NAME_LENGTH = 60

type Fields = Readonly<Record<string, unknown>> | null

/**
 * The changes of an audit entry, shortened for a list: long values and secrets are left out.
 * @returns undefined when the entry names no field
 */
export function changesOf(before: Fields, after: Fields): ActivityChange[] | undefined {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].slice(0, MAX_FIELDS)
  let bytes = 0
  const changes = names.map((name) => {
    const field = name.slice(0, MAX_NAME_LENGTH)
    const change: ActivityChange = { field, ...shown('before', name, before), ...shown('after', name, after) }
    bytes += Buffer.byteLength(JSON.stringify(change))
    return bytes <= MAX_BYTES ? change : { field }
  })
  return changes.length === 0 ? undefined : changes
}

function shown(side: 'before' | 'after', name: string, fields: Fields): Partial<ActivityChange> {
  const text = fields?.[name] === undefined ? undefined : JSON.stringify({ [name]: fields[name] }, leaveOutSecret)
  if (text === undefined || text.length > MAX_VALUE_LENGTH) return {}
  const { [name]: value }: Record<string, unknown> = JSON.parse(text)
  return value === LEFT_OUT ? {} : { [side]: value }
}
