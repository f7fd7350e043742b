import { expect, test } from 'vitest'
import { clientAddress, readAddress } from './client-address.ts'

test('without a trusted proxy a client cannot choose their address', () => {
  expect(clientAddress('::ffff:10.0.0.1', '6.6.6.6', 0)).toBe('10.0.0.1')
})

test('behind proxies, the entry that the outermost proxy wrote counts', () => {
  expect(clientAddress('10.0.0.1', '6.6.6.6, 1.2.3.4', 1)).toBe('1.2.3.4')
  expect(clientAddress('10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.9', 2)).toBe('1.2.3.4')
  expect(clientAddress('10.0.0.1', 'nonsense', 1)).toBe('10.0.0.1')
})

test('a port that a proxy appended to an address is removed', () => {
  expect(clientAddress('10.0.0.1', '6.6.6.6:443, 203.0.113.9:51322', 1)).toBe('203.0.113.9')
  expect(clientAddress('10.0.0.1', '[2001:db8::7]:51322', 1)).toBe('2001:db8::7')
  expect(clientAddress('10.0.0.1', '[2001:db8::7]', 1)).toBe('2001:db8::7')
  expect(clientAddress('10.0.0.1', '[::ffff:203.0.113.9]:51322', 1)).toBe('203.0.113.9')
  for (const other of ['203.0.113:51322', '203.0.113.9:', '[203.0.113.9]:1', '[2001:db8::7', '[]:1', '_hidden:1', '']) {
    expect(readAddress(other)).toBeUndefined()
  }
})
