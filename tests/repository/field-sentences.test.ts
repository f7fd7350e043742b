import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { FIELD_KINDS, fieldKindOf } from '@storefront/contracts/field-kind'
import { issueWords } from '@storefront/http'
import { filesBelow, readText } from './source-files.ts'

const WORDS = { 'of zod': z.locales.en().localeError, 'of the shop': issueWords }

/** The message about a value, in the words of zod or of the shop. */
function messageOf(schema: z.ZodType, value: unknown, words: keyof typeof WORDS): string {
  return schema.safeParse(value, { error: WORDS[words] }).error?.issues[0]?.message ?? 'nothing is wrong'
}

describe.each(['of zod', 'of the shop'] as const)('a message about a field is known in the words %s', (words) => {
  test.each<[kind: string, value: string, schema: z.ZodType, found: unknown]>([
    ['missing', '', z.string(), undefined],
    ['missing', '', z.string().min(1), ''],
    ['tooShort', '8', z.string().min(8), 'short'],
    ['tooLong', '3', z.string().max(3), 'long'],
    ['none', '', z.array(z.string()).min(1), []],
    ['tooFew', '2', z.array(z.string()).min(2), []],
    ['tooMany', '1', z.array(z.string()).max(1), ['a', 'b']],
    ['atLeast', '0', z.int().min(0), -1],
    ['moreThan', '0', z.number().positive(), 0],
    ['atMost', '999', z.int().max(999), 1000],
    ['whole', '', z.int(), 1.5],
    ['number', '', z.number(), 'x'],
    ['choice', '', z.enum(['a', 'b']), 'c'],
    ['email', '', z.email(), 'x'],
    ['address', '', z.url(), 'x'],
    ['unknownField', '', z.strictObject({}), { x: 1 }],
  ])('%s %s', (kind, value, schema, found) => {
    expect(fieldKindOf(messageOf(schema, found, words))).toEqual({ kind, value })
  })
})

/** Sentences of the shop about a field, as its sources have them, and how they read when they are sent. */
const SENTENCES: [kind: string, source: string, path: string, values?: Record<string, string>][] = [
  ['privateAddress', 'must not lead to a private address', 'services/notifier/src/endpoints/require-good-url.ts'],
  ['address', 'must be an http or https URL', 'services/notifier/src/endpoints/require-good-url.ts'],
  ['address', 'must have a host', 'services/notifier/src/endpoints/require-good-url.ts'],
  ['address', 'must be an http(s) address or a path on this server', 'packages/contracts/src/shapes/product-input.ts'],
  ['tooLong', 'must have at most 2,000 characters', 'services/notifier/src/endpoints/require-good-url.ts'],
  [
    'withinDays',
    'is required, and must be within ${PROTECTED_DAYS} days, for ${PROTECTED}',
    'services/identity/src/api-keys/api-key.ts',
    { PROTECTED_DAYS: '90' },
  ],
  [
    'withinDays',
    'must be within ${PROTECTED_DAYS} days for ${PROTECTED}',
    'services/identity/src/api-keys/api-key.ts',
    { PROTECTED_DAYS: '90' },
  ],
  ['future', 'must be in the future', 'services/identity/src/api-keys/api-key.ts'],
  ['none', 'must name at least one permission', 'services/identity/src/api-keys/api-key.ts'],
  ['order', 'must be after startsAt', 'packages/contracts/src/shapes/discount.ts'],
  ['sameTime', 'must not be the time of publishAt', 'services/catalog/src/products/product.ts'],
  ['missing', 'must not be blank', 'packages/contracts/src/shapes/product-input.ts'],
  ['missing', 'must be given, unless at least one variant has a price', 'services/catalog/src/products/product.ts'],
  ['slug', 'must be lower-case letters, digits and single hyphens', 'packages/contracts/src/shapes/common.ts'],
  ['unknown', 'there is no category ${slug}', 'services/catalog/src/products/product.ts', { slug: 'coats' }],
  [
    'unknown',
    'there is no size chart ${sizeChartId}',
    'services/catalog/src/products/product.ts',
    { sizeChartId: 'x' },
  ],
  ['unknown', 'there is no product ${slug}', 'services/catalog/src/collections/save-collection.ts', { slug: 'linen' }],
  [
    'currency',
    'must be in ${currency}, the currency of the store',
    'services/catalog/src/products/product.ts',
    { currency: 'USD' },
  ],
  [
    'tooMany',
    'must not hold more than ${MAX_HOME_SECTIONS} sections',
    'services/catalog/src/settings/check-settings.ts',
    { MAX_HOME_SECTIONS: '40' },
  ],
  [
    'atMost',
    'must not exceed ${MAX_TAX_RATE}',
    'services/catalog/src/settings/check-settings.ts',
    { MAX_TAX_RATE: '1' },
  ],
  ['choice', "must be one of ${[...allowed].join(', ')}", 'services/catalog/src/settings/check-settings.ts'],
  ['country', 'must be an ISO 3166-1 alpha-2 code such as GB', 'services/catalog/src/settings/check-settings.ts'],
  [
    'secret',
    'is a secret, and every visitor can read this document',
    'services/catalog/src/settings/check-settings.ts',
  ],
  ['webhookSecret', 'must be `whsec_` and base64 of 24 to 64 bytes', 'services/identity/src/credentials/credential.ts'],
]

describe('a message of the shop about a field is known', () => {
  test.each(SENTENCES)('%s: %s', (kind, source, path, values = {}) => {
    expect(readText(path), `${path} has another sentence now`).toContain(source)
    const message = source.replaceAll(/\$\{([^}]+)\}/g, (_all, name: string) => values[name] ?? name)
    expect(fieldKindOf(message)?.kind).toBe(kind)
  })
})

test('what a message is about is shown in the sentence', () => {
  expect(fieldKindOf('there is no category coats')?.value).toBe('coats')
  expect(fieldKindOf('Unknown product `linen`. Did you mean `linen-shirt`?')).toEqual({
    kind: 'unknown',
    value: 'linen',
  })
  expect(fieldKindOf('must be within 90 days for keys of owners')?.value).toBe('90')
})

test('a message that is not known has no kind', () => {
  expect(fieldKindOf('must rhyme')).toBeUndefined()
})

const TRANSLATED = filesBelow('apps/console/src/messages').filter((path) => path.endsWith('/fields.json'))

test('the console has sentences about fields in more than one language', () => {
  expect(TRANSLATED.length).toBeGreaterThan(1)
})

test.each(TRANSLATED)('%s has a sentence for each kind, and a general one', (path) => {
  const { fields } = Object(JSON.parse(readText(path)))
  expect(Object.keys(fields).toSorted()).toEqual([...FIELD_KINDS, 'other'].toSorted())
})
