import type { Issues } from './issues.ts'

/**
 * What is wrong with a list, or in it, unless a field of the list shows it.
 * @param path of the list in a request
 * @param fields of an entry that show what is wrong with them
 */
export function listError(errors: Issues, path: string, fields: readonly string[]): string | undefined {
  const fieldOf = (place: string): string => /^\.\d+\.(.+)$/.exec(place.slice(path.length))?.[1] ?? ''
  return Object.entries(errors).find(([place]) => place.startsWith(path) && !fields.includes(fieldOf(place)))?.[1]
}
