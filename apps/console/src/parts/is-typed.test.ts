import { expect, test } from 'vitest'
import { isTyped } from './is-typed.ts'

test.each([
  ['Linen  shirt ', 'Linen shirt'],
  ['Linen\u00A0shirt', 'Linen shirt'],
  ['Cafe\u0301.png', 'Caf\u00E9.png'],
])('what a person reads and types is the word: %j', (word, typed) => {
  expect(isTyped(typed, word)).toBe(true)
})

test.each(['', 'linen shirt', 'Linenshirt', 'Linen shir'])('another text is not the word: %j', (typed) => {
  expect(isTyped(typed, 'Linen shirt')).toBe(false)
})
