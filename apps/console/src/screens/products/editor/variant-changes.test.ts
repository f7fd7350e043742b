import { expect, test } from 'vitest'
import { emptyForm, emptyVariant, type ProductForm } from './product-form.ts'
import { stockChanges, undoneForm } from './variant-changes.ts'

/** @param stocks by the ids of the variants */
function formWith(stocks: Record<string, string>): ProductForm {
  const variants = Object.entries(stocks).map(([id, stock]) => ({ ...emptyVariant(), key: id, id, stock }))
  return { ...emptyForm(), variants }
}

test('the undo of a save takes back the units that it added, and leaves out those that were sold meanwhile', () => {
  const before = formWith({ sold: '10', set: '5', both: '4' })
  const now = formWith({ sold: '8', set: '20', both: '6' })
  const added = new Map([
    ['set', 15],
    ['both', 3],
  ])
  const undone = undoneForm(before, now, added)
  expect(stockChanges(undone, now)).toEqual([
    { key: 'set', id: 'set', quantity: 5, delta: -15 },
    { key: 'both', id: 'both', quantity: 3, delta: -3 },
  ])
})
