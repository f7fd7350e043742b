import { countBits, intersect, setBit, subtract, unite, type Bits } from '../listings/bits.ts'
import type { ListingIndex } from '../listings/listing-index.ts'
import type { Moment } from '../listings/live-index.ts'
import { findBySku, findSimilarWords } from './search.queries.ts'
import { typedWord, type Place, type TypedWord, type WordSet } from './word-sets.ts'
import { isSpellable, queryWords } from './words.ts'

/**
 * Finds listings by words, in the order of relevance: first those that have all words in the title, then those that have
 * them in the heading or are found by their SKU, then the rest (docs/decisions/0012). Waits for words that were not looked
 * up lately, so the index may have gone on when it is done.
 * @param matching the listings to look among
 */
export async function searchListings(moment: Moment, typed: string, matching: () => Bits): Promise<Bits[]> {
  const words = queryWords(typed).map((word, index, all) => [typedWord(word, index === all.length - 1)])
  const skuOrdinals = await findBySku(moment.db, typed)
  const found = (sets: readonly WordSet[][]) => tiersOf(moment.index().listings, sets, skuOrdinals, matching())
  const exactSets = await findSets(moment, words)
  const exact = found(exactSets)
  if (words.length === 0 || exact.some((tier) => countBits(tier) > 0)) return exact
  const meant = await correct(moment, words, exactSets)
  return meant ? found(await findSets(moment, meant)) : exact
}

/** The sets of every meaning of every word. */
async function findSets(moment: Moment, words: readonly TypedWord[][]): Promise<WordSet[][]> {
  const sets: WordSet[][] = []
  // One after the other, because they share the snapshot's connection.
  for (const meanings of words) {
    const ofWord: WordSet[] = []
    for (const each of meanings) ofWord.push(await moment.index().words.find(moment.db, each))
    sets.push(ofWord)
  }
  return sets
}

/**
 * Takes words that nothing in the shop has for the nearest that something has.
 * @returns undefined when there is nothing to correct, or a word that means nothing to anybody
 */
async function correct(
  moment: Moment,
  words: readonly TypedWord[][],
  sets: readonly WordSet[][],
): Promise<TypedWord[][] | undefined> {
  const unknown = sets.flatMap((meanings, index) =>
    meanings.every((set) => !set.isIgnored && set.words.size === 0) ? [index] : [],
  )
  if (unknown.length === 0) return undefined
  const meant = [...words]
  for (const index of unknown) {
    const { word = '', isBeginning = false } = words[index]?.[0] ?? {}
    const similar = isSpellable(word) ? await findSimilarWords(moment.db, word) : []
    if (similar.length === 0) return undefined
    meant[index] = similar.map((each) => ({ word: each, isBeginning }))
  }
  return meant
}

/** Each listing counts where it was found first. */
function tiersOf(
  index: ListingIndex,
  sets: readonly WordSet[][],
  skuOrdinals: readonly number[],
  matching: Bits,
): Bits[] {
  const telling = sets.filter((meanings) => !meanings.every((set) => set.isIgnored))
  const allIn = (place: Place): Bits => {
    const bits = index.emptyBits()
    if (telling.length === 0) return bits
    bits.set(matching)
    for (const meanings of telling) {
      const having = index.emptyBits()
      for (const set of meanings) set[place].uniteInto(having)
      intersect(bits, having)
    }
    return bits
  }
  const [title, heading, words] = [allIn('title'), allIn('heading'), allIn('words')]
  const bySku = index.emptyBits()
  for (const ordinal of skuOrdinals) setBit(bySku, ordinal)
  intersect(bySku, matching)
  unite(heading, bySku)
  subtract(words, heading)
  subtract(heading, title)
  return [title, heading, words]
}
