import { readCsv } from '@storefront/contracts/product-csv'

const SHOWN_ROWS = 3

export function firstRows(text: string): { header: string[]; rows: string[][] } {
  const rows: string[][] = []
  for (const { cells } of readCsv(text)) {
    if (cells.length > 0) rows.push(cells.map((cell) => cell.text))
    if (rows.length > SHOWN_ROWS) break
  }
  const [header = [], ...others] = rows
  return { header, rows: others }
}
