import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { Actor } from '@storefront/contracts'
import type { Clock } from './clock.ts'

/** How long a signed actor is valid. Short, because it cannot be revoked. */
const LIFETIME_MS = 60_000
const CACHE_LIMIT = 10_000

const SignedActor = z.object({ actor: Actor, expiresAt: z.int() })

export type ActorSigner = (actor: Actor) => string
export type ActorVerifier = (token: string | undefined) => Actor | undefined

/**
 * Makes the gateway's signing function. A token is reused for half its life, so that a busy client costs one
 * Ed25519 signature every 30 seconds and not one for each request.
 * @param privateKey base64url of the PKCS #8 DER
 */
export function actorSigner(privateKey: string, clock: Clock): ActorSigner {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64url'), format: 'der', type: 'pkcs8' })
  const cache = new Map<string, { token: string; freshUntil: number }>()
  return (actor) => {
    const now = clock.now().getTime()
    const cacheKey = JSON.stringify(actor)
    const cached = cache.get(cacheKey)
    if (cached && cached.freshUntil > now) return cached.token
    const payload = Buffer.from(JSON.stringify({ actor, expiresAt: now + LIFETIME_MS }))
    const token = `${payload.toString('base64url')}.${sign(null, payload, key).toString('base64url')}`
    if (cache.size >= CACHE_LIMIT) cache.clear()
    cache.set(cacheKey, { token, freshUntil: now + LIFETIME_MS / 2 })
    return token
  }
}

/**
 * Makes the function with which a service verifies the actor of a request. Services hold only the public key: a
 * compromised service cannot forge actors for the others.
 * @param publicKey base64url of the SPKI DER
 * @returns undefined for a token that is absent, forged, malformed or expired
 */
export function actorVerifier(publicKey: string, clock: Clock): ActorVerifier {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' })
  const cache = new Map<string, z.output<typeof SignedActor>>()
  return (token) => {
    if (token === undefined || token.length > 4096) return undefined
    let signed = cache.get(token)
    if (!signed) {
      signed = openToken(token, key)
      if (!signed) return undefined
      if (cache.size >= CACHE_LIMIT) cache.clear()
      cache.set(token, signed)
    }
    return signed.expiresAt > clock.now().getTime() ? signed.actor : undefined
  }
}

function openToken(token: string, key: KeyObject): z.output<typeof SignedActor> | undefined {
  const [payload, signature, ...rest] = token.split('.')
  if (!payload || !signature || rest.length > 0) return undefined
  const bytes = fromBase64url(payload)
  const signed = fromBase64url(signature)
  if (!bytes || !signed || !verify(null, bytes, key, signed)) return undefined
  const parsed = SignedActor.safeParse(JSON.parse(bytes.toString()))
  return parsed.success ? parsed.data : undefined
}

/** Node ignores characters that are not base64url. A token is valid only in the exact form that the gateway wrote. */
function fromBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}
