import { createEncryption, type Encryption, type SecretsKeys } from '@storefront/service'
import { CREDENTIALS_PURPOSE } from '@storefront/credentials'

/** One for each kind of secret, so that a value of one kind cannot be decrypted as another kind. */
const PURPOSES = {
  signingKeys: 'storefront identity signing keys',
  mailLinks: 'storefront identity mail links',
  secondFactors: 'storefront identity second factors',
  credentials: CREDENTIALS_PURPOSE,
} as const

export type Encryptions = Record<keyof typeof PURPOSES, Encryption | undefined>

export function createEncryptions(keys: SecretsKeys): Encryptions {
  return {
    signingKeys: createEncryption(keys, PURPOSES.signingKeys),
    mailLinks: createEncryption(keys, PURPOSES.mailLinks),
    secondFactors: createEncryption(keys, PURPOSES.secondFactors),
    credentials: createEncryption(keys, PURPOSES.credentials),
  }
}
