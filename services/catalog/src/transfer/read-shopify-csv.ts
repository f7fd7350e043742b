import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { z } from 'zod'
import { ROW_KINDS, type Reading } from './import-rows.ts'
import { shopifyProduct, type CsvRow } from './shopify-product.ts'

const NEEDED = ['handle', 'title', 'variant price']
const MAX_RECORD_CHARACTERS = 1024 * 1024
const MAX_ROWS_OF_A_PRODUCT = 2000

const Parsed = z.object({ record: z.record(z.string(), z.string()), info: z.object({ lines: z.int() }) })

/**
 * The products of a CSV as Shopify exports it: several rows a product, one after the other, held together by the handle.
 * @param charset of the content type; UTF-8 when it says nothing
 */
export async function* readShopifyCsv(
  body: AsyncIterable<Uint8Array>,
  { currency, charset }: { currency: string; charset: string | undefined },
): AsyncGenerator<Reading> {
  let rows: CsvRow[] = []
  try {
    for await (const row of rowsOf(body, charset)) {
      const isSame = rows[0]?.cells['handle']?.trim() === row.cells['handle']?.trim()
      if (rows.length > 0 && !isSame) {
        yield* readProduct(rows, currency)
        rows = []
      }
      rows.push(row)
      if (rows.length > MAX_ROWS_OF_A_PRODUCT) {
        yield { issue: { path: `line ${row.line}`, message: `a product has at most ${MAX_ROWS_OF_A_PRODUCT} rows` } }
        return
      }
    }
    yield* readProduct(rows, currency)
  } catch (error) {
    const issue = faultOf(error)
    if (!issue) throw error
    yield { issue }
  }
}

function* readProduct([first, ...more]: readonly CsvRow[], currency: string): Generator<Reading> {
  if (!first) return
  const { data, issues } = shopifyProduct([first, ...more], currency)
  if (issues.length > 0) yield* ROW_KINDS.product.refuse(data, `line ${first.line}`, issues)
  else yield* ROW_KINDS.product.read(data, `line ${first.line}`)
}

async function* rowsOf(body: AsyncIterable<Uint8Array>, charset: string | undefined): AsyncGenerator<CsvRow> {
  let hasHeader = false
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_CHARACTERS,
    columns: (header: string[]) => {
      hasHeader = true
      return columnsOf(header)
    },
  })
  // Whichever of the two fails takes the other along; what was wrong comes out of the parser.
  pipeline(Readable.from(decoded(body, charset)), parser, () => {})
  for await (const parsed of parser) {
    const { record, info } = Parsed.parse(parsed)
    yield { line: info.lines, cells: record }
  }
  if (!hasHeader) throw columnsMissing(NEEDED)
}

class CsvFault extends Error {
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

function columnsOf(header: readonly string[]): string[] {
  const columns = header.map((name) => name.trim().toLowerCase())
  const missing = NEEDED.filter((name) => !columns.includes(name))
  if (missing.length > 0) throw columnsMissing(missing)
  const twice = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index)
  if (twice !== undefined) throw new CsvFault('line 1', `names the column ${twice.slice(0, 100)} twice`)
  return columns
}

function columnsMissing(names: readonly string[]): CsvFault {
  return new CsvFault('line 1', `must name the columns ${names.join(', ')}, separated by commas`)
}

const CHARSETS: ReadonlyMap<string, string> = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['windows-1252', 'windows-1252'],
  ['iso-8859-1', 'windows-1252'],
])

async function* decoded(body: AsyncIterable<Uint8Array>, charset = 'utf-8'): AsyncGenerator<string> {
  const encoding = CHARSETS.get(charset.toLowerCase())
  if (encoding === undefined) throw new CsvFault('line 1', `${charset.slice(0, 40)} is not understood; send UTF-8`)
  const decoder = new TextDecoder(encoding, { fatal: true })
  let line = 1
  const decode = (chunk: Uint8Array | undefined): string => {
    try {
      const text = chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
      if (text.includes('\0')) throw new CsvFault(`line ${line}`, 'must not hold NUL characters')
      line += text.split('\n').length - 1
      return text
    } catch (error) {
      if (error instanceof CsvFault) throw error
      throw new CsvFault(
        `line ${line}`,
        'here or shortly after is text that is not UTF-8: save the file as "CSV UTF-8", or send it with charset=windows-1252',
      )
    }
  }
  for await (const chunk of body) {
    const text = decode(chunk)
    if (text !== '') yield text
  }
  const rest = decode(undefined)
  if (rest !== '') yield rest
}

function faultOf(error: unknown): { path: string; message: string } | undefined {
  if (error instanceof CsvFault) return { path: error.path, message: error.message }
  if (!(error instanceof CsvError)) return undefined
  const line = 'lines' in error && typeof error['lines'] === 'number' ? `line ${error['lines']}` : 'the file'
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return { path: line, message: 'a row is too long; a quotation mark may be missing its partner' }
  }
  return { path: line, message: 'is not CSV: a quotation mark may be missing its partner' }
}
