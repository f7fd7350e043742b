import { createSeal, CREDENTIALS_PURPOSE, type Seal, type SecretsKeys } from '@storefront/chassis'

/** One for each kind of secret, so that a value of one kind cannot be decrypted as another kind. */
const PURPOSES = {
  signingKeys: 'storefront identity signing keys',
  mailLinks: 'storefront identity mail links',
  secondFactors: 'storefront identity second factors',
  credentials: CREDENTIALS_PURPOSE,
} as const

export type Seals = Record<keyof typeof PURPOSES, Seal | undefined>

export function createSeals(keys: SecretsKeys): Seals {
  return {
    signingKeys: createSeal(keys, PURPOSES.signingKeys),
    mailLinks: createSeal(keys, PURPOSES.mailLinks),
    secondFactors: createSeal(keys, PURPOSES.secondFactors),
    credentials: createSeal(keys, PURPOSES.credentials),
  }
}
