import { expect, test } from 'vitest'
import { clientAddress } from './client-address.ts'

test('without a trusted proxy a client cannot choose their address', () => {
  expect(clientAddress('::ffff:10.0.0.1', '6.6.6.6', 0)).toBe('10.0.0.1')
})

test('behind proxies, the entry written by the outermost of them counts', () => {
  expect(clientAddress('10.0.0.1', '6.6.6.6, 1.2.3.4', 1)).toBe('1.2.3.4')
  expect(clientAddress('10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.9', 2)).toBe('1.2.3.4')
  expect(clientAddress('10.0.0.1', 'nonsense', 1)).toBe('10.0.0.1')
})
