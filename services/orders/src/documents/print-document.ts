import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import type { Cell, Fact, PrintedDocument, Sum } from './printed-document.ts'
import { Sheets, STYLES, type Style, type TextFrame } from './sheets.ts'

/** In points, like all sizes and positions here. */
const GAP = 14
const CELL_GAP = 6
/** One line: a longer value is cut. */
const FACT_HEIGHT = 14
const MAX_FACT_LENGTH = 34
/** After this many rows, other requests are served. */
const ROWS_AT_ONCE = 5

/** Prints a document. @returns a PDF */
export async function printDocument(document: PrintedDocument): Promise<Buffer> {
  const { title, number, shop, rows, sums } = document
  const name = `${title} ${number}`
  let isInTable = false
  const sheets: Sheets = new Sheets({
    ...document,
    name,
    drawHead: () => {
      sheets.write([shop.name, name].filter((text) => text !== '').join(' · '), STYLES.small, wholeWidth(sheets))
      sheets.y += GAP
      if (isInTable) drawColumns(sheets, document)
    },
  })
  const bytes = buffer(sheets.stream)
  drawOpening(sheets, document)
  drawColumns(sheets, document)
  isInTable = true
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_AT_ONCE === 0) await setImmediate()
    drawRow(sheets, row, framesOf(sheets, document))
  }
  isInTable = false
  drawSums(sheets, sums)
  sheets.finish((sheet, count) => `${name} · Page ${sheet} of ${count}`)
  return bytes
}

function drawOpening(sheets: Sheets, { title, shop, facts, recipient, note }: PrintedDocument): void {
  const half = sheets.width / 2 - GAP
  const left = { x: sheets.left, width: half }
  const right = { x: sheets.left + sheets.width - half, width: half }
  const factsTop = sheets.y + 32
  sheets.draw(title, STYLES.title, right)
  facts.forEach(({ label, value }, index) => {
    const y = factsTop + index * FACT_HEIGHT
    sheets.draw(label, STYLES.small, { x: right.x, width: 70 }, y + 1)
    sheets.draw(shortened(value), STYLES.text, { x: right.x + 74, width: half - 74 }, y)
  })
  const factsBottom = factsTop + facts.length * FACT_HEIGHT
  sheets.write(shop.name, STYLES.strong, left)
  for (const line of shop.lines) sheets.write(line, STYLES.small, left)
  sheets.y = Math.max(sheets.y, factsBottom) + GAP
  sheets.write(recipient.heading, STYLES.small, left)
  for (const line of recipient.lines) sheets.write(line, STYLES.text, left)
  sheets.y += GAP
  if (!note) return
  sheets.write(note.heading, STYLES.small, wholeWidth(sheets))
  for (const line of note.lines) {
    if (line === '') sheets.y += GAP
    else sheets.write(line, STYLES.note, wholeWidth(sheets))
  }
  sheets.y += GAP
}

/** Shortens a value to one line. */
function shortened(value: string): string {
  return value.length <= MAX_FACT_LENGTH ? value : `${value.slice(0, MAX_FACT_LENGTH - 1)}…`
}

function wholeWidth(sheets: Sheets): TextFrame {
  return { x: sheets.left, width: sheets.width }
}

function framesOf(sheets: Sheets, { columns }: PrintedDocument): TextFrame[] {
  let before = 0
  return columns.map(({ share, align }) => {
    const frame = { x: sheets.left + before * sheets.width, width: share * sheets.width - CELL_GAP, align }
    before += share
    return frame
  })
}

function drawColumns(sheets: Sheets, document: PrintedDocument): void {
  sheets.need(40)
  framesOf(sheets, document).forEach((frame, index) => {
    sheets.draw(document.columns[index]?.heading ?? '', STYLES.small, frame)
  })
  sheets.y += 13
  sheets.rule()
  sheets.y += 5
}

function drawRow(sheets: Sheets, row: readonly Cell[], frames: readonly TextFrame[]): void {
  const cells = row.flatMap((cell, index) => {
    const frame = frames[index]
    return frame === undefined ? [] : [{ cell, frame }]
  })
  const height = Math.max(12, ...cells.map(({ cell, frame }) => heightOf(sheets, cell, frame)))
  sheets.need(height)
  for (const { cell, frame } of cells) {
    if (cell === 'box') sheets.box(frame.x)
    else {
      sheets.draw(cell.text, STYLES.text, frame)
      const below = sheets.y + sheets.heightOf(cell.text, STYLES.text, frame)
      sheets.draw(cell.below ?? '', STYLES.small, frame, below)
    }
  }
  sheets.y += height + CELL_GAP
}

function heightOf(sheets: Sheets, cell: Cell, frame: TextFrame): number {
  if (cell === 'box') return 0
  return sheets.heightOf(cell.text, STYLES.text, frame) + sheets.heightOf(cell.below ?? '', STYLES.small, frame)
}

function drawSums(sheets: Sheets, sums: readonly Sum[]): void {
  // Keeps the sums on one sheet, unless a long series of refunds makes them more than twelve.
  sheets.need(Math.min(sums.length, 12) * 16)
  for (const { label, value, isStrong = false } of sums) {
    drawSum(sheets, { label, value }, isStrong ? STYLES.strong : STYLES.text)
  }
}

function drawSum(sheets: Sheets, { label, value }: Fact, style: Style): void {
  const labels: TextFrame = { x: sheets.left + sheets.width * 0.4, width: sheets.width * 0.38, align: 'right' }
  const values: TextFrame = {
    x: sheets.left + sheets.width * 0.8,
    width: sheets.width * 0.2 - CELL_GAP,
    align: 'right',
  }
  const height = Math.max(sheets.heightOf(label, style, labels), sheets.heightOf(value, style, values))
  sheets.need(height)
  sheets.draw(label, style, labels)
  sheets.draw(value, style, values)
  sheets.y += height + 3
}
