import { distance } from 'fastest-levenshtein'
import { fieldNamesFor } from '@storefront/contracts'

/** A name, and whether it is so near that it was probably meant. */
interface NearestName {
  name: string
  isLikely: boolean
}

/**
 * Finds the name that was probably meant by `given`: another system's name for the same field, the same letters in
 * another case, or the spelling with the fewest changes.
 * @param names the allowed names
 * @returns undefined when nothing is allowed
 */
export function nearestName(given: string, names: readonly string[]): NearestName | undefined {
  const letters = lettersOf(given)
  const same = names.find((name) => lettersOf(name) === letters)
  if (same !== undefined) return { name: same, isLikely: true }
  const known = fieldNamesFor(letters).find((name) => names.includes(name))
  if (known !== undefined) return { name: known, isLikely: true }
  const [closest] = names
    .map((name) => ({ name, changes: distance(letters, lettersOf(name)) }))
    .toSorted((one, other) => one.changes - other.changes)
  if (!closest) return undefined
  const isNear = closest.changes <= Math.max(1, Math.floor(letters.length / 3))
  // For a single letter every other one would be near.
  return {
    name: closest.name,
    isLikely: letters.length > 1 && (isNear || areSwapped(letters, lettersOf(closest.name))),
  }
}

/** Swapped letters are typed more often than their edit distance of two suggests. */
function areSwapped(one: string, other: string): boolean {
  return one.length === other.length && Array.from(one).toSorted().join('') === Array.from(other).toSorted().join('')
}

function lettersOf(name: string): string {
  return name
    .slice(0, 100)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}
