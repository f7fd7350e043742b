import { expect, test } from 'vitest'
import { clientNetwork } from './client-network.ts'

test('a limit counts an IPv6 network of 64 bits as one client', () => {
  expect(clientNetwork('2001:0DB8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(clientNetwork('2001:db8:1:2::9')).toBe('2001:db8:1:2::/64')
  expect(clientNetwork('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(clientNetwork('::1')).toBe('0:0:0:0::/64')
  expect(clientNetwork('1.2.3.4')).toBe('1.2.3.4')
})

test('a limit counts each IPv4 client of a socket that accepts IPv6 too by its own address', () => {
  expect(clientNetwork('::ffff:1.2.3.4')).toBe('1.2.3.4')
  expect(clientNetwork('::ffff:1.2.3.5')).toBe('1.2.3.5')
})
