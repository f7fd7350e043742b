import { expect, test } from 'vitest'
import { readTarget } from './request-target.ts'

test('a path keeps the encoding it was sent with', () => {
  expect(readTarget('/products/caf%C3%A9%2Fb?q=%20x', '')).toEqual({
    target: '/products/caf%C3%A9%2Fb?q=%20x',
    path: '/products/caf%C3%A9%2Fb',
  })
})

test('letters, digits and four other characters need no encoding in a path, and are the same path without it', () => {
  const plain = 'ABCXYZabcxyz0189-._~'
  const encoded = plain.split('').map((character) => `%${character.charCodeAt(0).toString(16)}`)
  const target = `/products/a${encoded.join('')}?q=%61`
  expect(readTarget(target, '')).toEqual({ target: `/products/a${plain}?q=%61`, path: `/products/a${plain}` })
  expect(readTarget(target.toUpperCase().replace('/PRODUCTS/A', '/products/a'), '')?.path).toBe(`/products/a${plain}`)
  // An escape stays if its character has another meaning unencoded, or if it is encoded twice.
  const others = '/products/%2f%3F%23%25%2561%40%5b%60%7b%7f%2c%3a'
  expect(readTarget(others, '')?.path).toBe(others)
})

test('a base path is removed, and a path without it is unknown', () => {
  expect(readTarget('/v1/products?page=2', '/v1')).toEqual({ target: '/products?page=2', path: '/products' })
  expect(readTarget('/products', '/v1')).toBeUndefined()
  expect(readTarget('/v10/products', '/v1')).toBeUndefined()
})

test('the root has a trailing slash, which may be missing after a base path', () => {
  expect(readTarget('/', '')).toEqual({ target: '/', path: '/' })
  expect(readTarget('/?from=mail', '')?.path).toBe('/')
  for (const url of ['/v1', '/v1/', '/v1?a=b']) expect(readTarget(url, '/v1')).toEqual({ target: '/', path: '/' })
})

test.each([
  '//products',
  '/products//a',
  '/products/',
  '/products/../internal/openapi.json',
  '/products/%2e%2E/internal/openapi.json',
  '/products/.%2e',
  '/products/./a',
  '/products\\..\\internal',
  '/products#/internal',
  'http://elsewhere/products',
  // Decoded once, each of these would contain another escape, which the service decodes.
  '/auth/%%36%63ogin',
  '/auth/%6%63ogin',
  '/auth/%%36cogin',
  '/products/%',
  '/products/%6',
  '/products/%zz',
  '/products/%u006c',
  // Not UTF-8: a single byte, an overlong form, half of a surrogate pair.
  '/products/%ff',
  '/products/%c1%ac',
  '/products/%ed%a0%80',
  '*',
  '',
])('%s is not a path of the shop', (url) => {
  expect(readTarget(url, '')).toBeUndefined()
})

test('the start page of the console may have a trailing slash', () => {
  expect(readTarget('/console/', '')).toEqual({ target: '/console', path: '/console' })
  expect(readTarget('/v1/console/?tab=own', '/v1')).toEqual({ target: '/console?tab=own', path: '/console' })
  expect(readTarget('/console/orders/', '')).toBeUndefined()
})

test('dots inside a segment are ordinary characters', () => {
  expect(readTarget('/products/a..b', '')?.path).toBe('/products/a..b')
  expect(readTarget('/.well-known/jwks.json', '')?.path).toBe('/.well-known/jwks.json')
})
