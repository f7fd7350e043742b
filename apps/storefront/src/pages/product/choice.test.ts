import { expect, test } from 'vitest'
import { chosenVariant, stateOfValue } from './choice.ts'
import { inBothUnits, unitOf } from './units.ts'

const VARIANTS = [
  { values: ['Sage', 'S'], available: true },
  { values: ['Sage', 'M'], available: false },
  { values: ['Clay', 'M'], available: true },
]

test('a size is sold out or missing in the chosen color only, and a color depends on no size', () => {
  const sizes = (color: string | undefined) =>
    ['S', 'M', 'L'].map((size) => stateOfValue(VARIANTS, [color, undefined], 1, size))
  expect(sizes('Sage')).toEqual(['available', 'sold-out', 'absent'])
  expect(sizes('Clay')).toEqual(['absent', 'available', 'absent'])
  expect(sizes(undefined)).toEqual(['available', 'available', 'absent'])
  expect(stateOfValue(VARIANTS, ['Clay', 'M'], 0, 'Sage')).toBe('available')
})

test('only a whole choice is a variant', () => {
  expect(chosenVariant(VARIANTS, ['Clay', 'M'])).toBe(VARIANTS[2])
  expect(chosenVariant(VARIANTS, ['Clay', undefined])).toBeUndefined()
  expect(chosenVariant(VARIANTS, ['Clay', 'S'])).toBeUndefined()
})

test('measurements are shown in both units with one decimal, and other cells as they are', () => {
  expect([unitOf('cm'), unitOf(' Inches '), unitOf('EU')]).toEqual(['cm', 'in', undefined])
  expect(inBothUnits(49, 'cm')).toEqual({ cm: 49, in: 19.3 })
  expect(inBothUnits('20.25', 'in')).toEqual({ cm: 51.4, in: 20.25 })
  expect(['–', '', '2-3Y'].map((cell) => inBothUnits(cell, 'cm'))).toEqual([undefined, undefined, undefined])
})
