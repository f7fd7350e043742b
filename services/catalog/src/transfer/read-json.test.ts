import { amount } from '@storefront/tools/testing'
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  dictionary,
  jsonValue,
  nat,
  oneof,
  record,
  string,
  tuple,
  uint8Array,
  uniqueArray,
  type Arbitrary,
} from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareFields, parseJsonBody, unknownFieldFaults } from '@storefront/http'
import { HttpError } from '@storefront/service'
import { ImportBody } from '@storefront/contracts'
import { issuesOf } from '../errors.ts'
import { readJson } from './read-json.ts'
import { MAX_LINE_BYTES } from './read-lines.ts'
import type { Reading } from './row-kind.ts'
import { ROW_KINDS } from './row-kinds.ts'

async function* inChunks(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b)
  let start = 0
  for (const end of [...ends, bytes.length]) {
    yield bytes.subarray(start, end)
    start = end
  }
}

async function read(text: string | Uint8Array, cuts: readonly number[] = []): Promise<Reading[]> {
  const readings: Reading[] = []
  for await (const reading of readJson(inChunks(Buffer.from(text), cuts))) {
    readings.push('row' in reading ? { row: reading.row, characters: undefined } : reading)
  }
  return readings
}

const issuesIn = (readings: readonly Reading[]) =>
  readings
    .flatMap((each) => ('issue' in each ? [each.issue] : 'issues' in each ? each.issues : []))
    .map(({ path, message }) => `${path}: ${message}`)

/** The readings of a document that was parsed whole. */
function expected(document: unknown): Reading[] {
  const faults = (body: unknown) => {
    const unknown = typeof body === 'object' && !Array.isArray(body) ? compareFields(ImportBody, body).unknown : []
    const { error } = ImportBody.safeParse(body)
    return [...unknownFieldFaults(unknown), ...issuesOf(error)].map((issue) => ({ issue }))
  }
  if (document === null || document === undefined) return [{ issue: { path: '', message: 'must be given' } }]
  if (typeof document !== 'object' || Array.isArray(document)) return faults(document)
  const kinds = {
    categories: ROW_KINDS.category,
    collections: ROW_KINDS.collection,
    sizeCharts: ROW_KINDS.sizeChart,
    products: ROW_KINDS.product,
    reviews: ROW_KINDS.review,
    discounts: ROW_KINDS.discount,
  } as const
  const readings = Object.entries(document).flatMap(([name, value]): Reading[] => {
    if (name === 'settings') return ROW_KINDS.settings.read(value, name)
    if (Array.isArray(value) && Object.hasOwn(kinds, name)) {
      const kind = Object.entries(kinds).find(([each]) => each === name)?.[1]
      const rows = value.flatMap((row, index) => kind?.read(row, `${name}.${index}`) ?? [])
      return name === 'discounts' ? [{ hasDiscounts: true }, ...rows] : rows
    }
    const alone = faults({ mode: 'merge', [name]: value })
    if (alone.length > 0) return name === 'discounts' ? [{ hasDiscounts: true }, ...alone] : alone
    const body = ImportBody.parse({ mode: 'merge', [name]: value })
    if (name === 'mode') return [{ mode: body.mode }]
    const { attributes = [], features = [], assurances = [] } = body.library ?? {}
    return [
      ...attributes.map((row, index) => ROW_KINDS.attribute.take(row, `library.attributes.${index}`)),
      ...features.map((row, index) => ROW_KINDS.feature.take(row, `library.features.${index}`)),
      ...assurances.map((row, index) => ROW_KINDS.assurance.take(row, `library.assurances.${index}`)),
    ]
  })
  if (!Object.hasOwn(document, 'mode')) readings.push(...faults({}))
  return readings
}

