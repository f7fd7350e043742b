import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { create, type Font } from 'fontkit'
import type { Covers } from './printable.ts'

const FOLDER = join(import.meta.dirname, '../../fonts')

/**
 * DejaVu Sans has the letters of all European languages, Greek, Cyrillic, Armenian and Georgian included. The fonts are
 * parsed only once, because that takes longer than printing a document.
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
      /** Since version 0.20 the library accepts a parsed font, which its type declarations lack. */
      registerFont(name: string, font: Font): this
    }
  }
}
