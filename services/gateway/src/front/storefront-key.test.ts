import { expect, test } from 'vitest'
import { storefrontCallers } from './storefront-key.ts'

const KEY = 'a key of sixteen or more'
const callerOf = storefrontCallers(KEY)

test('a request with the key counts for the shopper whose address it names, or else for the storefront itself', () => {
  expect(callerOf({ 'x-storefront-key': KEY, 'x-shopper-address': '192.0.2.7' })).toEqual({
    shopperAddress: '192.0.2.7',
  })
  expect(callerOf({ 'x-storefront-key': KEY, 'x-shopper-address': '2001:db8::7' })).toEqual({
    shopperAddress: '2001:db8::7',
  })
  expect(callerOf({ 'x-storefront-key': KEY, 'x-shopper-address': '192.0.2.7:51322' })).toEqual({
    shopperAddress: '192.0.2.7',
  })
  expect(callerOf({ 'x-storefront-key': KEY })).toBe('storefront itself')
})

test('a request without the key chooses no address and has the limits of its connection', () => {
  expect(callerOf({ 'x-shopper-address': '192.0.2.7' })).toBeUndefined()
  expect(callerOf({ 'x-storefront-key': `${KEY}.` })).toBeUndefined()
  expect(callerOf({ 'x-storefront-key': '' })).toBeUndefined()
  expect(storefrontCallers(undefined)({ 'x-storefront-key': '' })).toBeUndefined()
})

test('an invalid address does not exempt a shopper from the limits', () => {
  for (const address of ['', 'unknown', '192.0.2.7, 192.0.2.8', '192.0.2']) {
    expect(callerOf({ 'x-storefront-key': KEY, 'x-shopper-address': address })).toBeUndefined()
  }
})
