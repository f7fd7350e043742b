import { expect, test } from 'vitest'
import { z } from 'zod'
import { filesBelow, readText } from './source-files.ts'
import { CLIENT_CODES, testErrorSentences, testLanguages, Texts, textsIn, withoutPlural } from './texts.ts'

const SOURCES = 'apps/storefront/src'
const texts = new Texts(SOURCES)

testLanguages(texts)

const Responses = z.record(z.string(), z.looseObject({ $ref: z.string().optional() }))
const Api = z.object({ paths: z.record(z.string(), z.record(z.string(), z.object({ responses: Responses }))) })

/** The codes of the operations that shoppers cause, which are part of the names of their responses. */
function codesOfShoppers(): string[] {
  const { paths } = Api.parse(JSON.parse(readText('docs/openapi.json')))
  return Object.entries(paths)
    .filter(([path]) => !path.startsWith('/admin/') && !path.startsWith('/webhooks/'))
    .flatMap(([, operations]) => Object.values(operations))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ $ref }) => $ref?.split('/').at(-1)?.split('.').slice(1) ?? [])
}

testErrorSentences(texts, [...codesOfShoppers(), ...CLIENT_CODES])

test('each text of the storefront is used', () => {
  // Complete, or as the beginning of a template.
  const quoted = filesBelow(SOURCES)
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => [...readText(path).matchAll(/['"`]([a-zA-Z]+\.[\w.-]*)(['"`]|\$\{)/g)])
    .map(([, key = '', end]) => ({ key, isBeginning: end === '${' }))
  const own = new Set(quoted.filter(({ isBeginning }) => !isBeginning).map(({ key }) => key))
  const beginnings = quoted.filter(({ isBeginning }) => isBeginning).map(({ key }) => key)
  const keys = texts.names.flatMap((name) => textsIn(texts.catalog('en', name))).map(([key]) => withoutPlural(key))
  const unused = keys.filter((key) => !own.has(key) && !beginnings.some((beginning) => key.startsWith(beginning)))
  expect(unused).toEqual([])
})
