import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSuite, type Suite } from '@storefront/tools/testing'
import { ImportResult } from '@storefront/contracts'
import type { RunningCatalog } from '../src/start.ts'
import { fill, importFile, issueTextsOf, pageOf, startTestCatalog, usd } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
})
afterAll(() => suite.stop())
const ROWS = [
  'Artikelnummer,Modell,Bezeichnung,Preis,Farbe,Größe,Material,Notiz',
  'H-1,Hemd 1,Hemd,39.90,Rot,S,Leinen,x',
  'H-2,Hemd 1,Hemd,39.90,Blau,S,Leinen,',
  'M-1,Mütze,Mütze,19.90,,,,',
]
const CHOICES = {
  Artikelnummer: 'Variant SKU',
  Modell: 'Handle',
  bezeichnung: 'Title',
  Preis: 'Variant Price',
  Farbe: 'Option1 Value',
  Größe: 'Option2 Value',
  Material: 'specs.fabric',
  Notiz: null,
}

function send(rows: readonly string[], columns: unknown, type?: string) {
  const query = new URLSearchParams({ columns: typeof columns === 'string' ? columns : JSON.stringify(columns) })
  return importFile(catalog.app, suite, rows.join('\n'), { type, query: `?${query.toString()}` })
}

const product = (slug: string) => pageOf(catalog.app, slug)

describe('a CSV whose columns have other names', () => {
  beforeEach(() => fill(catalog.app, suite, { mode: 'replace', settings: {} }))

  test('becomes products by the columns that the merchant chose', async () => {
    const response = await send(ROWS, CHOICES)
    expect(response.statusCode, response.payload).toBe(200)
    expect(ImportResult.parse(response.json())).toMatchObject({ products: 2 })
    expect(ImportResult.parse(response.json()).columnsNotTaken).toBeUndefined()
    expect(await product('hemd-1')).toMatchObject({
      title: 'Hemd',
      price: usd(3990),
      variants: [
        { sku: 'H-1', options: { Farbe: 'Rot', Größe: 'S' } },
        { sku: 'H-2', options: { Farbe: 'Blau', Größe: 'S' } },
      ],
      enrichment: { specs: { fabric: 'Leinen' } },
    })
    expect(await product('mutze')).toMatchObject({ variants: [{ sku: 'M-1' }] })
    const again = await send(ROWS, CHOICES)
    expect(ImportResult.parse(again.json()).counts.products).toMatchObject({ created: 0, unchanged: 2 })
  })

  test('needs no column for the handle: the title names the product', async () => {
    const { Modell: _handle, ...choices } = CHOICES
    expect((await send(ROWS, choices)).statusCode).toBe(200)
    expect((await product('hemd')).variants).toHaveLength(2)
    expect(issueTextsOf(await send([...ROWS, 'H-3,,Hemd,1,Rot,M,,', 'J-1,,シャツ,1,,,,'], choices))).toEqual([
      'row 6: Bezeichnung: must have a Latin letter or a digit for the slug of the product',
      'row 5: Bezeichnung: hemd occurs twice in this import',
    ])
  })

  test('has its faults named by its own columns', async () => {
    const response = await send(
      [
        ROWS[0] ?? '',
        'H-1,hemd,Hemd,"3,990",Rot,S,,',
        'H-2,hemd,Hemd,39.90,Rot,,,',
        'H-1,jacke,,49.90,Rot,S,,',
        'K-1,,Kleid,,,,,',
      ],
      CHOICES,
    )
    expect(response.statusCode).toBe(422)
    expect(issueTextsOf(response)).toEqual([
      'row 2: Preis: must be an amount of USD in digits, such as 19.90, not “3,990”',
      'row 3: Größe: must be given, because the product has the option “Größe”',
      'row 4: Bezeichnung: must not be blank',
      'row 5: Modell: must be given',
      'row 5: Preis: must be given',
      'row 4: Artikelnummer: H-1 occurs twice in this import',
    ])
  })

  test('reads columns with the usual names, and reports those that it did not import', async () => {
    const rows = ['handle,Name,Title,Variant Price,Vendor,Farbe', 'a,Alpha,Old,1,Loom,Rot']
    const response = await send(rows, { Name: 'Title', Title: null, Vendor: null })
    expect(response.statusCode, response.payload).toBe(200)
    expect(ImportResult.parse(response.json()).columnsNotTaken).toEqual(['Farbe'])
    const { title, enrichment } = await product('a')
    expect({ title, enrichment }).toEqual({ title: 'Alpha', enrichment: undefined })
    expect(issueTextsOf(await send(rows, { Name: 'Title' }))).toEqual(['row 1: has two columns for Title: Name, Title'])
  })

  test('may have columns without a name, and two of one name', async () => {
    const rows = ['Name,,Farbe,Farbe', 'Alpha,1,Rot,Matt']
    const response = await send(rows, {
      Name: 'Title',
      'column 2': 'Variant Price',
      Farbe: 'Option1 Value',
      'Farbe (column 4)': 'Option2 Value',
    })
    expect(response.statusCode, response.payload).toBe(200)
    expect((await product('alpha')).variants[0]?.options).toMatchObject({ Farbe: 'Rot', 'Farbe (column 4)': 'Matt' })
  })

  test('with columns that the file does not have is rejected', async () => {
    expect(issueTextsOf(await send(ROWS, { ...CHOICES, Prise: null }))).toEqual([
      'row 1: has no column “Prise”, for which a meaning was sent',
    ])
    expect(issueTextsOf(await send(ROWS, {}))).toEqual([
      'row 1: must name the columns Handle, Title, Variant Price, separated by commas, semicolons or tabs',
    ])
  })
})

test.each([
  ['no JSON', '{', 'must be a JSON object'],
  ['a list', '["Title"]', 'must be a JSON object'],
  ['two columns for one field', { Name: 'Title', Titel: 'Title' }, 'names two columns for Title: “Name”, “Titel”'],
  ['one column twice', { Name: 'Title', name: 'Handle' }, 'names one column twice: “Name”, “name”'],
  ['an unknown field', { Preis: 'Variant Prize' }, 'did you mean “Variant Price”?'],
  ['an unknown attribute', { Preis: 'specs.nothing-like-it' }, 'has an unknown meaning for “Preis”'],
  ['a number', { Preis: 1 }, 'has an unknown meaning for “Preis”: not a string'],
  ['a field of the prototype', { Preis: '__proto__' }, 'has an unknown meaning for “Preis”: “__proto__”'],
  ['a column of the prototype', '{"__proto__":"constructor"}', 'has an unknown meaning for “__proto__”'],
  ['a name with NUL', { 'a\0': 'Title' }, 'names a column that no file can have'],
  ['half a surrogate pair', '{"\\ud800":null}', 'names a column that no file can have'],
  ['a long name', { ['x'.repeat(300)]: 'Title' }, 'names a column that no file can have'],
  ['20,000 characters', { a: 'x'.repeat(20_000) }, 'must have at most 20000 characters'],
])('columns with %s are rejected in one sentence', async (_what, columns, message) => {
  const response = await send(ROWS, columns)
  expect(response.statusCode, response.payload).toBe(422)
  const [issue, ...others] = issueTextsOf(response)
  expect(issue).toMatch(/^columns: /)
  expect(issue).toContain(message)
  expect(others).toEqual([])
  expect(await suite.sql('select 1 from catalog.import_rows')).toEqual([])
})

test('columns are rejected for a file that is not a CSV', async () => {
  const response = await send(['{"mode":"merge"}'], { Name: 'Title' }, 'application/json')
  expect(issueTextsOf(response)).toEqual(['columns: is for a product CSV only'])
})
