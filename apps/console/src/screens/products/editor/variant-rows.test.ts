import { expect, test } from 'vitest'
import { emptyVariant, type OptionRow, type VariantRow } from './product-form.ts'
import { changedRows, completedRows, renamedRows } from './variant-rows.ts'

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
    rows = changedRows(rows, before, after, [])
    before = after
  }
  expect(rows).toEqual(rowsWith('Cut'))
})

test('a removed variant that is offered again is the saved one, with its stock', () => {
  const saved = rowsWith('Fit')
  const options = optionsWith('Fit')
  expect(completedRows(saved.slice(1), options, saved)).toEqual(saved)

  const onlySmall = options.map((option) => (option.name === 'Size' ? { ...option, values: ['S'] } : option))
  const rows = changedRows(saved, options, onlySmall, saved)
  expect(rows).toEqual(saved.slice(0, 2))
  expect(changedRows(rows, onlySmall, options, saved)).toEqual(saved)
})

test('a new value that is renamed to a removed one is the saved variant, and a saved one keeps its own stock', () => {
  const saved = rowsWith('Fit')
  const [small, medium] = [saved.slice(0, 2), saved.slice(2)]
  const rename = (rows: readonly VariantRow[], value: string) =>
    renamedRows(rows, { option: 'Size', value, renamed: 'M', saved })
  const added = FITS.map((fit) => emptyVariant({ Size: 'X', Fit: fit }))
  expect(rename([...small, ...added], 'X')).toEqual([...small, ...medium])
  expect(rename(small, 'S')).toEqual(small.map((row) => ({ ...row, options: { ...row.options, Size: 'M' } })))
})

test('a new value with the former name of another is no saved variant', () => {
  const saved = rowsWith('Fit')
  const renamed = saved.map((row) => ({ ...row, options: { ...row.options, Size: `${row.options['Size']} tall` } }))
  const options = optionsWith('Fit').map((option) =>
    option.name === 'Size' ? { ...option, values: ['S tall', 'M tall', 'S'] } : option,
  )
  expect(completedRows(renamed, options, saved).map(({ id }) => id)).toEqual([
    ...saved.map(({ id }) => id),
    undefined,
    undefined,
  ])
})

test('missing combinations are added without removing a variant that lacks an option or equals another', () => {
  const [slim, ...others] = rowsWith('Fit')
  const lacking = { ...emptyVariant({ Size: 'S' }), key: 'var_S', id: 'var_S', stock: '4' }
  const twins = others.slice(0, 1).map((row) => ({ ...row, key: 'var_twin', id: 'var_twin' }))
  const rows = completedRows([lacking, ...others, ...twins], optionsWith('Fit'), [])
  expect(rows.map(({ id }) => id)).toEqual([undefined, 'var_S_Wide', 'var_twin', 'var_M_Slim', 'var_M_Wide', 'var_S'])
  expect(rows[0]?.options).toEqual(slim?.options)
})
