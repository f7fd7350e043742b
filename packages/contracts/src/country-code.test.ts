import { expect, test } from 'vitest'
import { countryCodeOf } from './country-code.ts'

test.each([
  ['GB', 'GB'],
  [' us ', 'US'],
  ['De', 'DE'],
  ['xk', 'XK'],
])('%j is the country %s', (text, code) => {
  expect(countryCodeOf(text)).toBe(code)
})

// UK and EU are only reserved, AN and SU are no longer countries, and capitals of ß are two letters.
test.each(['12', '', '  ', 'USA', 'ZZ', 'XX', 'UK', 'EU', 'AN', 'SU', 'ß', 'ßß', 'ıt', '__proto__', 'toString'])(
  '%j is not a country',
  (text) => {
    expect(countryCodeOf(text)).toBeUndefined()
  },
)
