import { expect, test } from 'vitest'
import { parseJsonBody } from './json-body.ts'

const everyEscape = Array.from('__proto__', (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)

test.each([
  ['as it is', '__proto__'],
  ['with an escaped letter', '\\u005f_proto__'],
  ['with an escaped letter in upper case', '_\\u005Fproto__'],
  ['with every letter escaped', everyEscape.join('')],
  ...everyEscape.map((escape, index) => [
    `with letter ${index + 1} escaped`,
    '__proto__'.slice(0, index) + escape + '__proto__'.slice(index + 1),
  ]),
])('a key __proto__ that is written %s reaches no object, at any depth', (_manner, key) => {
  const text = `{"${key}":{"a":1},"b":[{"c":{"${key}":2,"d":3}}],"e":"${key}"}`
  expect(JSON.stringify(parseJsonBody(text))).toBe('{"b":[{"c":{"d":3}}],"e":"__proto__"}')
})

test('an escaped backslash before the same digits is text, and stays', () => {
  expect(parseJsonBody('{"\\\\u005f_proto__":"\\\\u0074"}')).toEqual({ '\\u005f_proto__': '\\u0074' })
})
