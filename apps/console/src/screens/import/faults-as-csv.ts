import { csvCell } from '@storefront/contracts/product-csv'
import type { Fault } from './faults.ts'

/** Without it, spreadsheet programs read UTF-8 as another encoding. */
const BYTE_ORDER_MARK = '\uFEFF'

/** The list of faults for a spreadsheet. */
export function faultsAsCsv(headings: readonly string[], faults: readonly Fault[]): Blob {
  const rows = faults.map(({ row, column, value, message }) => [
    row === undefined ? '' : String(row),
    column,
    value,
    message,
  ])
  const lines = [headings, ...rows].map((cells) => cells.map((cell) => csvCell(asText(cell))).join(','))
  return new Blob([BYTE_ORDER_MARK, lines.join('\r\n'), '\r\n'], { type: 'text/csv' })
}

/**
 * A formula at the beginning of a cell, or after one of these characters: a spreadsheet program that expects another
 * separator ignores the quotes and starts a cell there.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g

function asText(cell: string): string {
  return cell.replaceAll(FORMULA, "'")
}
