import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, readText, repository } from './source-files.ts'

/** Codes of errors that the client finds. */
export const CLIENT_CODES = ['network_error', 'timeout', 'bad_response']
/** Files with sentences in place of the API's own: not every language has them, and every screen may show them. */
const OPTIONAL = ['errors', 'fields', 'activitySentences']
/** `zero` is for the number 0 in any language. */
const PLURAL = /_(?:zero|one|two|few|many|other)$/

/** The texts of an application: one folder a language, with a file for each page. */
export class Texts {
  readonly names: readonly string[]
  readonly languages: readonly string[]
  readonly #folder: string

  /** @param sources of the application, from the root of the repository */
  constructor(sources: string) {
    this.#folder = `${sources}/messages`
    this.names = this.namesIn('en').filter((name) => !OPTIONAL.includes(name))
    this.languages = readdirSync(join(repository, this.#folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  }

  namesIn(language: string): string[] {
    const folder = `${this.#folder}/${language}`
    return filesBelow(folder).map((path) => path.slice(`${folder}/`.length, -'.json'.length))
  }

  has(language: string, name: string): boolean {
    return existsSync(join(repository, `${this.#folder}/${language}/${name}.json`))
  }

  catalog(language: string, name: string): unknown {
    return JSON.parse(readText(`${this.#folder}/${language}/${name}.json`))
  }

  /** @returns whether an English text has this key, or keys that begin with it when it ends with a dot or `_` */
  isKey([name = '', ...rest]: readonly string[]): boolean {
    return this.names.includes(name) && isKeyIn(this.catalog('en', name), [name, ...rest])
  }
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Every key with its text. */
export function textsIn(value: unknown, at: readonly string[] = []): [key: string, text: string][] {
  if (isTree(value)) return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...at, key]))
  return [[at.join('.'), String(value)]]
}

export const withoutPlural = (key: string): string => key.replace(PLURAL, '')

function isKeyIn(tree: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined || first === '') return true
  if (!isTree(tree)) return false
  const next = tree[first] ?? tree[`${first}_other`]
  return next === undefined ? rest.length === 0 && first.endsWith('_') : isKeyIn(next, rest)
}

/** Every key with its placeholders, which languages may leave out in the forms of a plural that need no number. */
function keysIn(catalog: unknown): Set<string> {
  const placeholders = new Map<string, Set<string>>()
  for (const [key, text] of textsIn(catalog)) {
    const found = (text.match(/\{\{\w+\}\}|<\/?\w+>/g) ?? []).filter((one) => one !== '{{count}}')
    const own = placeholders.get(withoutPlural(key)) ?? new Set()
    placeholders.set(withoutPlural(key), new Set([...own, ...found]))
  }
  return new Set([...placeholders].map(([key, found]) => [key, ...[...found].toSorted()].join(' ')))
}

/** The forms of plurals that a language lacks: it would show the English ones. */
function missingPlurals(language: string, catalog: unknown): string[] {
  const keys = new Set(textsIn(catalog).map(([key]) => key))
  const plurals = new Set([...keys].filter((key) => PLURAL.test(key)).map(withoutPlural))
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  return [...plurals].flatMap((key) => forms.map((form) => `${key}_${form}`)).filter((key) => !keys.has(key))
}

/** Tests that all languages are complete, and that `common.json` is the only file with texts of several pages. */
export function testLanguages(texts: Texts): void {
  test('there are texts in more than one language', () => {
    expect(texts.languages).toContain('en')
    expect(texts.languages.length).toBeGreaterThan(1)
    expect(texts.names).toContain('common')
  })

  describe.each(texts.languages)('the texts in the language %s', (language) => {
    test('have the same keys, placeholders and forms of plurals as the English ones', () => {
      expect(texts.namesIn(language).filter((name) => !OPTIONAL.includes(name))).toEqual(texts.names)
      const wrong = texts.names.flatMap((name) => {
        const own = keysIn(texts.catalog(language, name))
        const english = keysIn(texts.catalog('en', name))
        return [...own, ...english].filter((key) => !own.has(key) || !english.has(key))
      })
      expect(wrong).toEqual([])
      expect(texts.names.flatMap((name) => missingPlurals(language, texts.catalog(language, name)))).toEqual([])
    })

    test('are in the files of their names, those of several screens in common.json', () => {
      for (const name of texts.namesIn(language).filter((each) => each !== 'common')) {
        expect(Object.keys(Object(texts.catalog(language, name))), name).toEqual([name])
      }
    })
  })
}

/** Tests that languages with sentences for errors have one for each of these codes. */
export function testErrorSentences(texts: Texts, codes: Iterable<string>): void {
  const languages = texts.languages.filter((language) => texts.has(language, 'errors'))
  test('a language has sentences for error codes', () => {
    expect(languages).not.toEqual([])
  })
  test.each(languages)('the language %s has a sentence for each error code', (language) => {
    const { errors } = Object(texts.catalog(language, 'errors'))
    expect(Object.keys(errors).toSorted()).toEqual([...new Set(codes)].toSorted())
  })
}
