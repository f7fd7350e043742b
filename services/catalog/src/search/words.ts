/** The maximum number of words of a query; further ones are ignored. */
const MAX_WORDS = 12
const MAX_WORD_LENGTH = 64

/** The words of a text in lower case: runs of letters, digits and marks. Everything else separates words. */
export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((word) => word.slice(0, MAX_WORD_LENGTH))
}

/** The words of a shopper's search text. */
export function queryWords(text: string): string[] {
  return wordsOf(text).slice(0, MAX_WORDS)
}

/** Words that may be corrections: long enough to be misspelled, and not numbers. */
export function spellableWords(text: string): string[] {
  return [...new Set(wordsOf(text).filter(isSpellable))]
}

export function isSpellable(word: string): boolean {
  return word.length >= 4 && !/\p{N}/u.test(word)
}
