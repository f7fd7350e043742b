import { expect, test } from 'vitest'
import { clientAddress } from './client-address.ts'

test('nobody can choose their address without a trusted proxy', () => {
  expect(clientAddress('::ffff:10.0.0.1', '6.6.6.6', 0)).toBe('10.0.0.1')
})

test('behind proxies, the entry counts that the outermost of them wrote', () => {
  expect(clientAddress('10.0.0.1', '6.6.6.6, 1.2.3.4', 1)).toBe('1.2.3.4')
  expect(clientAddress('10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.9', 2)).toBe('1.2.3.4')
  expect(clientAddress('10.0.0.1', 'nonsense', 1)).toBe('10.0.0.1')
})
