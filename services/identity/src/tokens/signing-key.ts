import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { z } from 'zod'
import { decryptSecret, type Encryption, type StoredSecret } from '@storefront/service'
import { CUSTOMER_SESSION_MS, ACCEPTED_AFTER_END_MS } from '../sessions/session.ts'

export const ALGORITHM = 'EdDSA'
/** How long verifiers may cache the public keys. */
export const PUBLIC_KEYS_MAX_AGE_SECONDS = 60
/** A new key is published this long before it signs: verifiers have refreshed their caches by then. */
export const HEAD_START_MS = 2 * PUBLIC_KEYS_MAX_AGE_SECONDS * 1000
/** How long a retired key is kept: until the last token that it signed has expired. */
export const KEPT_AFTER_RETIREMENT_MS = CUSTOMER_SESSION_MS + ACCEPTED_AFTER_END_MS + HEAD_START_MS

export const PublicJwk = z.object({
  kty: z.literal('OKP').describe('Key type of RFC 8037.'),
  crv: z.literal('Ed25519').describe('Curve of the key.'),
  x: z.string().describe('The public key, base64url.'),
  kid: z.string().describe('The id of the key in the header of a token: its RFC 7638 thumbprint.'),
  alg: z.literal(ALGORITHM).describe('Accept only tokens with this algorithm.'),
  use: z.literal('sig').describe('The key signs, and encrypts nothing.'),
})
export type PublicJwk = z.output<typeof PublicJwk>

export interface StoredPrivateKey extends StoredSecret {
  kid: string
}

export interface NewSigningKey {
  publicJwk: PublicJwk
  /** base64url of the PKCS #8 DER */
  privateKey: string
}

export async function generateSigningKey(): Promise<NewSigningKey> {
  const pair = generateKeyPairSync('ed25519')
  return {
    publicJwk: await publicJwkOf(pair.publicKey),
    privateKey: pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
  }
}

async function publicJwkOf(publicKey: KeyObject): Promise<PublicJwk> {
  const bare = PublicJwk.pick({ kty: true, crv: true, x: true }).parse(publicKey.export({ format: 'jwk' }))
  return { ...bare, kid: await calculateJwkThumbprint(bare), alg: ALGORITHM, use: 'sig' }
}

/** @throws Error with instructions when the key was encrypted under a SECRETS_KEY that is missing */
export function decryptPrivateKey(encryption: Encryption | undefined, stored: StoredPrivateKey): KeyObject {
  const text = decryptSecret(encryption, stored, stored.kid)
  return createPrivateKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'pkcs8' })
}
