import { describe, expect, test } from 'vitest'
import { fold, queryOf, vectorOf, wordsOf } from './words.ts'

test.each([
  ['Zoë ÅNGSTRÖM', 'zoe angstrom'],
  ['Crêpe Straße Łódź Øre Æon', 'crepe strasse lodz ore aeon'],
  ['İstanbul ıIi', 'istanbul iii'],
  ['ＡＢＣ ﬁne №', 'abc fine no'],
  ['O’Neill', "o'neill"],
  ['Zoe\u0308', 'zoe'],
  ['한국 東京', '한국 東京'],
  // Vowel signs are not accents.
  ['कि', 'कि'],
])('%s is normalized to %s', (text, folded) => {
  expect(fold(text)).toBe(folded.normalize('NFC'))
})

describe('an order is found by', () => {
  test('its words without the punctuation around them', () => {
    expect(wordsOf(['"Linen" (shirt),', ' ... ', 'linen'])).toEqual(['linen', 'shirt'])
  })

  test('the parts of a word, but not of an id', () => {
    expect(wordsOf(['SF-10001', 'ada@mail.example', 'order_abc'])).toEqual([
      'sf-10001',
      '10001',
      'ada@mail.example',
      'mail.example',
      'example',
      'order_abc',
    ])
    expect(wordsOf(['a--b'])).toEqual(['a--b', 'b'])
  })

  test('no more words than PostgreSQL stores, whatever the input is', () => {
    const many = wordsOf([Array.from({ length: 5000 }, (_, each) => `w${each}-x`).join(' '), 'a-'.repeat(5000)])
    expect(many).toHaveLength(2000)
    expect(Math.max(...many.map((word) => Array.from(word).length))).toBeLessThanOrEqual(100)
    expect(wordsOf(['\u{1F600}'.repeat(200)])).toEqual(['\u{1F600}'.repeat(100)])
  })
})

test('words are quoted for PostgreSQL', () => {
  expect(vectorOf(["o'neill", 'a\\b'])).toBe(String.raw`'o''neill' 'a\\b'`)
})

test('a search requires every word that was typed, or one that starts with it', () => {
  expect(queryOf(` O'Neill,  zoë zoe a\\b`)).toBe(String.raw`'o''neill':* & 'zoe':* & 'a\\b':*`)
  expect([queryOf(''), queryOf('!!! _ --')]).toEqual([undefined, undefined])
})
