import type { ImportRowType } from '@storefront/contracts'
import type { ExportedRow } from './exported-rows.ts'

/** Written at once: a socket needs fewer pieces than there are rows. */
const PIECE_CHARACTERS = 64 * 1024

/** One `{ "type", "data" }` per line, with the number of rows at the end. */
export function asNdjson(rows: AsyncIterable<ExportedRow>, scope: ExportScope): AsyncGenerator<string> {
  return inPieces(ndjsonLines(rows, scope))
}

/** Whether an export holds the discounts: without them an import leaves those of another shop alone. */
interface ExportScope {
  discounts: boolean
}

async function* ndjsonLines(rows: AsyncIterable<ExportedRow>, { discounts }: ExportScope): AsyncGenerator<string> {
  let count = 0
  yield `${JSON.stringify({ type: 'import', data: { mode: 'replace', ...(discounts && { discounts }) } })}\n`
  for await (const row of rows) {
    count++
    yield `${JSON.stringify(row)}\n`
  }
  yield `${JSON.stringify({ type: 'end', data: { rows: count } })}\n`
}

type ListType = Exclude<ImportRowType, 'settings'>

/** The location of rows of a type in the body; the parts of the library are in an object of their own. */
const PLACES: Record<ListType, { name: string; isLibrary: boolean }> = {
  category: { name: 'categories', isLibrary: false },
  sizeChart: { name: 'sizeCharts', isLibrary: false },
  product: { name: 'products', isLibrary: false },
  collection: { name: 'collections', isLibrary: false },
  review: { name: 'reviews', isLibrary: false },
  discount: { name: 'discounts', isLibrary: false },
  attribute: { name: 'attributes', isLibrary: true },
  feature: { name: 'features', isLibrary: true },
  assurance: { name: 'assurances', isLibrary: true },
}

/** The body of an import; rows of a type must come together, those of the library last. */
export function asJson(rows: AsyncIterable<ExportedRow>, scope: ExportScope): AsyncGenerator<string> {
  return inPieces(jsonParts(rows, scope))
}

async function* jsonParts(rows: AsyncIterable<ExportedRow>, { discounts }: ExportScope): AsyncGenerator<string> {
  yield '{"mode":"replace"'
  let open: ListType | undefined
  let isInLibrary = false
  let hasDiscounts = false
  for await (const { type, data } of rows) {
    hasDiscounts ||= type === 'discount'
    if (type === 'settings') {
      yield `,"settings":${JSON.stringify(data)}`
      continue
    }
    if (type === open) yield `,${JSON.stringify(data)}`
    else {
      const { name, isLibrary } = PLACES[type]
      const end = open === undefined ? '' : ']'
      const begin = isLibrary && !isInLibrary ? ',"library":{' : ','
      yield `${end}${begin}"${name}":[${JSON.stringify(data)}`
      open = type
      isInLibrary = isLibrary
    }
  }
  const none = discounts && !hasDiscounts ? ',"discounts":[]' : ''
  yield `${open === undefined ? '' : ']'}${isInLibrary ? '}' : ''}${none}}`
}

async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
