import { describe, expect, test } from 'vitest'
import { isPrivateAddress } from './private-address.ts'

describe('a network address', () => {
  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    'fc00::1',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
  ])('%s is private', (address) => {
    expect(isPrivateAddress(address)).toBe(true)
  })

  test.each(['1.1.1.1', '8.8.8.8', '100.128.0.1', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e'])(
    '%s is public',
    (address) => {
      expect(isPrivateAddress(address)).toBe(false)
    },
  )
})
