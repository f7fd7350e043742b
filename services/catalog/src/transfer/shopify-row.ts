import type { Issue } from '../errors.ts'
import type { Column, Columns } from './shopify-columns.ts'

/** A row of a product CSV, numbered as in a spreadsheet: the header is row 1. */
export interface CsvRow {
  number: number
  cells: readonly string[]
}

/** Reads the cells of a file by the names of their columns, and collects their errors. */
export interface CellReader {
  columns: Columns
  issues: Issue[]
  /** @returns the text of a cell, trimmed; empty when the file has no such column */
  text: (row: CsvRow, column: Column) => string
  /** @returns the location of a cell, for people */
  at: (row: CsvRow, column: Column) => string
  fault: (row: CsvRow, column: Column, message: string) => void
}

export function openCells(columns: Columns): CellReader {
  const issues: Issue[] = []
  const at = (row: CsvRow, column: Column) => `row ${row.number}: ${column}`
  return {
    columns,
    issues,
    text: ({ cells }, column) => cells[columns.places.get(column) ?? -1]?.trim() ?? '',
    at,
    fault: (row, column, message) => void issues.push({ path: at(row, column), message }),
  }
}

const SHOWN_CHARACTERS = 40

/** The content of a cell, shortened for a message. */
export function quoted(text: string): string {
  return `“${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}”`
}
