import { expect, test } from 'vitest'
import { emptyVariant, type OptionRow, type VariantRow } from './product-form.ts'
import { changedRows } from './variant-rows.ts'

const SIZES = ['S', 'M']
const FITS = ['Slim', 'Wide']

/** Saved variants of all sizes and fits, with the option of the fits under a name. */
function rowsWith(name: string): VariantRow[] {
  return SIZES.flatMap((size) =>
    FITS.map((fit) => {
      const id = `var_${size}_${fit}`
      return { ...emptyVariant({ Size: size, [name]: fit }), key: id, id, stock: '3' }
    }),
  )
}

function optionsWith(name: string): OptionRow[] {
  return [
    { key: 'option-0', name: 'Size', values: SIZES },
    { key: 'option-1', name, values: FITS },
  ]
}

test.each([
  { when: 'it is cleared', typed: ['', 'C', 'Cut'] },
  { when: 'it is that of another option for a moment', typed: ['Size', 'Size ', 'Size r', 'Cut'] },
])('variants keep their ids and stock while an option gets another name, when $when', ({ typed }) => {
  let rows = rowsWith('Fit')
  let before = optionsWith('Fit')
  for (const name of typed) {
    const after = optionsWith(name)
    rows = changedRows(rows, before, after)
    before = after
  }
  expect(rows).toEqual(rowsWith('Cut'))
})
