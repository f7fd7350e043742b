import { describe, expect, test } from 'vitest'
import { createSeal } from './seal.ts'

describe('a sealed secret', () => {
  const seal = createSeal('a key of the shop')

  test('opens under its key and label, and never looks the same twice', () => {
    const sealed = seal.close('secret', 'kid-1')
    expect(seal.open(sealed, 'kid-1')).toBe('secret')
    expect(sealed).not.toBe(seal.close('secret', 'kid-1'))
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('secret')
  })

  test('does not open under another key, under another label, or when it was changed', () => {
    const sealed = seal.close('secret', 'kid-1')
    expect(() => createSeal('another key').open(sealed, 'kid-1')).toThrow()
    expect(() => seal.open(sealed, 'kid-2')).toThrow()
    const bytes = Buffer.from(sealed, 'base64url')
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
    expect(() => seal.open(bytes.toString('base64url'), 'kid-1')).toThrow()
    expect(() => seal.open('', 'kid-1')).toThrow()
  })
})
