import type { KeyboardEvent } from 'react'
import { GRID_COLUMNS, type GridColumn } from './grid-cells.ts'

const ROWS_PER_PAGE = 10

/** The cell of the grid that an event came from; undefined for anything else. */
export function placeOf(target: EventTarget): { row: number; column: GridColumn } | undefined {
  if (!(target instanceof HTMLInputElement)) return undefined
  const column = GRID_COLUMNS.find((name) => name === target.dataset['column'])
  const row = Number(target.dataset['row'] ?? Number.NaN)
  return column === undefined || Number.isNaN(row) ? undefined : { row, column }
}

/**
 * Moves from cell to cell as a spreadsheet does: arrows and Enter, pages, and with Ctrl to the ends. To the side only from
 * the end of a text, or while all of it is selected: within a text the arrows move the caret.
 */
export function moveByKey(event: KeyboardEvent, columns: readonly GridColumn[]): void {
  const { target } = event
  const place = placeOf(target)
  if (!place || !(target instanceof HTMLInputElement) || event.altKey || event.metaKey) return
  const table = target.closest('table')
  const rowCount = table?.querySelectorAll(`input[data-row][data-column="${place.column}"]`).length ?? 0
  const next = nextPlace(event, place, { rowCount, columns, input: target })
  if (!next) return
  const cell = table?.querySelector<HTMLInputElement>(`input[data-row="${next.row}"][data-column="${next.column}"]`)
  if (!cell || cell === target) return
  event.preventDefault()
  cell.focus()
  cell.select()
}

interface Grid {
  rowCount: number
  columns: readonly GridColumn[]
  input: HTMLInputElement
}

function nextPlace(
  { key, ctrlKey, shiftKey }: KeyboardEvent,
  { row, column }: { row: number; column: GridColumn },
  { rowCount, columns, input }: Grid,
): { row: number; column: GridColumn | undefined } | undefined {
  const last = rowCount - 1
  const bounded = (wanted: number): number => Math.min(Math.max(wanted, 0), last)
  const at = columns.indexOf(column)
  switch (key) {
    case 'ArrowDown':
      return { row: ctrlKey ? last : bounded(row + 1), column }
    case 'ArrowUp':
      return { row: ctrlKey ? 0 : bounded(row - 1), column }
    case 'Enter':
      return { row: bounded(row + (shiftKey ? -1 : 1)), column }
    case 'PageDown':
      return { row: bounded(row + ROWS_PER_PAGE), column }
    case 'PageUp':
      return { row: bounded(row - ROWS_PER_PAGE), column }
    case 'Home':
      return ctrlKey ? { row: 0, column: columns[0] } : undefined
    case 'End':
      return ctrlKey ? { row: last, column: columns.at(-1) } : undefined
    case 'ArrowLeft':
      return !shiftKey && isAtStart(input) ? { row, column: columns[Math.max(at - 1, 0)] } : undefined
    case 'ArrowRight':
      return !shiftKey && isAtEnd(input) ? { row, column: columns[Math.min(at + 1, columns.length - 1)] } : undefined
    default:
      return undefined
  }
}

function isAtStart({ selectionStart, selectionEnd, value }: HTMLInputElement): boolean {
  return selectionStart === 0 && (selectionEnd === 0 || selectionEnd === value.length)
}

function isAtEnd({ selectionStart, selectionEnd, value }: HTMLInputElement): boolean {
  return selectionEnd === value.length && (selectionStart === 0 || selectionStart === value.length)
}
