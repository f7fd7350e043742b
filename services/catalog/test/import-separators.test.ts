import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSuite, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { readCsvPrice } from '../src/transfer/csv-price.ts'
import { fill, importFile, issueTextsOf, pageOf, startTestCatalog, usd } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
})
afterAll(() => suite.stop())
const reset = () => fill(catalog.app, suite, { mode: 'replace', settings: {} })

const send = (payload: string | Buffer, type?: string) => importFile(catalog.app, suite, payload, { type })

const product = (slug: string) => pageOf(catalog.app, slug)

const ROWS = [
  ['Handle', 'Title', 'Body (HTML)', 'Option1 Name', 'Option1 Value', 'Variant Price', 'Variant Compare At Price'],
  ['hemd', '"Hemd; weiß, ""kühl"""', '"Zwei\nZeilen"', 'Size', 'S', '1.234,50', '2.000,00'],
  ['hemd', '', '', '', 'M', '1299,9', ''],
  ['schal', 'Schal', '', '', '', '19,90', '25'],
]

test.each([
  ['semicolons', ';'],
  ['tabs', '\t'],
])('a file of a German spreadsheet with %s becomes products with their prices', async (_name, separator) => {
  await reset()
  const text = ROWS.map((cells) => cells.join(separator)).join('\r\n')
  const taken = await send(`\uFEFF${text}\r\n${separator.repeat(6)}\r\n`)
  expect(taken.statusCode, taken.payload).toBe(200)
  expect(taken.json().counts.products.created).toBe(2)
  expect(await product('hemd')).toMatchObject({
    title: 'Hemd; weiß, "kühl"',
    description: 'Zwei Zeilen',
    price: usd(123_450),
    compareAtPrice: usd(200_000),
    variants: [{ price: usd(123_450) }, { price: usd(129_990), compareAtPrice: null }],
  })
  expect(await product('schal')).toMatchObject({ price: usd(1990), compareAtPrice: usd(2500) })
  const inWindows = await send(Buffer.from(text.replace('Schal', 'Schäl'), 'latin1'), 'text/csv; charset=windows-1252')
  expect(inWindows.statusCode, inWindows.payload).toBe(200)
  expect((await product('schal')).title).toBe('Schäl')
})

test('a file with commas may have semicolons in its texts, and quoted prices with a decimal comma', async () => {
  await reset()
  const taken = await send('Handle,Title,Variant Price\na,A;B;C;D,"19,90"\nb,B,19.90\n')
  expect(taken.statusCode, taken.payload).toBe(200)
  expect(await product('a')).toMatchObject({ title: 'A;B;C;D', price: usd(1990) })
})

test('prices that could be two amounts are errors, and nothing of the file is imported', async () => {
  await reset()
  const rejected = await send(
    [
      'Handle;Title;Variant Price',
      'a;A;1.234',
      'b;B;19,90',
      'c;C;1,250',
      'd;D;1.234.50',
      'e;E;12,345.00',
      'f;F;1;90',
      'g;G;19,999',
    ].join('\n'),
  )
  expect(rejected.statusCode).toBe(422)
  expect(issueTextsOf(rejected)).toEqual([
    'row 2: Variant Price: must be clear: “1.234” could be 1234 or 1.234; write 1234 if that is meant',
    'row 4: Variant Price: must be clear: “1,250” could be 1250 or 1.250; write 1250 if that is meant',
    'row 5: Variant Price: must be an amount of USD in digits, such as 19,90, not “1.234.50”',
    'row 7: has 4 cells, but the header names 3 columns; a cell with a semicolon may need quotation marks',
    'row 6: Variant Price: must be an amount of USD in digits, such as 19,90, not “12,345.00”',
    'row 8: Variant Price: must be clear: “19,999” could be 19999 or 19.999; write 19999 if that is meant',
  ])
  expect(await suite.sql('select 1 from catalog.products')).toEqual([])
})

test('a header that never ends is rejected without being held in memory', async () => {
  const rejected = await send(`Handle;"${'x'.repeat(1_500_000)}`)
  expect(rejected.statusCode).toBe(422)
  expect(rejected.json().detail.issues[0].message).toMatch(/quotation mark may be missing/)
})

describe('a price in a cell', () => {
  const read = (text: string, separator: ',' | ';', currency = 'EUR') => readCsvPrice(text, { currency, separator })
  const AMBIGUOUS = expect.stringMatching(/^must be clear/)
  const NO_AMOUNT = expect.stringMatching(/^must be an amount of EUR/)

  test.each([
    ['19,90', 1990],
    ['19,9', 1990],
    ['0,125', NO_AMOUNT],
    ['0,05', 5],
    ['19.90', 1990],
    ['19', 1900],
    ['1234', 123_400],
    ['1234,5', 123_450],
    ['1.234,50', 123_450],
    ['1.234.567', 123_456_700],
    ['1.234.567,89', 123_456_789],
    ['12.34,50', NO_AMOUNT],
    ['1.234,5,0', NO_AMOUNT],
    [',50', NO_AMOUNT],
    ['19,', NO_AMOUNT],
    ['19,90 €', NO_AMOUNT],
    ['1.234', AMBIGUOUS],
    ['12,345', AMBIGUOUS],
    ['100.000', AMBIGUOUS],
  ])('%s between semicolons is read to the last digit, or is an error', (text, expected) => {
    expect(read(text, ';')).toEqual(expected)
  })

  test.each([
    ['19,90', 1990],
    ['1234,50', 123_450],
    ['1,234', NO_AMOUNT],
    ['19,9', NO_AMOUNT],
    ['1.234,50', NO_AMOUNT],
    ['1,234.50', NO_AMOUNT],
    ['1,234,56', NO_AMOUNT],
    ['12.345', NO_AMOUNT],
  ])('%s between commas is read only if it has one meaning', (text, expected) => {
    expect(read(text, ',')).toEqual(expected)
  })

  test('of a currency with three decimals, or none, is read in the same way', () => {
    expect(read('1,234', ';', 'KWD')).toEqual(AMBIGUOUS)
    expect(read('0,234', ';', 'KWD')).toBe(234)
    expect(read('1234,567', ';', 'KWD')).toBe(1_234_567)
    expect(read('1.234', ',', 'KWD')).toBe(1234)
    expect(read('1.234.000', ';', 'JPY')).toBe(1_234_000)
    expect(read('19,90', ',', 'JPY')).toMatch('JPY')
  })
})