const words = oneof(
  string({ unit: 'grapheme', maxLength: 12 }),
  constantFrom('"', '\\', '\\"', '{"a":[', ']}', '/*', 'é', '漢', '\u{1F9F5}', '\u2028', '\uFEFF', '\t\n'),
)
const slugs = constantFrom('a', 'b-1', 'linen')
const anything = jsonValue({ maxDepth: 3, stringUnit: 'grapheme' })
const product = record({
  slug: slugs,
  title: words,
  price: record({ amount: oneof(nat(), constant(1.5)), currency: constant('USD') }),
  tags: array(words, { maxLength: 3 }),
  variants: array(record({ sku: words, options: dictionary(words, words, { maxKeys: 2 }) }), { maxLength: 2 }),
})
const attribute = record({ key: slugs, label: words, values: array(words, { maxLength: 2 }) })
const rows = <Row>(row: Arbitrary<Row>) =>
  oneof({ weight: 9, arbitrary: array(oneof({ weight: 4, arbitrary: row }, anything), { maxLength: 3 }) }, anything)

const member = <Value>(name: string, value: Arbitrary<Value>) => tuple(constant(name), value)

/** Members in any order, known and unknown, valid and invalid. */
const documents = uniqueArray(
  oneof(
    { weight: 3, arbitrary: member('mode', constantFrom('merge', 'replace')) },
    member('mode', anything),
    member('settings', oneof(record({ store: record({ name: words }) }), anything)),
    member('categories', rows(record({ slug: slugs, name: words }))),
    member('collections', rows(record({ slug: slugs, title: words, products: array(slugs, { maxLength: 2 }) }))),
    member('sizeCharts', rows(record({ id: slugs, unit: words, columns: array(words), rows: constant([]) }))),
    { weight: 4, arbitrary: member('products', rows(product)) },
    member('reviews', rows(record({ product: slugs, author: words, rating: nat(6) }))),
    member('discounts', rows(record({ code: words, kind: constantFrom('percent', 'gift'), value: nat(120) }))),
    member('library', oneof(record({ attributes: array(attribute) }, { requiredKeys: [] }), anything)),
    tuple(constantFrom('', 'what else', '"\\é\u{1F9F5}', '__proto__', 'toString'), anything),
  ),
  { selector: ([name]) => name, maxLength: 8 },
)

/** How a document is written: with which white space, and with escaped strings or not. */
interface Manner {
  gaps: string[]
  isEscaped: boolean
}
const manners: Arbitrary<Manner> = record({
  gaps: array(constantFrom('', '', '', ' ', '\n', '\r\n\t', '   '), { minLength: 1, maxLength: 7 }),
  isEscaped: boolean(),
})

function written(members: readonly [string, unknown][], { gaps, isEscaped }: Manner): string {
  let place = 0
  const gap = () => gaps[place++ % gaps.length] ?? ''
  const text = (value: string) => {
    if (!isEscaped) return JSON.stringify(value)
    const units = Array.from({ length: value.length }, (_, index) => value.charCodeAt(index).toString(16))
    return `"${units.map((unit) => `\\u${unit.padStart(4, '0')}`).join('')}"`
  }
  const object = (entries: readonly [string, unknown][]): string =>
    entries.length === 0
      ? `{${gap()}}`
      : `{${entries.map(([name, value]) => `${gap()}${text(name)}${gap()}:${write(value)}`).join(',')}}`
  const list = (values: readonly unknown[]): string =>
    values.length === 0 ? `[${gap()}]` : `[${values.map(write).join(',')}]`
  const bare = (value: unknown): string => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return list(value)
    return typeof value === 'object' && value !== null ? object(Object.entries(value)) : JSON.stringify(value)
  }
  const write = (value: unknown): string => gap() + bare(value) + gap()
  return gap() + object(members) + gap()
}

/** The parser drops a member `__proto__`, which is reported as unknown, or for text in it that cannot be stored. */
function withEveryMember(text: string): unknown {
  const document = parseJsonBody(text)
  const raw: unknown = JSON.parse(text)
  if (typeof raw !== 'object' || raw === null || !Object.hasOwn(raw, '__proto__')) return document
  for (const [name, value] of Object.entries(raw)) if (name === '__proto__') parseJsonBody(JSON.stringify(value))
  const values = new Map(Object.entries(document ?? {}))
  return Object.fromEntries(Object.keys(raw).map((name) => [name, values.get(name) ?? null]))
}

/** The result of a document that is parsed whole: its readings, or its error code. */
function parsedWhole(bytes: Uint8Array): Reading[] | string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    // A body parser treats text that is blank in JavaScript as empty, but here it must be blank in JSON.
    return text.trim() === '' && /[^ \t\n\r]/.test(text) ? 'bad_json' : expected(withEveryMember(text))
  } catch (error) {
    return error instanceof HttpError ? error.code : 'is not UTF-8'
  }
}

