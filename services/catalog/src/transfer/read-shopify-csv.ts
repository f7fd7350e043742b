import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { z } from 'zod'
import { ProductInput } from '@storefront/contracts'
import {
  readCsvHeader,
  SeparatorFinder,
  type CsvAttributes,
  type CsvChoices,
  type CsvColumns,
  type CsvSeparator,
} from '@storefront/contracts/product-csv'
import type { Issue } from '../errors.ts'
import { MAX_LINE_BYTES } from './read-lines.ts'
import type { Reading } from './row-kind.ts'
import { ROW_KINDS } from './row-kinds.ts'
import { fieldsNotGiven, watchColumns } from './shopify-columns.ts'
import { handleColumn } from './shopify-handle.ts'
import { shopifyProduct } from './shopify-product.ts'
import { CellReader, type CsvRow } from './shopify-row.ts'

const MAX_RECORD_CHARACTERS = 1024 * 1024
/** Limited separately, because the limit of characters does not count separators. */
const MAX_CELLS_OF_A_ROW = 10_000
const MAX_ROWS_OF_A_PRODUCT = 2000
/** All rows of a product are in memory at once, so their limit is that of one row in other formats. */
const MAX_CHARACTERS_OF_A_PRODUCT = MAX_LINE_BYTES
const SEPARATOR_NAMES: Readonly<Record<CsvSeparator, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }
/** The character that a decoder writes for invalid bytes. */
const REPLACEMENT = '\uFFFD'

const Parsed = z.object({
  record: z.array(z.string()),
  info: z.object({ records: z.int(), empty_lines: z.int() }),
})

interface CsvOptions {
  currency: string
  /** The charset of the content type; UTF-8 by default. */
  charset: string | undefined
  /** Whether pictures keep their addresses. */
  keepsLinks: boolean
  /** The address of this shop. */
  publicUrl: string
  /** The keys that a specification may have. */
  attributes: CsvAttributes
  /** The meanings of columns with other names. */
  choices: CsvChoices | undefined
}

/** The products of a CSV in Shopify's format: several consecutive rows per product, with the same handle. */
export async function* readShopifyCsv(body: AsyncIterable<Uint8Array>, options: CsvOptions): AsyncGenerator<Reading> {
  try {
    yield* readProducts(await openCsv(body, options.charset), options)
  } catch (error) {
    const issue = faultOf(error)
    if (!issue) throw error
    // Without a name, because no row in a file of products refers to another.
    yield { issues: [issue] }
  }
}

async function* readProducts({ separator, rows }: OpenCsv, csvOptions: CsvOptions): AsyncGenerator<Reading> {
  const options = { ...csvOptions, separator }
  const { value: header } = await rows.next()
  const columns = readCsvHeader(header?.cells ?? [], options.attributes, options.choices)
  if (typeof columns === 'string') throw new CsvFault('row 1', columns)
  const watch = watchColumns(columns)
  const check = checkRows(columns, separator)
  let product: CsvRow[] = []
  let characters = 0
  for await (const row of rows) {
    // Spreadsheets write a deleted row as only commas.
    if (row.cells.every((cell) => cell.trim() === '')) continue
    watch.look(row.cells)
    const issues = check(row)
    if (issues.length > 0) yield { issues }
    const storable = { ...row, cells: row.cells.map((cell) => cell.replaceAll('\0', '')) }
    const [first] = product
    if (first && handleOf(first, columns) !== handleOf(storable, columns)) {
      yield* readProduct(product, columns, options)
      product = []
      characters = 0
    }
    const wasTooLong = characters > MAX_CHARACTERS_OF_A_PRODUCT
    characters += charactersOf(storable)
    if (characters > MAX_CHARACTERS_OF_A_PRODUCT) {
      const path = `row ${(product[0] ?? row).number}`
      const message = `a product has at most ${MAX_CHARACTERS_OF_A_PRODUCT} characters`
      if (!wasTooLong) yield { issues: [{ path, message }] }
      // The first row stays, because the next ones are compared with its handle.
      if (product.length > 0) continue
    }
    if (product.length < MAX_ROWS_OF_A_PRODUCT) product.push(storable)
    else if (product.length === MAX_ROWS_OF_A_PRODUCT) {
      product.push(storable)
      yield { issues: [{ path: `row ${row.number}`, message: `a product has at most ${MAX_ROWS_OF_A_PRODUCT} rows` }] }
    }
  }
  yield* readProduct(product, columns, options)
  yield { columnsNotTaken: watch.notTaken() }
}

function handleOf({ cells }: CsvRow, columns: CsvColumns): string {
  return cells[columns.places.get(handleColumn(columns)) ?? 0]?.trim() ?? ''
}

/** Separators count, because a row may have millions of empty cells. */
function charactersOf({ cells }: CsvRow): number {
  return cells.reduce((sum, cell) => sum + cell.length + 1, 0)
}

