import type { CsvChoices } from '@storefront/contracts/product-csv'

export const CSV_TYPE = 'text/csv'
export const JSON_TYPE = 'application/json'
export const NDJSON_TYPE = 'application/x-ndjson'
export type ImportType = typeof CSV_TYPE | typeof JSON_TYPE | typeof NDJSON_TYPE

/** Files that the dialog of the browser offers. */
export const ACCEPTED_FILES = '.csv,.tsv,.txt,.json,.ndjson,.jsonl'

export interface ImportOptions {
  mode: 'merge' | 'replace'
  /** For a product CSV: pictures stay where they are. */
  keepsLinks: boolean
  /** For a product CSV: what columns with other names mean. */
  columns: CsvChoices
}

export const DEFAULT_OPTIONS: ImportOptions = { mode: 'merge', keepsLinks: false, columns: new Map() }
