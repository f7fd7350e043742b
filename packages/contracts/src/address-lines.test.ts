import { expect, test } from 'vitest'
import { addressLines } from './address-lines.ts'

const ADA = { name: 'Ada', line1: '12 Row', line2: '', city: 'Springfield', region: 'IL', postalCode: '62701' }
const nameOf = (code: string) => `the country ${code}`

test.each([
  ['US', ['Ada', '12 Row', 'Springfield, IL 62701', 'the country US']],
  ['gb', ['Ada', '12 Row', 'Springfield, IL 62701', 'the country gb']],
  ['DE', ['Ada', '12 Row', '62701 Springfield', 'IL', 'the country DE']],
  ['Atlantis', ['Ada', '12 Row', 'Springfield, IL 62701', 'the country Atlantis']],
  ['', ['Ada', '12 Row', 'Springfield, IL 62701']],
  [null, ['Ada', '12 Row', 'Springfield, IL 62701']],
])('an address has the order of its country: %s', (country, lines) => {
  expect(addressLines({ ...ADA, country }, nameOf)).toEqual(lines)
})

test('parts that are missing leave no separators behind', () => {
  expect(addressLines({ city: 'London', postalCode: 'W1 1AA', country: 'GB' }, () => 'UK')).toEqual([
    'London W1 1AA',
    'UK',
  ])
  expect(addressLines({ postalCode: '10115', country: 'DE' }, () => 'Germany')).toEqual(['10115', 'Germany'])
  expect(addressLines({ region: 'NY', name: null }, nameOf)).toEqual(['NY'])
  expect(addressLines({}, nameOf)).toEqual([])
})
