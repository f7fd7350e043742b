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

/** The cells of a text from a spreadsheet; undefined for a text of one cell, which is pasted as usual. */
export function cellsOf(text: string): string[][] | undefined {
  const plain = text.replaceAll('\r\n', '\n').replace(/\n$/, '')
  if (!/[\t\n]/.test(plain)) return undefined
  return plain.split('\n').map((line) => line.split('\t').map(cellText))
}

/** Spreadsheets put cells with quotes in quotes. */
function cellText(cell: string): string {
  const quoted = /^"(.*)"$/.exec(cell.trim())?.[1]
  return quoted === undefined ? cell.trim() : quoted.replaceAll('""', '"')
}

/**
 * Fills the grid from one cell on, downwards and to the right. What does not fit is left out.
 * @param columns those that are shown
 */
export function filledFrom(
  rows: readonly VariantRow[],
  {
    row: firstRow,
    column,
    cells,
    columns,
  }: { row: number; column: GridColumn; cells: string[][]; columns: readonly GridColumn[] },
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

/** Moves the focus within a column: to the row above or below. @returns whether there is one */
export function focusBeside(input: HTMLInputElement, by: 1 | -1): boolean {
  const { row = '', column = '' } = input.dataset
  const next = input
    .closest('table')
    ?.querySelector<HTMLInputElement>(`input[data-row="${Number(row) + by}"][data-column="${column}"]`)
  next?.focus()
  next?.select()
  return next !== undefined && next !== null
}
