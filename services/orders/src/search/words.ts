/**
 * The words by which orders are found. A change of the rules requires a migration that indexes every order again:
 * `insert into order_search_queue (order_id) select id from orders`.
 */

/** Of one word, in characters. */
const LONGEST_WORD = 100
/** Of one order: 400 bytes each at most, because PostgreSQL stores at most a megabyte of words in a row. */
const MAX_WORDS = 2000

/** Letters that do not decompose into a letter and an accent, and punctuation that keyboards do not have. */
const PLAIN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    đ: 'd',
    ð: 'd',
    ħ: 'h',
    ı: 'i',
    ł: 'l',
    þ: 'th',
    ς: 'σ',
    '‘': "'",
    '’': "'",
    '‐': '-',
    '–': '-',
    '—': '-',
  }),
)
const SPECIAL = new RegExp(`[${[...PLAIN.keys()].join('')}]`, 'gu')

/** The form that is compared: in lower case and without accents. */
export function fold(text: string): string {
  const decomposed = text.normalize('NFKD').replace(/[\u0300-\u036f]/gu, '')
  return decomposed
    .toLowerCase()
    .replace(SPECIAL, (letter) => PLAIN.get(letter) ?? letter)
    .normalize('NFC')
}

/** The parts between spaces, without the punctuation at their ends. */
function chunksOf(text: string): string[] {
  return fold(text)
    .split(/\s+/u)
    .map((chunk) => shorten(trim(chunk)))
    .filter((chunk) => chunk !== '')
}

/**
 * The words an order is found by: the words of its texts, and the parts of a word. SF-10001 is found by 10001 as well,
 * and ada@mail.example by mail.example. An id is one word: the part after its `_` is never typed alone.
 */
export function wordsOf(texts: readonly string[]): string[] {
  const words = new Set<string>()
  for (const chunk of texts.flatMap(chunksOf)) {
    words.add(chunk)
    for (let index = 1; index < chunk.length; index++) {
      if (divides(chunk, index - 1) && !divides(chunk, index)) words.add(chunk.slice(index))
    }
    if (words.size > MAX_WORDS) break
  }
  return [...words].slice(0, MAX_WORDS)
}

/** Words in the syntax of `tsvector`. */
export function vectorOf(words: readonly string[]): string {
  return words.map(quoted).join(' ')
}

/** The input in the syntax of `tsquery`: each of its words, or one that starts with it. Undefined without words. */
export function queryOf(typed: string): string | undefined {
  const chunks = [...new Set(chunksOf(typed))]
  return chunks.length === 0 ? undefined : chunks.map((chunk) => `${quoted(chunk)}:*`).join(' & ')
}

function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

function isPunctuation(text: string, index: number): boolean {
  return /[!-/:-@[-`{-~]/.test(text.charAt(index))
}

function divides(text: string, index: number): boolean {
  return text.charAt(index) !== '_' && isPunctuation(text, index)
}

function trim(chunk: string): string {
  let from = 0
  let to = chunk.length
  while (from < to && isPunctuation(chunk, from)) from++
  while (to > from && isPunctuation(chunk, to - 1)) to--
  return chunk.slice(from, to)
}

/** Cut by code points, because half of one is not text. */
function shorten(chunk: string): string {
  return chunk.length <= LONGEST_WORD ? chunk : Array.from(chunk).slice(0, LONGEST_WORD).join('')
}
