import { expect, test } from 'vitest'
import { clientAddress, limitedParty } from './client-address.ts'

test('nobody can choose their address without a trusted proxy', () => {
  expect(clientAddress('::ffff:10.0.0.1', '6.6.6.6', 0)).toBe('10.0.0.1')
})

test('behind proxies, the entry counts that the outermost of them wrote', () => {
  expect(clientAddress('10.0.0.1', '6.6.6.6, 1.2.3.4', 1)).toBe('1.2.3.4')
  expect(clientAddress('10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.9', 2)).toBe('1.2.3.4')
  expect(clientAddress('10.0.0.1', 'nonsense', 1)).toBe('10.0.0.1')
})

test('a limit counts an IPv6 network of 64 bits as one', () => {
  expect(limitedParty('2001:0DB8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(limitedParty('2001:db8:1:2::9')).toBe('2001:db8:1:2::/64')
  expect(limitedParty('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(limitedParty('::1')).toBe('0:0:0:0::/64')
  expect(limitedParty('1.2.3.4')).toBe('1.2.3.4')
})
