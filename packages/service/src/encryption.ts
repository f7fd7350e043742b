import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Enough to distinguish a key from the previous one, and useless for guessing either. */
const KEY_ID_CHARACTERS = 8

export interface Encryption {
  /**
   * @param label what the secret is; decrypting under another label fails, so that encrypted values cannot be swapped
   */
  encrypt(secret: string, label: string): string
  /** @throws Error when the value was encrypted under neither key or another label, or was changed since */
  decrypt(encrypted: string, label: string): string
  /**
   * Whether the value is encrypted under the current key; if not, it is to be encrypted again. A value from before keys
   * had names counts when it decrypts under it: replicas of the previous version, and a roll-back, could not decrypt a
   * value with a key name.
   */
  isCurrent(encrypted: string, label: string): boolean
}

/** The configuration of a service that encrypts or decrypts secrets. */
export interface SecretsKeys {
  SECRETS_KEY?: string | undefined
  /** While a key is being replaced: values that were encrypted under the previous one can still be decrypted. */
  SECRETS_KEY_PREVIOUS?: string | undefined
}

interface DerivedKey {
  id: string
  key: Buffer
}

/**
 * AES-256-GCM under a key derived from SECRETS_KEY with HKDF-SHA-256, which takes a key of any length.
 * @param purpose one for each kind of secret, so that no value decrypts in place of another kind
 * @returns undefined without a SECRETS_KEY
 */
export function createEncryption(keys: SecretsKeys, purpose: string): Encryption | undefined {
  if (keys.SECRETS_KEY === undefined) return undefined
  const current = deriveKey(keys.SECRETS_KEY, purpose)
  const known =
    keys.SECRETS_KEY_PREVIOUS === undefined ? [current] : [current, deriveKey(keys.SECRETS_KEY_PREVIOUS, purpose)]
  return {
    encrypt: (secret, label) => `${current.id}.${encrypt(current.key, secret, label)}`,
    decrypt(encrypted, label) {
      const { id, text } = partsOf(encrypted)
      // Values from before keys had names do not name their key.
      const candidates = id === undefined ? known : known.filter((key) => key.id === id)
      let fault: unknown = new Error('encrypted with a key that this service does not have')
      for (const { key } of candidates) {
        try {
          return decrypt(key, text, label)
        } catch (error) {
          fault = error
        }
      }
      throw fault
    },
    isCurrent(encrypted, label) {
      const { id, text } = partsOf(encrypted)
      return id === undefined ? canDecrypt(current.key, text, label) : id === current.id
    },
  }
}

function deriveKey(secretsKey: string, purpose: string): DerivedKey {
  const key = Buffer.from(hkdfSync('sha256', secretsKey, '', purpose, 32))
  return { id: createHash('sha256').update(key).digest('base64url').slice(0, KEY_ID_CHARACTERS), key }
}

function partsOf(encrypted: string): { id: string | undefined; text: string } {
  const dot = encrypted.indexOf('.')
  return dot === -1
    ? { id: undefined, text: encrypted }
    : { id: encrypted.slice(0, dot), text: encrypted.slice(dot + 1) }
}

function encrypt(key: Buffer, secret: string, label: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(label))
  const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
}

function canDecrypt(key: Buffer, text: string, label: string): boolean {
  try {
    decrypt(key, text, label)
    return true
  } catch {
    return false
  }
}

function decrypt(key: Buffer, text: string, label: string): string {
  const bytes = Buffer.from(text, 'base64url')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(label)).setAuthTag(tag)
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}