/** Finds errors of a row itself, not of its product. A file in another encoding is one error and not one per row. */
function checkRows({ names }: CsvColumns, separator: CsvSeparator): (row: CsvRow) => Issue[] {
  let isEncodingNamed = false
  return ({ number, cells }) => {
    const issues: Issue[] = []
    const at = (index: number) => `row ${number}: ${names[index] ?? `column ${index + 1}`}`
    const extra = cells.findIndex((cell, index) => index >= names.length && cell.trim() !== '')
    if (extra !== -1) {
      const message = `has ${cells.length} cells, but the header names ${names.length} columns; a cell with a ${SEPARATOR_NAMES[separator]} may need quotation marks`
      issues.push({ path: `row ${number}`, message })
    }
    const nul = cells.findIndex((cell) => cell.includes('\0'))
    if (nul !== -1) issues.push({ path: at(nul), message: 'must not hold NUL characters' })
    const garbled = isEncodingNamed ? -1 : cells.findIndex((cell) => cell.includes(REPLACEMENT))
    if (garbled !== -1) {
      isEncodingNamed = true
      const message =
        'contains text that is not UTF-8, perhaps in other rows too: save the file as "CSV UTF-8", or send it with charset=windows-1252'
      issues.push({ path: at(garbled), message })
    }
    return issues
  }
}

function* readProduct(
  [first, ...more]: readonly CsvRow[],
  columns: CsvColumns,
  { currency, separator, publicUrl, keepsLinks }: CsvOptions & { separator: CsvSeparator },
): Generator<Reading> {
  if (!first) return
  const path = `row ${first.number}`
  const reader = new CellReader(columns, { currency, separator })
  const { data, cellOf, cellNames: cells, pictures } = shopifyProduct([first, ...more], reader, publicUrl)
  if (!keepsLinks && pictures.length > 0) yield { pictures }
  const parsed = ProductInput.safeParse(data)
  if (parsed.success && reader.issues.length === 0) {
    yield ROW_KINDS.product.take(parsed.data, path, { cells, keeps: fieldsNotGiven(columns) })
    return
  }
  const faults = parsed.error?.issues.map((issue) => ({ path: cellOf(issue.path), message: issue.message })) ?? []
  // A product without a valid handle has no name, which nothing in this file refers to.
  for (const reading of ROW_KINDS.product.reject(data, path, [...reader.issues, ...faults], { cells })) {
    yield 'issue' in reading ? { issues: [reading.issue] } : reading
  }
}

interface OpenCsv {
  separator: CsvSeparator
  rows: AsyncGenerator<CsvRow>
}

/** Reads a file up to the end of its header, which shows what separates its cells. */
async function openCsv(body: AsyncIterable<Uint8Array>, charset: string | undefined): Promise<OpenCsv> {
  const texts = decoded(body, charset)
  const finder = new SeparatorFinder()
  const read: string[] = []
  let characters = 0
  for (let part = await texts.next(); part.done !== true; part = await texts.next()) {
    read.push(part.value)
    characters += part.value.length
    if (finder.read(part.value) || characters > MAX_RECORD_CHARACTERS) break
  }
  const { separator } = finder
  return { separator, rows: rowsOf(allOf(read, texts), separator) }
}

async function* allOf(read: readonly string[], rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield* read
  yield* rest
}

/** The rows of a file, the header first, numbered as in a spreadsheet: a row may have several lines. */
async function* rowsOf(texts: AsyncGenerator<string>, delimiter: CsvSeparator): AsyncGenerator<CsvRow> {
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_CHARACTERS,
    cast: (cell, { index, records, empty_lines: emptyLines }) => {
      if (index < MAX_CELLS_OF_A_ROW) return cell
      throw new CsvFault(`row ${records + emptyLines + 1}`, `has more than ${MAX_CELLS_OF_A_ROW} cells`)
    },
  })
  // A failure of either stream ends the other; the parser reports the cause.
  pipeline(Readable.from(texts), parser, () => {})
  for await (const parsed of parser) {
    const { record, info } = Parsed.parse(parsed)
    yield { number: info.records + info.empty_lines, cells: record }
  }
}

class CsvFault extends Error {
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

const CHARSETS: ReadonlyMap<string, string> = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['windows-1252', 'windows-1252'],
  ['iso-8859-1', 'windows-1252'],
])

async function* decoded(body: AsyncIterable<Uint8Array>, charset = 'utf-8'): AsyncGenerator<string> {
  const encoding = CHARSETS.get(charset.toLowerCase())
  if (encoding === undefined) throw new CsvFault('row 1', `${charset.slice(0, 40)} is not supported; send UTF-8`)
  const decoder = new TextDecoder(encoding)
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

const CsvErrorPosition = z.object({ records: z.int(), empty_lines: z.int() }).catch({ records: 0, empty_lines: 0 })

/** @returns undefined for an error that the file did not cause */
function faultOf(error: unknown): Issue | undefined {
  if (error instanceof CsvFault) return { path: error.path, message: error.message }
  if (!(error instanceof CsvError)) return undefined
  const { records, empty_lines: emptyLines } = CsvErrorPosition.parse(error)
  const path = `row ${records + emptyLines + 1}`
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return { path, message: 'is too long; a closing quotation mark may be missing' }
  }
  return { path, message: 'is not CSV: a closing quotation mark may be missing' }
}