async function expectAsParsedWhole(bytes: Uint8Array, cuts: readonly number[]): Promise<void> {
  const whole = parsedWhole(bytes)
  const cut = await read(bytes, cuts).catch((error: unknown) => {
    if (error instanceof HttpError && error.code === 'bad_json') return 'bad_json'
    throw error
  })
  const isNamed = typeof cut !== 'string' && issuesIn(cut).length > 0
  // Bytes that are not UTF-8 may also be invalid JSON. Text that cannot be stored is reported with its location.
  const isSame =
    (whole === 'validation_failed' && isNamed) || (whole === 'is not UTF-8' && (isNamed || cut === 'bad_json'))
  expect(isSame ? whole : cut).toEqual(whole)
}

const cuts = array(nat(), { maxLength: 40 })

test('a document in any notation that is split into chunks anywhere reads as if it were parsed whole', async () => {
  await assert(
    asyncProperty(documents, manners, cuts, async (members, manner, cuts) => {
      await expectAsParsedWhole(Buffer.from(written(members, manner)), cuts)
    }),
    { numRuns: amount({ quick: 80, long: 1000 }) },
  )
})

test('a document with one changed, added or missing byte is rejected, or reads as if it were parsed whole', async () => {
  const bytes = oneof(constantFrom(...Buffer.from('{}[],:"\\ \t\n\r\f\0-0e.tn\u00e9')), nat(255))
  await assert(
    asyncProperty(documents, manners, cuts, nat(), bytes, nat(2), async (members, manner, cuts, at, byte, kept) => {
      const before = Buffer.from(written(members, manner))
      const place = at % (before.length + 1)
      const end = place + (kept === 0 ? 0 : 1)
      const instead = kept === 2 ? [] : [byte]
      const after = Buffer.concat([before.subarray(0, place), Buffer.from(instead), before.subarray(end)])
      await expectAsParsedWhole(after, cuts)
    }),
    { numRuns: amount({ quick: 200, long: 4000 }) },
  )
})

test('a truncated document is rejected, and so is one with text after its end', async () => {
  await assert(
    asyncProperty(documents, manners, cuts, nat(), async (members, manner, cuts, at) => {
      const text = written(members, manner).trim()
      const early = Buffer.from(text).subarray(0, 1 + (at % (Buffer.byteLength(text) - 1)))
      await expect(read(early, cuts)).rejects.toMatchObject({ code: 'bad_json' })
      await expect(read(`${text} ${text}`, cuts)).rejects.toMatchObject({ code: 'bad_json' })
    }),
    { numRuns: amount({ quick: 40, long: 1000 }) },
  )
})

test('arbitrary bytes are rejected, or are JSON', async () => {
  const bytes = oneof(
    uint8Array(),
    array(constantFrom(...Buffer.from('{}[],:"\\ 1a'))).map((some) => Uint8Array.from(some)),
  )
  await assert(asyncProperty(bytes, cuts, expectAsParsedWhole), { numRuns: amount({ quick: 120, long: 2000 }) })
})

