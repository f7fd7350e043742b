import { member } from '../../parts/json.ts'

/** The configuration, or a part of it, as the shop stores it. */
export type Document = Readonly<Record<string, unknown>>
export type Path = readonly (string | number)[]

export function isRecord(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** To the shop, null means “not set” just as a value that is missing. */
export function isUnset(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : ''
}

export function valueAt(document: unknown, path: Path): unknown {
  return path.reduce<unknown>((holder, step) => member(holder, step), document)
}

/** @returns the same document with another value at a path, whose objects are made if they are missing */
export function withValue(document: Document, path: Path, value: unknown): Document {
  const changed = replaced(document, path, value)
  return isRecord(changed) ? changed : document
}

function replaced(holder: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  if (typeof step === 'number') return listOf(holder).with(step, replaced(listOf(holder)[step], rest, value))
  const before = isRecord(holder) ? holder : {}
  return { ...before, [step]: replaced(before[step], rest, value) }
}

export function isSame(one: unknown, other: unknown): boolean {
  if (isUnset(one) || isUnset(other)) return isUnset(one) && isUnset(other)
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isSame(each, other[index]))
  }
  if (isRecord(one) && isRecord(other)) return namesOf(one, other).every((name) => isSame(one[name], other[name]))
  return Object.is(one, other)
}

export function namesOf(one: Document, other: Document): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
}

/** What has to be sent to the shop: objects merge there, lists are replaced. */
export function changesOf(before: Document, after: Document): Document {
  return Object.fromEntries(
    namesOf(before, after).flatMap((name): [string, unknown][] => {
      const former = before[name]
      const wanted = after[name]
      if (name === 'version' || isSame(former, wanted)) return []
      return [[name, isRecord(wanted) ? changesOf(isRecord(former) ? former : {}, wanted) : (wanted ?? null)]]
    }),
  )
}

/** The change of one person on top of the document of another, as the shop merges them. */
export function merged(document: Document, change: Document): Document {
  return Object.entries(change).reduce<Document>((result, [name, value]) => {
    const before = result[name]
    return { ...result, [name]: isRecord(value) ? merged(isRecord(before) ? before : {}, value) : value }
  }, document)
}

/** @returns the paths of the values that both changes set, with dots: of such a list only one can be kept */
export function conflictingPaths(one: Document, other: Document, prefix = ''): string[] {
  return Object.entries(one).flatMap(([name, value]) => {
    const theirs = other[name]
    if (theirs === undefined) return []
    const path = prefix + name
    return isRecord(value) && isRecord(theirs) ? conflictingPaths(value, theirs, `${path}.`) : [path]
  })
}
