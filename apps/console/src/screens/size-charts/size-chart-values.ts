import type { SizeChart } from './size-charts-queries.ts'

/** The form: all cells as they are typed. */
export interface SizeChartValues {
  id: string
  unit: string
  note: string
  columns: readonly string[]
  rows: readonly (readonly string[])[]
  /** Of what was read; empty for a new one. */
  etag: string
}

/** A cell by its row and column, counted from 0. */
export interface Cell {
  row: number
  column: number
}

export const NEW_SIZE_CHART: SizeChartValues = {
  id: '',
  unit: 'cm',
  note: '',
  columns: ['', ''],
  rows: [
    ['', ''],
    ['', ''],
  ],
  etag: '',
}

const DECIMAL = /^\d{1,9}(?:\.\d{1,6})?$/

export function valuesOf({ id, unit, note, columns, rows, etag }: SizeChart): SizeChartValues {
  return { id, unit, note, columns, rows: rows.map((row) => row.map(String)), etag }
}

/** Whether a cell can be saved: sizes are any text, the others are measurements. */
export function isValid(text: string, column: number): boolean {
  return column === 0 ? text.trim() !== '' : DECIMAL.test(decimalOf(text))
}

/** The first cell that cannot be saved. */
export function firstFault({ rows }: SizeChartValues): Cell | undefined {
  for (const [row, cells] of rows.entries()) {
    const column = cells.findIndex((text, index) => !isValid(text, index))
    if (column >= 0) return { row, column }
  }
  return undefined
}

/** What the shop takes: numbers as text become numbers there. */
export function bodyOf({ id, unit, note, columns, rows }: SizeChartValues) {
  return {
    id: id.trim(),
    unit: unit.trim(),
    note,
    columns: columns.map((name) => name.trim()),
    rows: rows.map(([size = '', ...cells]): [string, ...string[]] => [size.trim(), ...cells.map(decimalOf)]),
  }
}

/** Fills the table from one cell on, with as many rows as are needed. */
export function filledFrom(values: SizeChartValues, at: Cell, pasted: readonly (readonly string[])[]): SizeChartValues {
  const count = Math.max(values.rows.length, at.row + pasted.length)
  const rows = Array.from({ length: count }, (_each, index) => {
    const row = values.rows[index] ?? values.columns.map(() => '')
    const line = pasted[index - at.row] ?? []
    return row.map((text, column) => line[column - at.column] ?? text)
  })
  return { ...values, rows }
}

export function withColumn({ columns, rows, ...others }: SizeChartValues): SizeChartValues {
  return { ...others, columns: [...columns, ''], rows: rows.map((row) => [...row, '']) }
}

export function withRow({ rows, columns, ...others }: SizeChartValues): SizeChartValues {
  return { ...others, columns, rows: [...rows, columns.map(() => '')] }
}

function decimalOf(text: string): string {
  return text.trim().replace(',', '.')
}
