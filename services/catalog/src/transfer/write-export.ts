import type { DiscountInput } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { KINDS_IN_ORDER } from './row-kinds.ts'

/** Rows are joined into pieces of this length, so that the socket is written to less often. */
const PIECE_CHARACTERS = 64 * 1024

/** The parts of the library come last and together, because they are in one object in JSON. */
const EXPORTED = [
  ...KINDS_IN_ORDER.filter((kind) => !kind.inLibrary),
  ...KINDS_IN_ORDER.filter((kind) => kind.inLibrary === true),
]

/** Undefined when an export leaves them out: an import of it then does not change the discounts of a shop. */
type Discounts = readonly DiscountInput[] | undefined

/** Every record of the shop, one `{ "type", "data" }` per line, with the number of rows at the end. */
export function asNdjson(db: Database, discounts: Discounts): AsyncGenerator<string> {
  return inPieces(ndjsonLines(db, discounts))
}

async function* ndjsonLines(db: Database, discounts: Discounts): AsyncGenerator<string> {
  let rows = 0
  yield `${JSON.stringify({ type: 'import', data: { mode: 'replace', ...(discounts && { discounts: true }) } })}\n`
  for (const { type, exported } of EXPORTED) {
    for await (const data of await exported(db, discounts ?? [])) {
      rows++
      yield `${JSON.stringify({ type, data })}\n`
    }
  }
  yield `${JSON.stringify({ type: 'end', data: { rows } })}\n`
}

/** The same as the body of an import. */
export function asJson(db: Database, discounts: Discounts): AsyncGenerator<string> {
  return inPieces(jsonParts(db, discounts))
}

async function* jsonParts(db: Database, discounts: Discounts): AsyncGenerator<string> {
  yield '{"mode":"replace"'
  let isInLibrary = false
  for (const { type, list, inLibrary = false, exported } of EXPORTED) {
    const opening = inLibrary && !isInLibrary ? ',"library":{' : ','
    let before = list === undefined ? `,"${type}":` : `${opening}"${list}":[`
    let after = ''
    for await (const data of await exported(db, discounts ?? [])) {
      yield `${before}${JSON.stringify(data)}`
      before = ','
      after = list === undefined ? '' : ']'
      isInLibrary = inLibrary
    }
    yield after
  }
  yield `${isInLibrary ? '}' : ''}${discounts?.length === 0 ? ',"discounts":[]' : ''}}`
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
