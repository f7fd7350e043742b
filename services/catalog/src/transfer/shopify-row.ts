import type { Issue } from '../errors.ts'
import type { Column, Columns } from './shopify-columns.ts'

/** A row of a product CSV, counted as a spreadsheet counts it: the header is row 1. */
export interface CsvRow {
  number: number
  cells: readonly string[]
}

/** Reads the cells of a file by the names of their columns, and collects what is wrong with them. */
export interface CellReader {
  columns: Columns
  issues: Issue[]
  /** @returns the text of a cell, trimmed; empty when the file has no such column */
  text: (row: CsvRow, column: Column) => string
  /** @returns where a cell stands, for people */
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

/** What a cell holds, short enough for a message. */
export function quoted(text: string): string {
  return `“${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}”`
}
