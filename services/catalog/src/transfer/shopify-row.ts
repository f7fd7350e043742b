import type { CsvColumn, CsvColumns, CsvSeparator } from '@storefront/contracts/product-csv'
import type { Issue } from '../errors.ts'

/** A row of a product CSV, numbered as in a spreadsheet: the header is row 1. */
export interface CsvRow {
  number: number
  cells: readonly string[]
}

/** Reads the cells of a file by the names of their columns, and collects their errors. */
export class CellReader {
  readonly issues: Issue[] = []
  readonly columns: CsvColumns
  readonly currency: string
  readonly separator: CsvSeparator

  constructor(columns: CsvColumns, { currency, separator }: { currency: string; separator: CsvSeparator }) {
    this.columns = columns
    this.currency = currency
    this.separator = separator
  }

  /** @returns the text of a cell, trimmed; empty when the file has no such column */
  text({ cells }: CsvRow, column: CsvColumn): string {
    return cells[this.columns.places.get(column) ?? -1]?.trim() ?? ''
  }

  /** @returns the location of a cell, for people: with the name that the column has in the file */
  at({ number }: CsvRow, column: CsvColumn): string {
    const { names, places } = this.columns
    return `row ${number}: ${names[places.get(column) ?? -1] ?? column}`
  }

  fault(row: CsvRow, column: CsvColumn, message: string): void {
    this.issues.push({ path: this.at(row, column), message })
  }
}

const SHOWN_CHARACTERS = 40

/** The content of a cell, shortened for a message. */
export function quoted(text: string): string {
  return `“${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}”`
}
