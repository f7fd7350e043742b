import { expect, test } from 'vitest'
import { PublicUrl, WebAddress } from './settings.ts'

test.each([
  ['https://shop.example/', 'https://shop.example'],
  ['http://shop.example:8080/v1//', 'http://shop.example:8080/v1'],
  ['https://shop.example', 'https://shop.example'],
])('the address %s is read without the slashes at its end', (text, address) => {
  expect(WebAddress.parse(text)).toBe(address)
})

test.each(['ftp://shop.example', 'shop.example', 'javascript:alert(1)', ''])('%j is not a web address', (text) => {
  expect(WebAddress.safeParse(text).success).toBe(false)
})

test('the public address of a shop on this machine needs no variable', () => {
  expect(PublicUrl.parse(undefined)).toBe('http://localhost:8080')
})
