import { expect, test } from 'vitest'
import { cacheKey } from './key.ts'

test('the order of parameters makes no difference', () => {
  expect(cacheKey('/products?page=2&category=shirts')).toBe('/products?category=shirts&page=2')
  expect(cacheKey('/products?category=shirts&page=2')).toBe('/products?category=shirts&page=2')
})

test('the first value of a repeated parameter counts, because services read that one', () => {
  expect(cacheKey('/products?page=1&q=a&page=2')).toBe('/products?page=1&q=a')
  expect(cacheKey('/products?p%61ge=2&page=1')).toBe('/products?p%61ge=2')
})

test('unknown parameters and encodings stay as they are', () => {
  expect(cacheKey('/products?utm=x&q=caf%C3%A9')).toBe('/products?q=caf%C3%A9&utm=x')
  expect(cacheKey('/products?')).toBe('/products')
  expect(cacheKey('/products?&&')).toBe('/products')
  expect(cacheKey('/products?%zz=1&a')).toBe('/products?%zz=1&a')
})

test('a URL that is too long has no key', () => {
  expect(cacheKey(`/products?q=${'x'.repeat(2048)}`)).toBeUndefined()
})
