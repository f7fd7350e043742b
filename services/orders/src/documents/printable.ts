import { singleLine } from '@storefront/contracts'

/** Takes the place of a character that cannot be printed, so that a person sees that something is missing. */
const MISSING = '\u25A1'
/** Of most texts, in characters. */
const MAX_LENGTH = 300

/** Invisible characters, and variation selectors. */
const INVISIBLE = /[\p{Cf}\uFE00-\uFE0F]/gu

/** The blocks of scripts that run from right to left: nothing here lays them out. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** Whether the fonts have a glyph for this character. */
export type Covers = (codePoint: number) => boolean

/**
 * A text as it can be printed, whatever it is: one line of at most 300 characters, or `longest`, without control
 * characters. A character that the fonts lack becomes a square.
 */
export function printable(text: string, covers: Covers, longest = MAX_LENGTH): string {
  // Cut first: the time that the remaining steps take must not depend on the length.
  const start = text
    .slice(0, 4 * longest)
    .toWellFormed()
    .normalize('NFC')
  const line = singleLine(start).replaceAll(INVISIBLE, '').replaceAll(/\s+/gu, ' ').trim()
  const characters = Array.from(line, (character) => (isPrinted(character, covers) ? character : MISSING))
  const isCut = characters.length > longest || text.length > 4 * longest
  return isCut ? `${characters.slice(0, longest).join('')}…` : characters.join('')
}

/** Whether every character of a text can be printed. */
export function isPrintable(text: string, covers: Covers): boolean {
  return Array.from(text).every((character) => isPrinted(character, covers))
}

function isPrinted(character: string, covers: Covers): boolean {
  return !RIGHT_TO_LEFT.test(character) && covers(character.codePointAt(0) ?? 0)
}
