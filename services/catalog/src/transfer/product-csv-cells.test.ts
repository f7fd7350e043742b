import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { csvCell, readCsv, replaceCells, SeparatorFinder, separatorOf } from '@storefront/contracts/product-csv'

const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\t', ' ', '\n', '\r', '1'), maxLength: 5 })
const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1 })
const separator = fc.constantFrom(',', ';', '\t')
const lineEnd = fc.constantFrom('\n', '\r\n')
const written = (table: readonly (readonly string[])[], between: string, end: string) =>
  table.map((cells) => cells.map(csvCell).join(between)).join(end)
// A header of one cell does not show the separator.
const file = fc
  .tuple(rows, separator, lineEnd)
  .map(([table, between, end]) => written(table, table[0]?.length === 1 ? ',' : between, end))

const Rows = z.array(
  z.object({ record: z.array(z.string()), info: z.object({ records: z.int(), empty_lines: z.int() }) }),
)

/** As the import of the shop reads a file. */
function asTheShopReads(text: string) {
  const options = {
    bom: true,
    delimiter: separatorOf(text),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
  }
  return Rows.parse(parse(text, options)).map(({ record, info }) => ({
    number: info.records + info.empty_lines,
    cells: record,
  }))
}

const textsOf = (text: string) =>
  [...readCsv(text)]
    .filter(({ cells }) => cells.length > 0)
    .map(({ number, cells }) => ({ number, cells: cells.map((each) => each.text) }))

test('the console finds the same rows and cells in a file as the import', () => {
  fc.assert(
    fc.property(file, (text) => {
      expect(textsOf(text)).toEqual(asTheShopReads(text))
    }),
  )
})

test('a table has the same rows whatever separates its cells', () => {
  const header = fc.array(cell, { minLength: 2, maxLength: 4 })
  fc.assert(
    fc.property(header, rows, lineEnd, (names, others, end) => {
      const table = [names, ...others]
      const [commas, ...same] = [',', ';', '\t'].map((between) => textsOf(written(table, between, end)))
      expect(commas?.map(({ cells }) => cells)).toEqual(table.filter((cells) => cells.length > 1 || cells[0] !== ''))
      expect(same).toEqual([commas, commas])
    }),
  )
})

test.each([
  ['Handle,Title', ','],
  ['Handle;Title;Price', ';'],
  ['Handle\tTitle', '\t'],
  ['Handle', ','],
  ['', ','],
  ['a;b,c', ','],
  ['a;b\tc', ';'],
  ['a,b;c;d', ';'],
  ['"a;b;c",d', ','],
  ['"a ""x;y"";";b\n1,2,3,4', ';'],
  ['\n\r\n\uFEFF\na;b\nc,d,e', ';'],
])('the header %j is separated by %j, even if it arrives in parts', (text, expected) => {
  expect(separatorOf(text)).toBe(expected)
  const finder = new SeparatorFinder()
  Array.from(text).some((part) => finder.read(part))
  expect(finder.separator).toBe(expected)
})

test('a corrected cell changes nothing else of a file', () => {
  fc.assert(
    fc.property(file, cell, fc.nat(), (text, next, pick) => {
      const cells = [...readCsv(text)].flatMap((line) => line.cells)
      const chosen = cells[pick % cells.length]
      // A row of one empty cell would be an empty row.
      fc.pre(chosen !== undefined && next !== '')
      const changed = replaceCells(text, new Map([[chosen, next]]))
      expect([...readCsv(changed)].flatMap((line) => line.cells.map((each) => each.text))).toEqual(
        cells.map((each) => (each === chosen ? next : each.text)),
      )
    }),
  )
})

test('empty rows count, and a cell with several lines stays one row', () => {
  const text = 'Handle,Title\n\na,"two\nlines, ""quoted"""\nb,plain\n'
  expect(textsOf(text)).toEqual([
    { number: 1, cells: ['Handle', 'Title'] },
    { number: 3, cells: ['a', 'two\nlines, "quoted"'] },
    { number: 4, cells: ['b', 'plain'] },
  ])
})

test('a misplaced quotation mark hides no line end, and the console finds its cell', () => {
  expect(textsOf('Handle,Width 5",Price\r\na,b,1\r\n')).toEqual([
    { number: 1, cells: ['Handle', 'Width 5"', 'Price'] },
    { number: 2, cells: ['a', 'b', '1'] },
  ])
})
