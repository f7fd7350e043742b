import { bitsFor, countBits, intersect, setBit, subtract, unite, type Bits } from '@storefront/facet-index'
import type { ListingIndex } from '../listings/listing-index.ts'
import type { Moment } from '../listings/live-index.ts'
import type { LexemeSet } from './lexeme-sets.ts'
import type { SearchField } from './search-fields.ts'
import { findMeant, findSimilarWords, type MeantLexemes, type SimilarWord, type TypedWord } from './search.queries.ts'
import { isSpellable, queryWords } from './words.ts'

/** A typed word with all its possible meanings; any of them matches. */
interface Word {
  typed: TypedWord
  meanings: MeantLexemes[]
}

/** Possible corrections of a misspelled word. */
const MAX_MEANT = 3

type Sets = ReadonlyMap<string, LexemeSet>

/**
 * Finds listings by words, in the order of relevance: first those that have all words in the title, then those that
 * have them in the heading or are found by their SKU, then all others (docs/decisions/0012). Waits for lexemes that
 * were not looked up recently, so the index may have changed when it resolves.
 * @param matching the listings to search among
 */
export async function searchListings(moment: Moment, typed: string, matching: () => Bits): Promise<Bits[]> {
  // Each word has one meaning; a correction may give it several.
  const typedWords = queryWords(typed).map((word, index, { length }) => [{ word, isBeginning: index === length - 1 }])
  const { lexemes, skuOrdinals } = await findMeant(moment.db, typed, typedWords.flat())
  const words = withMeanings(typedWords, lexemes)
  const sets = await setsOf(moment, words)
  const exact = tiersOf(moment.index().listings, words, sets, skuOrdinals, matching())
  if (words.length === 0 || exact.some((tier) => countBits(tier) > 0)) return exact
  const corrected = await correct(moment, words, sets)
  return corrected ? tiersOf(moment.index().listings, corrected.words, corrected.sets, [], matching()) : exact
}

/**
 * @param typed the words, each with all its possible meanings
 * @param lexemes their lexemes, in the same order
 */
function withMeanings(typed: readonly TypedWord[][], lexemes: readonly MeantLexemes[]): Word[] {
  let next = 0
  return typed.flatMap((alternatives) => {
    const meanings = lexemes.slice(next, next + alternatives.length)
    next += alternatives.length
    const [first] = alternatives
    return first ? [{ typed: first, meanings }] : []
  })
}

function setsOf(moment: Moment, words: readonly Word[]): Promise<Sets> {
  const lexemes = words.flatMap(({ meanings }) =>
    meanings.flatMap(({ stem, isKnown, beginnings }) => [...(isKnown ? stem : []), ...beginnings]),
  )
  const { lexemes: sets, version } = moment.index()
  return sets.find(moment.db, version, [...new Set(lexemes)])
}

/**
 * Replaces words that do not occur in the shop by the nearest words that do.
 * @returns undefined when there is nothing to correct, or a word has no correction
 */
async function correct(
  moment: Moment,
  words: readonly Word[],
  sets: Sets,
): Promise<{ words: Word[]; sets: Sets } | undefined> {
  const candidates: (TypedWord & SimilarWord)[][] = []
  for (const word of words) {
    const { typed } = word
    if (isIgnored(word) || hasListings(word, sets)) candidates.push([{ ...typed, distance: 0 }])
    else {
      const similar = isSpellable(typed.word) ? await findSimilarWords(moment.db, typed.word) : []
      if (similar.length === 0) return undefined
      candidates.push(similar.map((each) => ({ ...typed, ...each })))
    }
  }
  const isCorrected = candidates.some((each) => each[0] && each[0].distance > 0)
  if (!isCorrected) return undefined
  const meant = withMeanings(candidates, (await findMeant(moment.db, '', candidates.flat())).lexemes)
  const meantSets = await setsOf(moment, meant)
  const nearest = meant.map((word, index) => nearestOf(word, candidates[index] ?? [], meantSets))
  return nearest.every(({ meanings }) => meanings.length > 0) ? { words: nearest, sets: meantSets } : undefined
}

/** The nearest corrections of a word among words that products have; a correct word stays the same. */
function nearestOf(word: Word, candidates: readonly SimilarWord[], sets: Sets): Word {
  const found = candidates.flatMap(({ distance }, index) => {
    const meaning = word.meanings[index]
    return meaning && (distance === 0 || hasStem(meaning, sets)) ? [{ distance, meaning }] : []
  })
  const nearest = found.filter(({ distance }) => distance === found[0]?.distance).slice(0, MAX_MEANT)
  return { ...word, meanings: nearest.map(({ meaning }) => meaning) }
}

/** Whether a word is a stop word like `the`, and not possibly the beginning of another word. */
function isIgnored({ typed, meanings }: Word): boolean {
  return !typed.isBeginning && meanings.every(({ stem }) => stem.length === 0)
}

function hasListings({ meanings }: Word, sets: Sets): boolean {
  return meanings.some(
    (meaning) => hasStem(meaning, sets) || meaning.beginnings.some((lexeme) => isOnAny(lexeme, sets)),
  )
}

function hasStem({ stem }: MeantLexemes, sets: Sets): boolean {
  return stem.length > 0 && stem.every((lexeme) => isOnAny(lexeme, sets))
}

function isOnAny(lexeme: string, sets: Sets): boolean {
  return (sets.get(lexeme)?.words.size ?? 0) > 0
}

/** Puts each listing into the tier of its best match. */
function tiersOf(
  index: ListingIndex,
  words: readonly Word[],
  sets: Sets,
  skuOrdinals: readonly number[],
  matching: Bits,
): Bits[] {
  const meaningful = words.filter((word) => !isIgnored(word))
  const allIn = (field: SearchField): Bits => {
    const bits = index.emptyBits()
    if (meaningful.length === 0) return bits
    bits.set(matching)
    for (const word of meaningful) intersect(bits, havingWord(word, field, sets, index.capacity))
    return bits
  }
  const [title, heading, everywhere] = [allIn('title'), allIn('heading'), allIn('words')]
  const bySku = index.emptyBits()
  for (const ordinal of skuOrdinals) setBit(bySku, ordinal)
  intersect(bySku, matching)
  unite(heading, bySku)
  subtract(everywhere, heading)
  subtract(heading, title)
  return [title, heading, everywhere]
}

/** The listings that have a word in a position. */
function havingWord({ meanings }: Word, field: SearchField, sets: Sets, capacity: number): Bits {
  const having = bitsFor(capacity)
  for (const { stem, beginnings } of meanings) {
    const [first, ...others] = stem
    if (first !== undefined && others.length === 0) sets.get(first)?.[field].uniteInto(having)
    // PostgreSQL's parser may split what is one word here into several, all of which must match.
    if (others.length > 0) unite(having, havingAll(stem, field, sets, capacity))
    for (const beginning of beginnings) sets.get(beginning)?.[field].uniteInto(having)
  }
  return having
}

function havingAll(stem: readonly string[], field: SearchField, sets: Sets, capacity: number): Bits {
  const all = bitsFor(capacity).fill(0xffffffff)
  for (const lexeme of stem) {
    const having = bitsFor(capacity)
    sets.get(lexeme)?.[field].uniteInto(having)
    intersect(all, having)
  }
  return all
}
