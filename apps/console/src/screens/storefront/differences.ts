import { isRecord, isSame, isUnset, listOf, namesOf, type Document } from './document.ts'
import { titleIn } from './fields.ts'

/** One step to a value: the name of a field, or an item of a list. */
export type Step = { name: string } | { item: string }

/** What differs between two configurations, for people. */
export type Difference =
  | { kind: 'added' | 'removed' | 'moved'; steps: readonly Step[] }
  | { kind: 'changed'; steps: readonly Step[]; before: unknown; after: unknown }

/** @returns every difference, in the order of the document */
export function differencesOf(before: Document, after: Document): Difference[] {
  const { version: _was, ...one } = before
  const { version: _is, ...other } = after
  return between(one, other, [])
}

function between(before: unknown, after: unknown, steps: readonly Step[]): Difference[] {
  if (isSame(before, after)) return []
  if (areRecords(before, after)) {
    const one = isRecord(before) ? before : {}
    const other = isRecord(after) ? after : {}
    return namesOf(one, other).flatMap((name) => between(one[name], other[name], [...steps, { name }]))
  }
  if (areLists(before, after)) return betweenLists(listOf(before), listOf(after), steps)
  return [{ kind: 'changed', steps, before, after }]
}

/** Also for one record and nothing: it is compared with an empty one, field by field. */
function areRecords(before: unknown, after: unknown): boolean {
  return (isRecord(before) || isUnset(before)) && (isRecord(after) || isUnset(after))
}

function areLists(before: unknown, after: unknown): boolean {
  return (Array.isArray(before) || isUnset(before)) && (Array.isArray(after) || isUnset(after))
}

function betweenLists(before: readonly unknown[], after: readonly unknown[], steps: readonly Step[]): Difference[] {
  const pairs = pairsOf(before, after)
  const moved = movedIn(pairs.flatMap(({ from, to }) => (from === -1 || to === -1 ? [] : [from])))
  return pairs.flatMap(({ from, to }): Difference[] => {
    const here = [...steps, { item: nameOf(to === -1 ? before[from] : after[to]) }]
    if (from === -1) return [{ kind: 'added', steps: here }]
    if (to === -1) return [{ kind: 'removed', steps: here }]
    const inside = isRecord(after[to])
      ? between(before[from], after[to], here)
      : changedText(before[from], after[to], steps)
    return moved.has(from) ? [{ kind: 'moved', steps: here }, ...inside] : inside
  })
}

function changedText(before: unknown, after: unknown, steps: readonly Step[]): Difference[] {
  return isSame(before, after) ? [] : [{ kind: 'changed', steps, before, after }]
}

interface Pair {
  /** Places in the lists; -1 where there is none. */
  from: number
  to: number
}

/** Pairs the same items of two lists, in the order of the later list. Removed items come last. */
function pairsOf(before: readonly unknown[], after: readonly unknown[]): Pair[] {
  const open = new Set(before.keys())
  const take = (fits: (from: number) => boolean): number => {
    const from = [...open].find(fits) ?? -1
    open.delete(from)
    return from
  }
  const pairs = after.map((item, to): Pair => ({ from: take((from) => isSame(before[from], item)), to }))
  for (const pair of pairs) {
    const item = after[pair.to]
    if (pair.from === -1) pair.from = take((from) => identityOf(before[from]) === identityOf(item))
  }
  // An item of the same kind at the same place was renamed.
  for (const pair of pairs) {
    if (pair.from === -1)
      pair.from = take((from) => from === pair.to && kindOf(before[from]) === kindOf(after[pair.to]))
  }
  return [...pairs, ...[...open].map((from): Pair => ({ from, to: -1 }))]
}

const IDENTITIES = ['id', 'code', 'country', 'categorySlug', 'label', 'title', 'name', 'type'] as const

function identityOf(item: unknown): string {
  if (Array.isArray(item)) return String(item[0])
  if (!isRecord(item)) return String(item)
  return JSON.stringify(IDENTITIES.map((name) => item[name] ?? null))
}

function kindOf(item: unknown): string {
  return isRecord(item) ? JSON.stringify(item['type'] ?? null) : typeof item
}

/** @returns the fewest of these places that have to move for the others to be in order */
function movedIn(places: readonly number[]): ReadonlySet<number> {
  // The longest rising chain that ends at each place.
  const chains = places.map((): number[] => [])
  for (const [index, place] of places.entries()) {
    const best = chains
      .slice(0, index)
      .filter((_, earlier) => (places[earlier] ?? 0) < place)
      .reduce<number[]>((longest, chain) => (chain.length > longest.length ? chain : longest), [])
    chains[index] = [...best, place]
  }
  const kept = new Set(
    chains.reduce<number[]>((longest, chain) => (chain.length > longest.length ? chain : longest), []),
  )
  return new Set(places.filter((place) => !kept.has(place)))
}

const NAMES = ['label', 'title', 'name', 'categorySlug', 'code', 'country', 'id', 'to', 'type'] as const

/** What an item is called. */
function nameOf(item: unknown): string {
  if (Array.isArray(item)) return String(item[1] ?? item[0] ?? '')
  if (!isRecord(item)) return String(item)
  return titleIn(item, ...NAMES)
}
