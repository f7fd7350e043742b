import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface Seal {
  /** @param label what the secret is; opening under another label fails, so that sealed values cannot be swapped */
  close(secret: string, label: string): string
  /** @throws Error when the value was sealed under another key or label, or was changed since */
  open(sealed: string, label: string): string
}

/** AES-256-GCM under a key derived from SECRETS_KEY with HKDF-SHA-256, which takes a key of any length. */
export function createSeal(secretsKey: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secretsKey, '', 'storefront identity signing keys', 32))
  return {
    close(secret, label) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(label))
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open(sealed, label) {
      const bytes = Buffer.from(sealed, 'base64url')
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(label)).setAuthTag(tag)
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
