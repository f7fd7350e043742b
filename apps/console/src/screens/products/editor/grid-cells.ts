import type { ProductForm, VariantRow } from './product-form.ts'

/** The columns of the grid that are typed, in their order on the screen. */
export const GRID_COLUMNS = ['price', 'compareAtPrice', 'stock', 'sku'] as const
export type GridColumn = (typeof GRID_COLUMNS)[number]

/** The name of a column in a request. */
export const FIELD_OF: Readonly<Record<GridColumn, string>> = {
  price: 'price',
  compareAtPrice: 'compareAtPrice',
  stock: 'inventory',
  sku: 'sku',
}

interface Block {
  /** The cell at its upper left. */
  row: number
  column: GridColumn
  cells: readonly (readonly string[])[]
  /** Those that are shown. */
  columns: readonly GridColumn[]
}

/** How many filled cells of a block are beyond the grid. */
export function cellsBeyond(rowCount: number, { row, column, cells, columns }: Block): number {
  const right = columns.length - columns.indexOf(column)
  return cells
    .flatMap((line, index) => (row + index < rowCount ? line.slice(right) : line))
    .filter((cell) => cell !== '').length
}

/** Fills the grid from one cell on, downwards and to the right. What does not fit is left out. */
export function filledFrom(
  rows: readonly VariantRow[],
  { row: firstRow, column, cells, columns }: Block,
): VariantRow[] {
  const firstColumn = columns.indexOf(column)
  return rows.map((row, index) => {
    const line = cells[index - firstRow]
    if (!line) return row
    const typed = line.flatMap((cell, offset): [GridColumn, string][] => {
      const name = columns[firstColumn + offset]
      return name === undefined ? [] : [[name, cell]]
    })
    return { ...row, ...Object.fromEntries(typed) }
  })
}

/** The same value in a column of every variant. */
export function filledColumn({ variants }: ProductForm, column: GridColumn, value: string): VariantRow[] {
  return variants.map((row) => ({ ...row, [column]: value }))
}
