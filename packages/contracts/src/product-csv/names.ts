const SHOWN_CHARACTERS = 100

/**
 * The names of the columns, as messages and choices use them: a column without a name is named by its place, and so is
 * one whose name another column has.
 */
export function columnNames(header: readonly string[]): string[] {
  const seen = new Set<string>()
  return header.map((cell, index) => {
    const place = `column ${index + 1}`
    const name = Array.from(plain(cell)).slice(0, SHOWN_CHARACTERS).join('') || place
    const isTaken = seen.has(name.toLowerCase())
    seen.add(name.toLowerCase())
    return isTaken ? `${name} (${place})` : name
  })
}

/** The text of a cell in one line. */
export function plain(cell: string): string {
  return cell.replaceAll(/\p{Cc}+/gu, ' ').trim()
}
