import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ERROR_STATUS } from '@storefront/contracts'
import { filesBelow, readText, repository } from './source-files.ts'

const SOURCES = 'apps/console/src'
const MESSAGES = `${SOURCES}/messages`
const ROUTER = `${SOURCES}/shell/router.ts`
/** Codes of errors that the client finds. */
const CLIENT_CODES = ['network_error', 'timeout', 'bad_response']
/** Of languages that do not show the API's own sentences. */
const OPTIONAL = ['errors', 'fields']

const LANGUAGES = readdirSync(join(repository, MESSAGES), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

const namesIn = (language: string) =>
  filesBelow(`${MESSAGES}/${language}`).map((path) => path.slice(`${MESSAGES}/${language}/`.length, -'.json'.length))
const NAMES = namesIn('en')

function catalog(language: string, name: string): unknown {
  return JSON.parse(readText(`${MESSAGES}/${language}/${name}.json`))
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Every key with its placeholders; languages differ in their forms of a plural. */
function keysIn(value: unknown, at: readonly string[] = []): string[] {
  if (isTree(value)) return Object.entries(value).flatMap(([key, inner]) => keysIn(inner, [...at, key]))
  const key = at.join('.').replace(/_(?:zero|one|two|few|many|other)$/, '')
  const placeholders = String(value).match(/\{\{\w+\}\}|<\/?\w+>/g) ?? []
  return [[key, ...new Set(placeholders.filter((one) => one !== '{{count}}').toSorted())].join(' ')]
}

test('the console has texts in more than one language', () => {
  expect(LANGUAGES).toContain('en')
  expect(LANGUAGES.length).toBeGreaterThan(1)
  expect(NAMES).toContain('common')
})

describe.each(LANGUAGES)('the texts in the language %s', (language) => {
  test('have the same keys and placeholders as the English ones', () => {
    expect(namesIn(language).filter((name) => !OPTIONAL.includes(name))).toEqual(NAMES)
    const wrong = NAMES.flatMap((name) => {
      const own = new Set(keysIn(catalog(language, name)))
      const english = new Set(keysIn(catalog('en', name)))
      return [...own, ...english].filter((key) => !own.has(key) || !english.has(key))
    })
    expect(wrong).toEqual([])
  })

  test('are in the files of their names, those of several screens in common.json', () => {
    for (const name of namesIn(language).filter((each) => each !== 'common')) {
      expect(Object.keys(Object(catalog(language, name))), name).toEqual([name])
    }
  })
})

test.each(LANGUAGES.filter((language) => namesIn(language).includes('errors')))(
  'the language %s has a sentence for each error code',
  (language) => {
    const { errors } = Object(catalog(language, 'errors'))
    expect(Object.keys(errors).toSorted()).toEqual([...Object.keys(ERROR_STATUS), ...CLIENT_CODES].toSorted())
  },
)

/** The files that a file imports, also later. Types are not there at run time. */
function importsOf(path: string): string[] {
  const code = readText(path).replaceAll(/import type [^;]*? from '[^']+'/g, '')
  return [...code.matchAll(/(?:from |import |import\()'(\.[^']+\.tsx?)'/g)].map(([, target = '']) =>
    join(dirname(path), target),
  )
}

function closureOf(start: string): string[] {
  const found = new Set([start])
  for (const path of found) {
    // Each screen of the router is looked at by itself.
    if (path === ROUTER) continue
    for (const target of importsOf(path)) if (existsSync(join(repository, target))) found.add(target)
  }
  return [...found]
}

/** The files of texts whose keys a source has in quotation marks, complete or as the beginning of a template. */
function usedIn(path: string): string[] {
  return [...readText(path).matchAll(/['"`]([a-zA-Z]+\.[\w.-]*)/g)].flatMap(([, key = '']) => {
    const [name = '', ...rest] = key.split('.')
    return NAMES.includes(name) && name !== 'common' && isKey(catalog('en', name), [name, ...rest]) ? [name] : []
  })
}

function isKey(tree: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined || first === '') return true
  if (!isTree(tree)) return false
  const next = tree[first] ?? tree[`${first}_other`]
  return next === undefined ? rest.length === 0 && first.endsWith('_') : isKey(next, rest)
}

function foreignTexts(start: string, own: readonly string[]): string[] {
  return closureOf(start).flatMap((path) =>
    usedIn(path)
      .filter((name) => !own.includes(name))
      .map((name) => `${path} uses texts of ${name}.json`),
  )
}

/** The screens of the router with the files of texts that are loaded with them. */
const screens = [
  ...readText(ROUTER).matchAll(/route\(\s*'([^']+)',\s*\(\) => import\('([^']+)'\),\s*'\w+'(?:,\s*\{([^}]*)\})?/g),
].map(([, path = '', source = '', more = '']) => ({
  path,
  source: join(dirname(ROUTER), source),
  names: [textsAt(path), ...(/texts: '(\w+)'/.exec(more)?.slice(1) ?? [])],
}))

function textsAt(path: string): string {
  return path === '/' ? 'home' : (path.split('/')[1] ?? '').replaceAll(/-(.)/g, (_all, letter) => letter.toUpperCase())
}

test('a screen uses the texts that are loaded with its address, and the common ones', () => {
  expect(screens.length).toBeGreaterThan(30)
  expect(screens.filter(({ names }) => !names.every((name) => NAMES.includes(name)))).toEqual([])
  expect(new Set(screens.flatMap(({ source, names }) => foreignTexts(source, names)))).toEqual(new Set())
})

test('what stays around the screens uses common texts only', () => {
  expect(foreignTexts(`${SOURCES}/main.tsx`, [])).toEqual([])
})
