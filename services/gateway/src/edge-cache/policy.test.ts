import { expect, test } from 'vitest'
import { freshnessOf, surrogateKeys } from './policy.ts'

const PUBLIC = 'public, max-age=60, stale-while-revalidate=600'

test('a public response is cached for as long as it allows', () => {
  expect(freshnessOf(200, { 'cache-control': PUBLIC })).toEqual({
    freshMs: 60_000,
    staleMs: 600_000,
    staleIfErrorMs: 600_000,
  })
  expect(freshnessOf(200, { 'cache-control': 'public, max-age=1, s-maxage=5' })).toEqual({
    freshMs: 5000,
    staleMs: 0,
    staleIfErrorMs: 600_000,
  })
  expect(freshnessOf(200, { 'cache-control': PUBLIC, vary: 'Origin, Accept-Encoding' })).toBeDefined()
})

test.each([
  [404, { 'cache-control': PUBLIC }],
  [204, { 'cache-control': PUBLIC }],
  [200, {}],
  [200, { 'cache-control': 'private, no-store' }],
  [200, { 'cache-control': 'max-age=60' }],
  [200, { 'cache-control': 'public, max-age=0' }],
  [200, { 'cache-control': 'public, no-store, max-age=60' }],
  [200, { 'cache-control': 'public, no-cache, max-age=60' }],
  [200, { 'cache-control': PUBLIC, 'set-cookie': ['a=b'] }],
  [200, { 'cache-control': PUBLIC, vary: 'Cookie' }],
  [200, { 'cache-control': PUBLIC, 'content-encoding': 'gzip' }],
])('%i with %o is not cached', (status, headers) => {
  expect(freshnessOf(status, headers)).toBeUndefined()
})

test.each(['must-revalidate', 'proxy-revalidate'])('with %s nothing is served beyond its max-age', (directive) => {
  expect(freshnessOf(200, { 'cache-control': `${PUBLIC}, ${directive}` })).toEqual({
    freshMs: 60_000,
    staleMs: 0,
    staleIfErrorMs: 0,
  })
})

test('surrogate keys are words, with any separators', () => {
  expect(surrogateKeys({ 'surrogate-key': ' product:a  listing,settings ' })).toEqual([
    'product:a',
    'listing',
    'settings',
  ])
  expect(surrogateKeys({})).toEqual([])
})
