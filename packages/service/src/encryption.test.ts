import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createEncryption, type Encryption, type SecretsKeys } from './encryption.ts'

const OLD = 'the first key of the shop'
const NEW = 'the next key of the shop'

function encryptionOf(keys: SecretsKeys, purpose = 'tests'): Encryption {
  const encryption = createEncryption(keys, purpose)
  if (!encryption) throw new Error('no encryption')
  return encryption
}

describe('an encrypted secret', () => {
  const encryption = encryptionOf({ SECRETS_KEY: OLD })

  test('decrypts under its key and label, and has a different ciphertext each time', () => {
    const encrypted = encryption.encrypt('secret', 'kid-1')
    expect(encryption.decrypt(encrypted, 'kid-1')).toBe('secret')
    expect(encrypted).not.toBe(encryption.encrypt('secret', 'kid-1'))
    expect(Buffer.from(encrypted, 'base64url').toString('latin1')).not.toContain('secret')
  })

  test('does not decrypt under another key, for another purpose, under another label, or when it was changed', () => {
    const encrypted = encryption.encrypt('secret', 'kid-1')
    expect(() => encryptionOf({ SECRETS_KEY: NEW }).decrypt(encrypted, 'kid-1')).toThrow()
    expect(() => encryptionOf({ SECRETS_KEY: OLD }, 'other').decrypt(encrypted, 'kid-1')).toThrow()
    expect(() => encryption.decrypt(encrypted, 'kid-2')).toThrow()
    const end = encrypted.at(-1) === 'A' ? 'Q' : 'A'
    expect(() => encryption.decrypt(`${encrypted.slice(0, -1)}${end}`, 'kid-1')).toThrow()
    for (const nonsense of ['', '.', 'x', 'x.y', '....']) expect(() => encryption.decrypt(nonsense, 'kid-1')).toThrow()
  })

  test('decrypts after the key was replaced, as long as the previous key is known, and can be distinguished from a new one', () => {
    const encrypted = encryption.encrypt('secret', 'kid-1')
    const both = encryptionOf({ SECRETS_KEY: NEW, SECRETS_KEY_PREVIOUS: OLD })
    expect(both.decrypt(encrypted, 'kid-1')).toBe('secret')
    expect([encryption.isCurrent(encrypted, 'kid-1'), both.isCurrent(encrypted, 'kid-1')]).toEqual([true, false])
    const again = both.encrypt('secret', 'kid-1')
    expect(both.isCurrent(again, 'kid-1')).toBe(true)
    expect(encryptionOf({ SECRETS_KEY: NEW }).decrypt(again, 'kid-1')).toBe('secret')
    expect(() => encryption.decrypt(again, 'kid-1')).toThrow()
  })

  test('from before keys had names decrypts, and is current while its key is', () => {
    const key = Buffer.from(hkdfSync('sha256', OLD, '', 'tests', 32))
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('kid-1'))
    const text = Buffer.concat([cipher.update('secret'), cipher.final()])
    const encrypted = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
    expect(encryption.decrypt(encrypted, 'kid-1')).toBe('secret')
    const both = encryptionOf({ SECRETS_KEY: NEW, SECRETS_KEY_PREVIOUS: OLD })
    expect(both.decrypt(encrypted, 'kid-1')).toBe('secret')
    expect(encryption.isCurrent(encrypted, 'kid-1')).toBe(true)
    expect(encryption.isCurrent(encrypted, 'kid-2')).toBe(false)
    expect(both.isCurrent(encrypted, 'kid-1')).toBe(false)
    for (const nonsense of ['', '.', 'x']) expect(encryption.isCurrent(nonsense, 'kid-1')).toBe(false)
  })
})

test('without a key nothing is encrypted', () => {
  expect(createEncryption({}, 'tests')).toBeUndefined()
})
