import { describe, expect, test } from 'vitest'
import { DOCUMENTS, filesBelow, linesOf, linesOfCode, workspaces } from './source-files.ts'

const lines = linesOfCode(workspaces())

/**
 * Words that this code does not use, and their replacements (docs/decisions/0069). An engineer who searches for
 * "consumer", "retry" or "ledger" must find them.
 */
const UNUSED: readonly { words: RegExp; instead: string }[] = [
  { words: /\b(?:un)?hear(?:s|d|er|ers|ing)?\b|\bhear[A-Z]\w*|\w*Heard\b/, instead: 'consume, subscribe' },
  { words: /\bask[A-Z]\w*/, instead: 'request' },
  { words: /\banswer[A-Z]\w*\(/, instead: 'replyTo…, or the name of what is sent' },
  { words: /\b[rR]efusal\b|\brefuse(?:[A-Z]\w*)?\(/, instead: 'error, reject' },
  { words: /\btold\b/, instead: 'publish, notify, report' },
  { words: /\bnews\b|\w*News\b/, instead: 'event, update' },
  // Keys in Redis and the former name of a request keep it.
  { words: /(?<![:'])\b[bB]oard\b|\b[bB]oard[A-Z]\w*/, instead: 'price projection' },
  { words: /\bunseal\w*|\bseal[A-Z]\w*|\bseals\b/, instead: 'encrypt, decrypt' },
  { words: /\bpok(?:e|es|ed|ing)\b/, instead: 'wake' },
  { words: /\bwork(?:s|ed|ing)? off\b|\bworkOff\w*/, instead: 'process' },
  { words: /\bforget[A-Z]\w*/, instead: 'delete, purge, expire' },
  { words: /\bthe books\b|\w+Books\b/, instead: 'ledger, accounts' },
  { words: /\bhop\b/, instead: 'upstream' },
  // The path and the header of the heartbeat keep it.
  { words: /(?<!['/])\b[lL]ifelines?\b/, instead: 'heartbeat' },
  { words: /\b[fF]ront door\b|[fF]rontDoor/, instead: 'request pipeline' },
  { words: /\b[pP]arty\b/, instead: 'request context, client' },
  { words: /\b(?:gives?|given|gave) back\b|\b(?:takes?|taken|taking) over\b/, instead: 'release, claim' },
  {
    words: /\b(?:[nN]obody|[sS]omebody|[wW]hoever|[eE]verybody)\b|\bNOBODY/,
    instead: 'the name of the person or thing',
  },
  // In quotes it is the code of a language.
  { words: /\b(?:he|his|him)\b(?!')/, instead: 'they, or the name of the person' },
  { words: /\banew\b/, instead: 'again' },
  {
    words: /\b\w*(?:[Pp]atience|PATIENCE|[Aa]ftermath|[Oo]vertaken|[Dd]isown)\w*/,
    instead: 'timeout, effects, changed, anonymize',
  },
  { words: /\bstrangers?\b|\bSTRANGE/, instead: 'another customer, an outsider' },
  { words: /\b(?:whoIsAsking|readHopefully|keepTheRest|goOn|orAgain|isSealedAsItShould)\b/, instead: 'what it does' },
]
/** The line with the name of a test that contains a word without a clear meaning, or one that the code does not use. */
const UNCLEAR_NAME =
  /^\s*(?:test|it|describe)\b.*?\(\s*['`].*\b(?:nobody|somebody|whoever|everybody|hears?|heard|news|refus(?:e|es|ed|al)|mended?|anew)\b/
/**
 * Words that documents for people do not use. The decision on words (0069) quotes them, and docs/licenses.md lists
 * packages.
 */
const UNUSED_IN_DOCUMENTS =
  /\b(?:hearers?|news|anew|[nN]obody|[sS]omebody|[wW]hoever|[eE]verybody|strangers?|he|his|him|[rR]efusals?|unseal|poke|the books)\b/
/** Text of shoppers, merchants and demo products may use any word. */
const EXEMPT = /^demo\/|\.test\.ts$|^packages\/client\/src\/openapi\.ts$/

describe('the words of the code', () => {
  test.each(UNUSED)('$words is not used, but $instead', ({ words }) => {
    const found = lines.filter(({ path, text }) => !EXEMPT.test(path) && words.test(text))
    expect(found.map(({ at, text }) => `${at} ${text.trim()}`)).toEqual([])
  })

  test('documents and texts of the apps use none of the words that readers stumbled over', () => {
    const texts = workspaces()
      .flatMap(filesBelow)
      .filter((path) => /\/messages\/en\/.*\.json$/.test(path))
    const documents = [...DOCUMENTS.filter((path) => !/0069|licenses/.test(path)), ...texts]
    const found = documents.flatMap(linesOf).filter(({ text }) => UNUSED_IN_DOCUMENTS.test(text))
    expect(found.map(({ at, text }) => `${at} ${text.trim()}`)).toEqual([])
    expect(documents.length).toBeGreaterThan(80)
    expect(texts.length).toBeGreaterThan(10)
  })

  test('names of tests are clear', () => {
    const found = lines.filter(({ path, text }) => /\.(?:test|long)\.ts$/.test(path) && UNCLEAR_NAME.test(text))
    expect(found.map(({ at, text }) => `${at} ${text.trim()}`)).toEqual([])
    expect(UNCLEAR_NAME.test("test('nobody is let in', () => {")).toBe(true)
  })

  test('the checks cover the code', () => {
    expect(lines.filter(({ path }) => !EXEMPT.test(path)).length).toBeGreaterThan(50_000)
  })
})
