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