describe('a document is rejected', () => {
  const MODE = '"mode":"merge"'

  test.each([
    ['', ': must be given'],
    [' \n', ': must be given'],
    ['null', ': must be given'],
    ['[]', ': must be an object, not an array'],
    [' 5 ', ': must be an object, not a number'],
    ['"text"', ': must be an object, not a string'],
    ['{}', 'mode: must be one of "merge", "replace"'],
    ['{"mode":"append"}', 'mode: must be one of "merge", "replace"'],
    [`{${MODE},"products":{}}`, 'products: must be an array, not an object'],
    [`{${MODE},"products":null}`, 'products: must be an array, not null'],
    [`{${MODE},"products":[5]}`, 'products.0: must be an object, not a number'],
    [`{${MODE},"settings":[]}`, 'settings: must be an object, not an array'],
    [`{${MODE},"library":[]}`, 'library: must be an object, not an array'],
    [`{${MODE},"library":{"features":5}}`, 'library.features: must be an array, not a number'],
    [
      `{${MODE},"discounts":[{"code":"A","kind":"percent","value":101}]}`,
      'discounts.0.value: must be a whole percent from 1 to 100',
    ],
    [`{${MODE},"reviews":[],"reviews":[]}`, 'reviews: occurs twice in this document'],
    [`{${MODE},"m\\u006fde":"merge"}`, 'mode: occurs twice in this document'],
    [`{${MODE},"other":"\\ud800"}`, 'other: must not contain NUL characters, lone surrogates or more than 100 levels'],
    [`{${MODE},"a\\u0000":1}`, ': must not contain NUL characters, lone surrogates or more than 100 levels'],
    [
      `{${MODE},"products":[1,${'['.repeat(101)}${']'.repeat(101)}]}`,
      'products.1: must not contain NUL characters, lone surrogates or more than 100 levels',
    ],
  ])('%s', async (text, issue) => {
    expect(issuesIn(await read(text, [1, 7, 20]))).toContain(issue)
  })

  test.each([
    '{',
    '{"mode":"merge"',
    '{"mode":"merge",}',
    '{"mode" "merge"}',
    '{"mode"::"merge"}',
    '{mode:"merge"}',
    "{'mode':'merge'}",
    '{"mode":}',
    '{,}',
    '{"products":[,]}',
    '{"products":[1,]}',
    '{"products":[1 2]}',
    '{"products":[1}',
    '{"products":[{]}]}',
    '{"products":[01]}',
    '{"products":["\n"]}',
    '{"products":[\uFEFF1]}',
    '{"other":\u00a0}',
    '\uFEFF{}',
    '{}{}',
    '{} x',
    'tru',
    '[',
    ']',
    ':',
    '{"other":NaN}',
    '// no\n{}',
  ])('because %j is not JSON', async (text) => {
    await expect(read(text, [1, 3, 9])).rejects.toMatchObject({ code: 'bad_json' })
  })

  test('for text that is not UTF-8, with its location', async () => {
    const start = Buffer.from(`{${MODE},"products":[{},{"title":"caf`)
    const bytes = Buffer.concat([start, Buffer.from([0xe9]), Buffer.from('"}]}')])
    expect(issuesIn(await read(bytes))).toContain('products.1: is not UTF-8 text')
    const half = Buffer.concat([start, Buffer.from('é').subarray(0, 1), Buffer.from('"}]}')])
    expect(issuesIn(await read(half, [start.length]))).toContain('products.1: is not UTF-8 text')
  })
})

const UNKNOWN_Y =
  'y: Unknown field `y`. Valid here: `mode`, `dry_run`, `dryRun`, `settings`, `categories`, `collections`, `sizeCharts`, `products`, `reviews`, `discounts`, `library`.'

test('a value may be as long as a line, regardless of its surroundings, and a longer one is reported', async () => {
  const title = (length: number) => `{"title":"${'x'.repeat(length - 12)}"}`
  // With any white space around it, the longest value would be too long. Behind a short one it must be long itself.
  const gap = ' \t\r\n'.repeat(1000)
  const longGap = ' \t\r\n'.repeat(MAX_LINE_BYTES / 4)
  const fitting = title(MAX_LINE_BYTES)
  const tooLong = title(MAX_LINE_BYTES + 1)
  const products = `[${gap}${fitting}${gap},${tooLong},{"title":5}]`
  const text = `{"mode":"merge","products":${products},"x":${tooLong},"y":5${longGap}}`
  for (const cuts of [[], [5_000_000, 8_388_620, 8_390_000, 20_000_000, 30_000_000]]) {
    const issues = issuesIn(await read(text, cuts))
    expect(issues).toContain('products.0.title: must have at most 300 characters')
    expect(issues).toContain('products.1: must not exceed 8388608 bytes')
    expect(issues).toContain('products.2.title: must be a string, not a number')
    expect(issues).toContain('x: must not exceed 8388608 bytes')
    expect(issues).toContain(UNKNOWN_Y)
    expect(issues).toHaveLength(5)
  }
  const name = await read(`{"mode":"merge","${'x'.repeat(MAX_LINE_BYTES)}":1}`)
  expect(issuesIn(name)).toEqual([': must not exceed 8388608 bytes'])
})
