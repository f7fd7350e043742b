import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createSeal, type Seal, type SecretsKeys } from './seal.ts'

const OLD = 'the first key of the shop'
const NEW = 'the next key of the shop'

function sealOf(keys: SecretsKeys, purpose = 'tests'): Seal {
  const seal = createSeal(keys, purpose)
  if (!seal) throw new Error('no seal')
  return seal
}

describe('an encrypted secret', () => {
  const seal = sealOf({ SECRETS_KEY: OLD })

  test('decrypts under its key and label, and never looks the same twice', () => {
    const sealed = seal.close('secret', 'kid-1')
    expect(seal.open(sealed, 'kid-1')).toBe('secret')
    expect(sealed).not.toBe(seal.close('secret', 'kid-1'))
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('secret')
  })

  test('does not decrypt under another key, for another purpose, under another label, or when it was changed', () => {
    const sealed = seal.close('secret', 'kid-1')
    expect(() => sealOf({ SECRETS_KEY: NEW }).open(sealed, 'kid-1')).toThrow()
    expect(() => sealOf({ SECRETS_KEY: OLD }, 'other').open(sealed, 'kid-1')).toThrow()
    expect(() => seal.open(sealed, 'kid-2')).toThrow()
    const end = sealed.at(-1) === 'A' ? 'Q' : 'A'
    expect(() => seal.open(`${sealed.slice(0, -1)}${end}`, 'kid-1')).toThrow()
    for (const nonsense of ['', '.', 'x', 'x.y', '....']) expect(() => seal.open(nonsense, 'kid-1')).toThrow()
  })

  test('decrypts after the key was replaced, as long as the previous key is known, and can be distinguished from a new one', () => {
    const sealed = seal.close('secret', 'kid-1')
    const both = sealOf({ SECRETS_KEY: NEW, SECRETS_KEY_PREVIOUS: OLD })
    expect(both.open(sealed, 'kid-1')).toBe('secret')
    expect([seal.isCurrent(sealed, 'kid-1'), both.isCurrent(sealed, 'kid-1')]).toEqual([true, false])
    const again = both.close('secret', 'kid-1')
    expect(both.isCurrent(again, 'kid-1')).toBe(true)
    expect(sealOf({ SECRETS_KEY: NEW }).open(again, 'kid-1')).toBe('secret')
    expect(() => seal.open(again, 'kid-1')).toThrow()
  })

  test('from before keys had names decrypts, and is kept while its key is the current one', () => {
    const key = Buffer.from(hkdfSync('sha256', OLD, '', 'tests', 32))
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('kid-1'))
    const text = Buffer.concat([cipher.update('secret'), cipher.final()])
    const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
    expect(seal.open(sealed, 'kid-1')).toBe('secret')
    const both = sealOf({ SECRETS_KEY: NEW, SECRETS_KEY_PREVIOUS: OLD })
    expect(both.open(sealed, 'kid-1')).toBe('secret')
    expect(seal.isCurrent(sealed, 'kid-1')).toBe(true)
    expect(seal.isCurrent(sealed, 'kid-2')).toBe(false)
    expect(both.isCurrent(sealed, 'kid-1')).toBe(false)
    for (const nonsense of ['', '.', 'x']) expect(seal.isCurrent(nonsense, 'kid-1')).toBe(false)
  })
})

test('without a key nothing is encrypted', () => {
  expect(createSeal({}, 'tests')).toBeUndefined()
})
