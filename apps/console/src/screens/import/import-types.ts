export const CSV_TYPE = 'text/csv'
export const JSON_TYPE = 'application/json'
export const NDJSON_TYPE = 'application/x-ndjson'
export type ImportType = typeof CSV_TYPE | typeof JSON_TYPE | typeof NDJSON_TYPE

/** Files that the dialog of the browser offers. */
export const ACCEPTED_FILES = '.csv,.json,.ndjson,.jsonl'

export interface ImportOptions {
  mode: 'merge' | 'replace'
  /** For a product CSV: pictures stay where they are. */
  keepsLinks: boolean
}

export const DEFAULT_OPTIONS: ImportOptions = { mode: 'merge', keepsLinks: false }
