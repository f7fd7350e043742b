import { expect, test } from 'vitest'
import { invalidRequest } from './invalid-request.ts'

const GENERAL = 'Something in this request is missing or not valid.'
const TOO_LONG = 'must have at most 100 characters'
const messageFor = (issues: [path: string, message: string][], place = 'body', isForBuyer = true) =>
  invalidRequest(
    issues.map(([path, message]) => ({ path, message })),
    { place, isForBuyer },
  ).message

test.each([
  ['shipping_address.name', TOO_LONG, 'Please shorten the name to at most 100 characters.'],
  ['shipping_address.line1', TOO_LONG, 'Please shorten the first line of the address to at most 100 characters.'],
  ['gift_message', TOO_LONG, 'Please shorten the gift message to at most 100 characters.'],
  ['author', 'is missing', 'Please enter your name.'],
  ['author', 'must not be blank', 'Please enter your name.'],
  ['shipping_address.postalCode', 'must not be empty', 'Please enter the postal code.'],
  ['shipping_address.line2', 'must be a string, not null', 'Please check the second line of the address.'],
  ['password', 'must have at least 8 characters', 'Please enter at least 8 characters for the password.'],
  ['quantity', 'must be at least 1', 'Please check the quantity: it must be at least 1.'],
  ['photos.0.alt', 'must be a string, not a number', 'Please check the description of the picture.'],
])('a buyer reads what to correct: %s %s', (path, message, sentence) => {
  expect(messageFor([[path, message]])).toBe(sentence)
})

test('several fields are named, three at most', () => {
  expect(messageFor(['name', 'city'].map((path) => [path, 'is missing']))).toBe('Please check the name and the city.')
  expect(messageFor(['name', 'city', 'line1', 'phone'].map((path) => [path, 'is missing']))).toBe(
    'Please check the name, the city, the first line of the address and 1 more.',
  )
})

test('what a buyer cannot correct is named in the detail alone', () => {
  expect(messageFor([['variant_id', 'is missing']])).toBe(GENERAL)
  expect(messageFor([['', 'must be an object, not a string']])).toBe(GENERAL)
  expect(messageFor([['name', TOO_LONG]], 'body', false)).toBe(GENERAL)
  expect(messageFor([['page', 'must be an integer']], 'querystring')).toBe(GENERAL)
})

test('a header is named as it is written', () => {
  expect(messageFor([['idempotency-key', 'must have 1 to 255 visible characters']], 'headers', false)).toBe(
    'The header `Idempotency-Key` must have 1 to 255 visible characters.',
  )
})

test('the detail has a hundred issues at most', () => {
  const issues = Array.from({ length: 200 }, (_, index) => ({ path: `lines.${index}`, message: 'is missing' }))
  expect(invalidRequest(issues, { place: 'body', isForBuyer: true }).detail).toEqual({ issues: issues.slice(0, 100) })
})
