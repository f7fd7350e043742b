import { array, assert, constantFrom, property, string, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { chosenValues, listAddress, listQuery, LIST_PARAMETERS, readListState } from './list-state.ts'

const HOSTILE = constantFrom(
  'S',
  ',',
  '1',
  '90',
  '.',
  '-',
  '%',
  '&',
  '=',
  '+',
  '#',
  '?',
  ' ',
  '\0',
  'é',
  '🧦',
  '\uD83D',
)

const read = (query: string, currency = 'USD') => readListState(new URLSearchParams(query), currency)

test('prices are in major units in the address, and in minor units for the shop', () => {
  expect(listQuery(read('min_price=20&max_price=49.90'))).toMatchObject({ min_price: 2000, max_price: 4990 })
  expect(listQuery(read('min_price=20,5'))).toMatchObject({ min_price: 2050 })
  expect(listQuery(read('max_price=1500', 'JPY'))).toMatchObject({ max_price: 1500 })
  // A shopper who mixes them up means the range between them.
  expect(listQuery(read('min_price=90&max_price=10'))).toMatchObject({ min_price: 1000, max_price: 9000 })
})

test('a list has one address, without what changes nothing', () => {
  const query = 'sort=featured&page=1&sizes=,S,,M,&in_stock=0&min_price=&q=%20&utm_source=mail'
  expect(listAddress('/shop', read(query), 'USD')).toBe('/shop?sizes=S,M')
})

test('an address reads as the state that it was written from, whatever a browser sends', () => {
  const parameter = tuple(constantFrom(...LIST_PARAMETERS), string({ unit: HOSTILE, maxLength: 30 }))
  assert(
    property(array(parameter, { maxLength: 5 }), (parameters) => {
      const state = readListState(new URLSearchParams(parameters), 'USD')
      const address = listAddress('/shop', state, 'USD')
      const again = readListState(new URLSearchParams(address.split('?', 2)[1] ?? ''), 'USD')
      expect(listAddress('/shop', again, 'USD')).toBe(address)
    }),
  )
})

test('a value with a comma is one value when the shop has it', () => {
  expect(chosenValues('Ecru, undyed,Moss', ['Ecru, undyed', 'Moss', 'Navy'])).toEqual(['Ecru, undyed', 'Moss'])
  expect(chosenValues('Moss,Gone', ['Moss'])).toEqual(['Moss', 'Gone'])
  expect(chosenValues('', ['Moss'])).toEqual([])
})
