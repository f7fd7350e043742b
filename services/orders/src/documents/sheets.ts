import PdfFile from 'pdfkit'
import { covers, FONTS, type FontName } from './fonts.ts'
import { printable } from './printable.ts'

/** In points, 72 to an inch. */
const MARGIN = 50
const FOOTER = 30
/** Countries that print on Letter; all others use A4. */
const LETTER = new Set(['US', 'CA', 'MX', 'PR', 'PH', 'CL', 'CO', 'VE'])

export interface Style {
  font: FontName
  size: number
  color?: string
  /** In characters: a longer text is cut. */
  longest?: number
}

export const STYLES = {
  text: { font: 'regular', size: 9.5 },
  small: { font: 'regular', size: 8, color: '#555555' },
  strong: { font: 'bold', size: 9.5 },
  title: { font: 'bold', size: 18 },
  // As long as a gift message may be.
  note: { font: 'regular', size: 9.5, longest: 500 },
} as const satisfies Record<string, Style>

export interface TextFrame {
  x: number
  width: number
  align?: 'right' | undefined
}

/** Sheets of paper that are filled from top to bottom; what does not fit goes on the next one. */
export class Sheets {
  readonly #pdf: PDFKit.PDFDocument
  /** Draws the head of each further sheet. */
  readonly #drawHead: () => void
  /** Texts as they are printed: each is measured before it is drawn. */
  readonly #printed = new Map<string, string>()
  y = MARGIN

  /** @param options.name the title that a PDF viewer shows */
  constructor(options: { locale: string; createdAt: Date; name: string; drawHead: () => void }) {
    const { locale, createdAt, name } = options
    const size = LETTER.has(new Intl.Locale(locale).maximize().region ?? '') ? 'LETTER' : 'A4'
    // With margins, the library would begin new sheets itself. Its default font is disabled, because it is not
    // embedded.
    this.#pdf = new PdfFile({
      size,
      margin: 0,
      bufferPages: true,
      font: '',
      lang: locale,
      displayTitle: true,
      info: { Title: printable(name, covers), CreationDate: createdAt, ModDate: createdAt },
    })
    for (const [fontName, font] of Object.entries(FONTS)) this.#pdf.registerFont(fontName, font)
    this.#drawHead = options.drawHead
  }

  get left(): number {
    return MARGIN
  }

  get width(): number {
    return this.#pdf.page.width - 2 * MARGIN
  }

  /** Begins another sheet unless this height is left on the current one. */
  need(height: number): void {
    if (this.y + height <= this.#pdf.page.height - MARGIN - FOOTER) return
    this.#pdf.addPage()
    this.y = MARGIN
    this.#drawHead()
  }

  /** @returns the height of a text as it would be drawn, zero for an empty one */
  heightOf(text: string, style: Style, { width }: Pick<TextFrame, 'width'>): number {
    const printed = this.#printable(text, style)
    return printed === '' ? 0 : this.#styled(style).heightOfString(printed, { width })
  }

  /** Draws a text at this height; the next text is not moved below it. */
  draw(text: string, style: Style, { x, width, align }: TextFrame, y = this.y): void {
    const printed = this.#printable(text, style)
    if (printed !== '') this.#styled(style).text(printed, x, y, { width, align: align ?? 'left' })
  }

  /** Draws a text as the next paragraph. */
  write(text: string, style: Style, frame: TextFrame): void {
    const height = this.heightOf(text, style, frame)
    this.need(height)
    this.draw(text, style, frame)
    this.y += height
  }

  /** Draws a line over the whole width. */
  rule(): void {
    this.#pdf
      .moveTo(MARGIN, this.y)
      .lineTo(MARGIN + this.width, this.y)
      .lineWidth(0.5)
      .stroke('#999999')
  }

  /** Draws a box to tick by hand. */
  box(x: number): void {
    this.#pdf
      .rect(x, this.y + 1, 9, 9)
      .lineWidth(0.75)
      .stroke('#333333')
  }

  /** Writes the foot of every sheet, and ends the file. */
  finish(footOf: (sheet: number, sheets: number) => string): void {
    const { start, count } = this.#pdf.bufferedPageRange()
    for (let index = 0; index < count; index++) {
      this.#pdf.switchToPage(start + index)
      const y = this.#pdf.page.height - MARGIN
      this.draw(footOf(index + 1, count), STYLES.small, { x: MARGIN, width: this.width, align: 'right' }, y)
    }
    this.#pdf.end()
  }

  /** The bytes of the file, once it is finished. */
  get stream(): NodeJS.ReadableStream {
    return this.#pdf
  }

  #printable(text: string, { longest }: Style): string {
    const key = `${longest ?? ''} ${text}`
    const known = this.#printed.get(key)
    if (known !== undefined) return known
    const printed = printable(text, covers, longest)
    this.#printed.set(key, printed)
    return printed
  }

  #styled({ font, size, color = '#111111' }: Style): PDFKit.PDFDocument {
    return this.#pdf.font(font).fontSize(size).fillColor(color)
  }
}
