import { columnNames, readCsv, type CsvCell } from '@storefront/contracts/product-csv'
import { fieldSentence } from '../../messages/field-sentence.ts'
import { member, parsed } from '../../parts/json.ts'
import type { ImportFile } from './import-file.ts'
import type { Issue } from './import-queries.ts'
import { CSV_TYPE, JSON_TYPE } from './import-types.ts'

/** A fault of a file where the merchant finds it. */
export interface Fault extends Issue {
  /** Unique in the list. */
  id: string
  /** The row of a spreadsheet, or the line of an NDJSON file. */
  row: number | undefined
  column: string
  value: string
  /** The cell of a CSV that was read as a whole, in which the merchant can correct it. */
  cell: CsvCell | undefined
}

const PLACE = /^(?:row|line) (\d+)(?:: (.+))?$/

/** Finds the faults in the file; without one only the places are known. */
export function locateFaults(issues: readonly Issue[], file: ImportFile | undefined): Fault[] {
  const faults = issues.map((issue, index): Fault => {
    const [, row, column] = PLACE.exec(issue.path) ?? []
    return {
      ...issue,
      // A general sentence would not help to fix a file.
      message: fieldSentence(issue.message, issue.message),
      id: String(index),
      row: row === undefined ? undefined : Number(row),
      column: column ?? (row === undefined ? issue.path : ''),
      value: '',
      cell: undefined,
    }
  })
  if (!file?.isWhole) return faults
  if (file.type === CSV_TYPE) return withCells(faults, file.text)
  return file.type === JSON_TYPE ? withJsonValues(faults, file.text) : withLineValues(faults, file.text)
}

function withCells(faults: readonly Fault[], text: string): Fault[] {
  const wanted = new Set(faults.map(({ row }) => row))
  const cells = new Map<number, readonly CsvCell[]>()
  let names: readonly string[] | undefined
  for (const line of readCsv(text)) {
    if (line.cells.length > 0) names ??= columnNames(line.cells.map((cell) => cell.text))
    if (wanted.has(line.number)) cells.set(line.number, line.cells)
  }
  const places = new Map(names?.map((name, index) => [name, index]))
  return faults.map((fault) => {
    const index = places.get(fault.column)
    const cell = index === undefined ? undefined : cells.get(fault.row ?? 0)?.[index]
    return { ...fault, value: cell?.text ?? '', cell }
  })
}

function withJsonValues(faults: readonly Fault[], text: string): Fault[] {
  const document = parsed(text)
  return faults.map((fault) => ({ ...fault, value: shown(valueAt(document, fault.path)) }))
}

function withLineValues(faults: readonly Fault[], text: string): Fault[] {
  const lines = text.split('\n')
  return faults.map((fault) => {
    const document = parsed(lines[(fault.row ?? 0) - 1] ?? '')
    return { ...fault, value: fault.column === '' ? '' : shown(valueAt(document, fault.column)) }
  })
}

function valueAt(document: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((holder, step) => member(holder, step), document)
}

const LONGEST = 200

function shown(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
