import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { z } from 'zod'
import { CLOCK_SKEW_MS, CUSTOMER_SESSION_MS } from '../sessions/session.ts'
import type { Seal } from './seal.ts'

export const ALGORITHM = 'EdDSA'
/** How long verifiers may keep the public keys. */
export const PUBLIC_KEYS_MAX_AGE_SECONDS = 60
/** A new key is published this long before it signs: whoever keeps the public keys has fetched them again by then. */
export const HEAD_START_MS = 2 * PUBLIC_KEYS_MAX_AGE_SECONDS * 1000
/** Until the last token that a retired key signed has expired. */
export const KEPT_AFTER_RETIREMENT_MS = CUSTOMER_SESSION_MS + CLOCK_SKEW_MS + HEAD_START_MS

export const PublicJwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  alg: z.literal(ALGORITHM),
  use: z.literal('sig'),
})
export type PublicJwk = z.output<typeof PublicJwk>

/** As it lies in the table. */
export interface ClosedPrivateKey {
  private_key: string
  sealed_with: 'nothing' | 'aes-256-gcm'
}

export interface StoredPrivateKey {
  kid: string
  /** Null once the key has retired. */
  private_key: string | null
  sealed_with: 'nothing' | 'aes-256-gcm'
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

/** How a private key goes into the table: sealed when there is a key to seal it with. */
export function closePrivateKey(seal: Seal | undefined, kid: string, privateKey: string): ClosedPrivateKey {
  if (!seal) return { private_key: privateKey, sealed_with: 'nothing' }
  return { private_key: seal.close(privateKey, kid), sealed_with: 'aes-256-gcm' }
}

/** @throws Error that says what to do, when the key was sealed under a SECRETS_KEY that is not there any more */
export function openPrivateKey(seal: Seal | undefined, stored: StoredPrivateKey): KeyObject {
  const text = stored.sealed_with === 'nothing' ? stored.private_key : unseal(seal, stored)
  return createPrivateKey({ key: Buffer.from(text ?? '', 'base64url'), format: 'der', type: 'pkcs8' })
}

function unseal(seal: Seal | undefined, { kid, private_key: sealed }: StoredPrivateKey): string {
  if (!seal) throw new Error('the signing key is sealed: set SECRETS_KEY to the value it was sealed under')
  try {
    return seal.open(sealed ?? '', kid)
  } catch (error) {
    throw new Error('the signing key was sealed under another SECRETS_KEY: set the value from before', { cause: error })
  }
}
