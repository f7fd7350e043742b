import { separatorOf } from './separators.ts'

const QUOTE = '"'

/** A cell with its place in the text of the file, quotation marks included. */
export interface CsvCell {
  text: string
  start: number
  end: number
}

/** A row as spreadsheets count it: the header is row 1, empty rows count, and a cell of several lines stays one row. */
export interface CsvLine {
  number: number
  cells: readonly CsvCell[]
}

/** Reads the rows of a CSV, whatever separates its cells. A quotation mark that is out of place counts as text. */
export function* readCsv(text: string): Generator<CsvLine> {
  const separator = separatorOf(text)
  const ends = { separator, lineEnd: lineEndOf(text, separator) }
  let at = 0
  for (let number = 1; at < text.length; number++) {
    const cells: CsvCell[] = []
    for (;;) {
      const cell = readCell(text, at, ends)
      cells.push(cell)
      at = cell.end
      if (text[at] !== ends.separator) break
      at++
    }
    at += ends.lineEnd.length
    const isEmpty = cells.length === 1 && cells[0]?.start === cells[0]?.end
    yield { number, cells: isEmpty ? [] : cells }
  }
}

/** The first line end decides, as in the shop: any other is part of a cell. */
function lineEndOf(text: string, separator: string): string {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === QUOTE) at = closeOf(text, at) + 1
    for (; at < text.length && text[at] !== separator; at++) {
      if (text[at] === '\n') return '\n'
      if (text[at] === '\r') return text[at + 1] === '\n' ? '\r\n' : '\r'
    }
  }
  return '\n'
}

/** @returns the place of the quotation mark that ends a cell, or the end of the text when there is none */
function closeOf(text: string, start: number): number {
  let close = text.indexOf(QUOTE, start + 1)
  while (close !== -1 && text[close + 1] === QUOTE) close = text.indexOf(QUOTE, close + 2)
  return close === -1 ? text.length : close
}

interface Ends {
  separator: string
  lineEnd: string
}

function readCell(text: string, start: number, ends: Ends): CsvCell {
  if (text[start] !== QUOTE) {
    const end = endOf(text, start, ends)
    return { text: text.slice(start, end), start, end }
  }
  const close = closeOf(text, start)
  if (close === text.length) return { text: text.slice(start + 1), start, end: text.length }
  const end = endOf(text, close + 1, ends)
  const inside = text.slice(start + 1, close).replaceAll(QUOTE + QUOTE, QUOTE)
  return { text: inside + text.slice(close + 1, end), start, end }
}

function endOf(text: string, from: number, { separator, lineEnd }: Ends): number {
  let at = from
  while (at < text.length && text[at] !== separator && !text.startsWith(lineEnd, at)) at++
  return at
}

/** Writes other texts into some cells, and leaves every other byte of the file unchanged. */
export function replaceCells(text: string, changes: ReadonlyMap<CsvCell, string>): string {
  const parts: string[] = []
  let at = 0
  for (const [cell, next] of [...changes].toSorted(([one], [other]) => one.start - other.start)) {
    parts.push(text.slice(at, cell.start), csvCell(next))
    at = cell.end
  }
  parts.push(text.slice(at))
  return parts.join('')
}

/** A text as a cell of a CSV, whatever separates its cells. */
export function csvCell(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
