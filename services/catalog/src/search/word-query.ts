/** A shorter beginning of a word would find half the shop. */
const MIN_BEGINNING = 2

/** Queries in the syntax of PostgreSQL's to_tsquery, whose parts are joined in `search.queries.ts`. Empty: nothing. */
export interface WordQuery {
  /** All words but the last, to be stemmed. */
  before: string
  /** The last as a whole word, to be stemmed. */
  last: string
  /** The last as the beginning of a word, not to be stemmed: `runn` begins `running`, and not its stem `run`. */
  beginning: string
}

/**
 * The query for words all of which must be there. A word may have several meanings, any of which does.
 * @param words runs of letters, digits and marks, as `queryWords` makes them: nothing in them is syntax
 */
export function wordQueryOf(words: readonly (readonly string[])[]): WordQuery {
  const last = words.at(-1) ?? []
  return {
    before: words
      .slice(0, -1)
      .map((meanings) => anyOf(meanings, quoted))
      .join(' & '),
    last: anyOf(last, quoted),
    beginning: anyOf(last, quotedBeginning),
  }
}

function anyOf(meanings: readonly string[], toTerm: (word: string) => string): string {
  return meanings.length === 0 ? '' : `(${meanings.map(toTerm).join(' | ')})`
}

const quoted = (word: string) => `'${word}'`
const quotedBeginning = (word: string) => (word.length < MIN_BEGINNING ? quoted(word) : `'${word}':*`)
