import { distance } from 'fastest-levenshtein'
import { wordsOf } from './words.ts'

/** Shorter words are not corrected, because almost every short word is similar. */
const SHORTEST_MISSPELLED = 4
const LONG_WORD = 8

/**
 * Completes a search text from the titles of products that match it: the last word, also with the word that follows it
 * in a title.
 * @param typed the words, of which the last may be unfinished
 * @returns texts to search for, the most frequent in titles first, without the search text itself
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

/** Whether every typed word is the beginning of a word in a text, except for typing errors. */
export function hasWords(text: string, typed: readonly string[]): boolean {
  const words = wordsOf(text)
  return typed.every((each) => words.some((word) => isMeant(each, word)))
}

/** Whether a typed word is the beginning of another, with one typing error in long words and two in very long ones. */
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
