import type { Encryption } from './encryption.ts'

/** A secret of a service's own as it is stored in a table: a shop without SECRETS_KEY has to work as well. */
export interface StoredSecret {
  secret: string
  sealed_with: 'nothing' | 'aes-256-gcm'
}

/** @param label what the secret is: it decrypts under no other */
export function storeSecret(encryption: Encryption | undefined, secret: string, label: string): StoredSecret {
  if (!encryption) return { secret, sealed_with: 'nothing' }
  return { secret: encryption.encrypt(secret, label), sealed_with: 'aes-256-gcm' }
}

/** @throws Error that says what to do, when it was encrypted under a SECRETS_KEY that is no longer configured */
export function decryptSecret(
  encryption: Encryption | undefined,
  { secret, sealed_with }: StoredSecret,
  label: string,
): string {
  if (sealed_with === 'nothing') return secret
  if (!encryption)
    throw new Error('the database holds encrypted secrets: set SECRETS_KEY to the value they were encrypted under')
  try {
    return encryption.decrypt(secret, label)
  } catch (error) {
    throw new Error(
      'a secret was encrypted under another SECRETS_KEY: set the previous value, as SECRETS_KEY or as SECRETS_KEY_PREVIOUS; ' +
        'if it is lost, docs/security.md describes the recovery',
      { cause: error },
    )
  }
}

/** Whether a secret should be stored again: the shop has a key that it was not encrypted under. */
export function needsReencryption(
  encryption: Encryption | undefined,
  { secret, sealed_with }: StoredSecret,
  label: string,
): boolean {
  return encryption !== undefined && !(sealed_with === 'aes-256-gcm' && encryption.isCurrent(secret, label))
}
