import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { create, type Font } from 'fontkit'
import type { Covers } from './printable.ts'

const FOLDER = join(import.meta.dirname, '../../fonts')

/**
 * DejaVu Sans has the letters of all languages of Europe, Greek, Cyrillic, Armenian and Georgian included. Parsed once:
 * that costs more than a document.
 */
export const FONTS = {
  regular: open('DejaVuSansCondensed.ttf'),
  bold: open('DejaVuSansCondensed-Bold.ttf'),
}
export type FontName = keyof typeof FONTS

const characters = new Set(FONTS.regular.characterSet.filter((each) => FONTS.bold.hasGlyphForCodePoint(each)))

/** Whether both fonts have a glyph for this character. */
export const covers: Covers = (codePoint) => characters.has(codePoint)

function open(file: string): Font {
  const font = create(readFileSync(join(FOLDER, file)))
  if ('fonts' in font) throw new Error(`${file} is a collection of fonts`)
  return font
}

declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      /** The declarations of the library lack what it takes since version 0.20: a font that is parsed already. */
      registerFont(name: string, font: Font): this
    }
  }
}
