import { expect, test } from 'vitest'
import { changesOf, NEW_DRAFT, type DraftValues } from './draft-values.ts'

const LINE = { variantId: 'var_1', quantity: 1, title: 'Shirt', options: 'M', choices: [] }
const BEFORE: DraftValues = { ...NEW_DRAFT, email: 'ada@mail.example', note: 'Call first', lines: [LINE], etag: '"1"' }

test('only the fields that were changed are sent', () => {
  const address = { ...BEFORE.address, city: 'Bath' }
  expect(changesOf(BEFORE, { ...BEFORE, note: '', address })).toEqual({ note: '', shippingAddress: address })
})

test('a line is the same when only what is shown of it differs', () => {
  const shown = { ...LINE, title: 'Linen shirt', choices: [{ value: 'var_1', label: 'M' }] }
  expect(changesOf(BEFORE, { ...BEFORE, lines: [shown], email: '' })).toEqual({ email: '' })
  expect(changesOf(BEFORE, { ...BEFORE, lines: [{ ...LINE, quantity: 2 }] })).toEqual({
    lines: [{ variantId: 'var_1', quantity: 2 }],
  })
})

test('there is nothing to send without a line', () => {
  expect(changesOf(BEFORE, { ...BEFORE, lines: [] })).toBeUndefined()
})
