import { expect, test } from 'vitest'
import { isPrintable, printable } from './printable.ts'

/** Fonts without Asian scripts and emoji. */
const covers = (codePoint: number) => codePoint < 0x3000

test.each([
  ['a line break and a tab become spaces', 'one\r\n\ttwo', 'one two'],
  ['spaces of any kind become one', '  a \u00A0\u2003 b ', 'a b'],
  ['control characters vanish', 'a\u0007b', 'a b'],
  ['marks of direction vanish', '\u202Eabc\u202C', 'abc'],
  ['joiners and selectors vanish', 'a\u200Db\uFE0F', 'ab'],
  ['accents are joined with their letters', 'Zoe\u0308', 'Zo\u00EB'],
  ['letters that the fonts lack become squares', '東京 12', '□□ 12'],
  ['letters that run from right to left become squares', 'שלום 12', '□□□□ 12'],
  ['half a pair of surrogates becomes a sign', 'a\uD83D', 'a\uFFFD'],
])('%s', (_what, text, printed) => {
  expect(printable(text, (codePoint) => covers(codePoint) || codePoint === 0xfffd)).toBe(printed)
})

test('a text of 300 characters is printed whole, and a longer one is cut, however long it is', () => {
  const whole = 'ü'.repeat(300)
  expect(printable(whole, covers)).toBe(whole)
  expect(printable(`${whole}x`, covers)).toBe(`${whole}…`)
  expect(printable('x'.repeat(5_000_000), covers)).toBe(`${'x'.repeat(300)}…`)
  expect(printable(`a${' '.repeat(5000)}b`, covers)).toBe('a…')
})

test('a text is printable when the fonts have each of its characters', () => {
  expect(isPrintable('€12.50', covers)).toBe(true)
  expect(isPrintable('١٢', covers)).toBe(false)
  expect(isPrintable('12円', covers)).toBe(false)
})
