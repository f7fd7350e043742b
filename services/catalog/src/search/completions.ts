import { distance } from 'fastest-levenshtein'
import { wordsOf } from './words.ts'

/** Words that are shorter are not corrected: almost every other one would be near. */
const SHORTEST_MISSPELLED = 4
const LONG_WORD = 8

/**
 * Completes what was typed from the titles of products that match it: the last word, and with the word that follows
 * it in titles.
 * @param typed the words, of which the last may be unfinished
 * @returns texts to search for, those of the most titles first, without what was typed
 */
export function completionsOf(typed: readonly string[], titles: readonly string[], limit: number): string[] {
  const last = typed.at(-1)
  if (last === undefined) return []
  const counts = new Map<string, number>()
  for (const title of titles) {
    for (const text of new Set(completionsIn(wordsOf(title), last))) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const before = typed.slice(0, -1)
  return [...counts]
    .toSorted(([one, oneCount], [other, otherCount]) => otherCount - oneCount || (one < other ? -1 : 1))
    .map(([text]) => [...before, text].join(' '))
    .filter((text) => text !== typed.join(' '))
    .slice(0, limit)
}

function completionsIn(titleWords: readonly string[], lastTyped: string): string[] {
  return titleWords.flatMap((word, index) => {
    if (!isMeant(lastTyped, word)) return []
    const next = titleWords[index + 1]
    return next === undefined ? [word] : [word, `${word} ${next}`]
  })
}

/** Whether a text has every typed word: each begins a word of it, or nearly does. */
export function hasWords(text: string, typed: readonly string[]): boolean {
  const words = wordsOf(text)
  return typed.every((each) => words.some((word) => isMeant(each, word)))
}

/** Whether a typed word begins another, with a typing error in long words, and two in very long ones. */
function isMeant(typed: string, word: string): boolean {
  const [plainTyped, plainWord] = [withoutAccents(typed), withoutAccents(word)]
  if (plainWord.startsWith(plainTyped)) return true
  const { length } = plainTyped
  if (length < SHORTEST_MISSPELLED) return false
  const maxErrors = length < LONG_WORD ? 1 : 2
  return distance(plainTyped, plainWord) <= maxErrors || distance(plainTyped, plainWord.slice(0, length)) <= maxErrors
}

function withoutAccents(word: string): string {
  return word.normalize('NFD').replaceAll(/\p{M}/gu, '')
}
