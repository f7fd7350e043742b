import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ERROR_STATUS } from '@storefront/contracts'
import { readText, repository } from './source-files.ts'
import { CLIENT_CODES, testErrorSentences, testLanguages, Texts } from './texts.ts'

const SOURCES = 'apps/console/src'
const ROUTER = `${SOURCES}/shell/router.ts`
const texts = new Texts(SOURCES)

testLanguages(texts)
testErrorSentences(texts, [...Object.keys(ERROR_STATUS), ...CLIENT_CODES])

/** The files that a file imports, also dynamically. Imports of types do not exist at run time. */
function importsOf(path: string): string[] {
  const code = readText(path).replaceAll(/import type [^;]*? from '[^']+'/g, '')
  return [...code.matchAll(/(?:from |import |import\()'(\.[^']+\.tsx?)'/g)].map(([, target = '']) =>
    join(dirname(path), target),
  )
}

function closureOf(start: string): string[] {
  const found = new Set([start])
  for (const path of found) {
    // Each screen of the router is checked separately.
    if (path === ROUTER) continue
    for (const target of importsOf(path)) if (existsSync(join(repository, target))) found.add(target)
  }
  return [...found]
}

/** The files of texts whose keys a source has in quotation marks, complete or as the beginning of a template. */
function usedIn(path: string): string[] {
  return [...readText(path).matchAll(/['"`]([a-zA-Z]+\.[\w.-]*)/g)].flatMap(([, key = '']) => {
    const [name = '', ...rest] = key.split('.')
    return name !== 'common' && texts.isKey([name, ...rest]) ? [name] : []
  })
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
  names: [textsAt(path), ...(/texts: \[([^\]]*)\]/.exec(more)?.[1]?.match(/\w+/g) ?? [])],
}))

function textsAt(path: string): string {
  return path === '/' ? 'home' : (path.split('/')[1] ?? '').replaceAll(/-(.)/g, (_all, letter) => letter.toUpperCase())
}

test('a screen uses the texts that are loaded with its address, and the common ones', () => {
  expect(screens.length).toBeGreaterThan(30)
  const exists = (name: string) => texts.languages.some((language) => texts.has(language, name))
  expect(screens.filter(({ names }) => !names.every(exists))).toEqual([])
  expect(new Set(screens.flatMap(({ source, names }) => foreignTexts(source, names)))).toEqual(new Set())
})

test('the frame around the screens uses common texts only', () => {
  expect(foreignTexts(`${SOURCES}/main.tsx`, [])).toEqual([])
})
