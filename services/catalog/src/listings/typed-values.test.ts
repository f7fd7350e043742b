import { amount } from '@storefront/tools/testing'
import { array, assert, constantFrom, property, string, uniqueArray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { valuesIn } from './typed-values.ts'

const among =
  (...listed: string[]) =>
  (value: string) =>
    listed.includes(value)

describe('values that were typed with commas between them', () => {
  test.each([
    ['a comma is part of an existing value', 'Red, White,Blue', ['Red, White', 'Blue'], ['Red, White', 'Blue']],
    ['there is no such value', 'Red, White,Blue', ['Blue'], ['Red', 'White', 'Blue']],
    ['several existing values match, of which the longest is taken', 'a,b,c', ['a', 'a,b', 'b,c', 'a,b,c'], ['a,b,c']],
    ['the text after a value begins a new one', 'a,b,c', ['a', 'a,b', 'b,c'], ['a,b', 'c']],
    ['a value is typed without its white space', 'Red,White', ['Red, White'], ['Red', 'White']],
    ['there is white space around values', '  Red ,\tWhite , ', ['Red', 'White'], ['Red', 'White']],
    ['a value is typed twice', 'Red,Red, White,Red, White', ['Red', 'Red, White'], ['Red', 'Red, White']],
    ['a value is a comma', ',,,Red', [','], [',', 'Red']],
    ['nothing is typed', ' ,, ,', [], []],
  ])('are separated when %s', (_when, typed, listed, values) => {
    expect(valuesIn(typed, among(...listed))).toEqual(values)
  })

  test('are tried up to the number of commas that fit into a value', () => {
    const longest = `${','.repeat(99)}x`
    expect(valuesIn(longest, among(longest))).toEqual([longest])
    let tried = 0
    valuesIn(','.repeat(199), () => ++tried < 0)
    expect(tried).toBeLessThanOrEqual(200 * 100)
  })

  test('are the same as those of a naive implementation', () => {
    const part = constantFrom('a', 'b', ' a', 'b ', '', ' ', 'Red', ' White')
    const value = array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(',').trim())
    assert(
      property(array(part, { maxLength: 9 }), uniqueArray(value, { maxLength: 6 }), (parts, listed) => {
        expect(valuesIn(parts.join(','), among(...listed))).toEqual([...new Set(naiveValues(parts, listed))])
      }),
      { numRuns: amount({ quick: 240, long: 3000 }) },
    )
    assert(
      property(string(), (typed) => {
        const values = typed.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
        expect(valuesIn(typed, () => false)).toEqual([...new Set(values)])
      }),
    )
  })
})

function naiveValues(parts: readonly string[], listed: readonly string[]): string[] {
  for (let length = parts.length; length > 0; length--) {
    const run = parts.slice(0, length).join(',').trim()
    if (run !== '' && listed.includes(run)) return [run, ...naiveValues(parts.slice(length), listed)]
  }
  const [first, ...others] = parts
  if (first === undefined) return []
  return [...(first.trim() === '' ? [] : [first.trim()]), ...naiveValues(others, listed)]
}
