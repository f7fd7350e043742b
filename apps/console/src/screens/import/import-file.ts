import { CSV_TYPE, JSON_TYPE, NDJSON_TYPE, type ImportType } from './import-types.ts'

/** Of a longer file only the beginning is shown, and its cells cannot be corrected here. */
const MAX_READ_BYTES = 16 * 1024 * 1024
const BEGINNING_BYTES = 256 * 1024

/** A file that a merchant chose. */
export interface ImportFile {
  name: string
  type: ImportType
  /** What is sent. */
  body: Blob
  contentType: string
  /** All of it, or of a long file the beginning. */
  text: string
  isWhole: boolean
}

/** @returns undefined for a file that no import can read */
export async function readImportFile(file: File): Promise<ImportFile | undefined> {
  const type = typeOf(file.name)
  if (type === undefined) return undefined
  const isWhole = file.size <= MAX_READ_BYTES
  const bytes = await (isWhole ? file : file.slice(0, BEGINNING_BYTES)).arrayBuffer()
  const text = decoded(bytes, 'utf-8', isWhole)
  const base = { name: file.name, type, body: file, isWhole }
  if (text !== undefined) return { ...base, contentType: type, text }
  // Spreadsheet programs on Windows write this encoding by default.
  const charset = 'windows-1252'
  return { ...base, contentType: `${type}; charset=${charset}`, text: decoded(bytes, charset, isWhole) ?? '' }
}

/** The same file with another text, which is sent as UTF-8. */
export function withText(file: ImportFile, text: string): ImportFile {
  return { ...file, text, body: new Blob([text]), contentType: file.type }
}

const TYPES: ReadonlyMap<string, ImportType> = new Map([
  ['csv', CSV_TYPE],
  // Separated by tabs.
  ['tsv', CSV_TYPE],
  ['txt', CSV_TYPE],
  ['json', JSON_TYPE],
  ['ndjson', NDJSON_TYPE],
  ['jsonl', NDJSON_TYPE],
])

function typeOf(name: string): ImportType | undefined {
  return TYPES.get(name.toLowerCase().split('.').at(-1) ?? '')
}

function decoded(bytes: ArrayBuffer, charset: string, isWhole: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: !isWhole })
  } catch {
    return undefined
  }
}
