import { createHash } from 'node:crypto'

/**
 * How far the clocks of two machines may differ. Identity signs with one clock and every gateway compares with another:
 * a token must be valid at once, and both must agree on its expiry. A synchronized machine is off by less than a
 * minute, and a minute does not matter for a token that is valid for hours or days.
 */
export const CLOCK_SKEW_MS = 60_000

export const TOKEN_ISSUER = 'storefront'
/** A token of the console is accepted in its cookie only, and no other token is accepted there. */
export const TOKEN_AUDIENCES = { customer: 'storefront', admin: 'admin', console: 'console' } as const

/** The bearer secret of machines: 256 random bits, of which only the digest is stored. */
export const SECRET_API_KEY = /^sk_[\w-]{43}$/

/** @returns the key by which a secret key is looked up: base64url of its SHA-256 */
export function apiKeyDigest(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

/**
 * Key in Redis of a revoked session or secret key, kept for as long as it could still be used. Written by identity,
 * read by the gateway with every token and every key it receives.
 */
export function revokedKey(namespace: string, id: string): string {
  return `${namespace}:revoked:${id}`
}

/**
 * Key in Redis whose value names the run of the Redis server that holds all revocations. A server that was restarted
 * may have lost some or all of them: until identity has written this key again, an absent revocation proves nothing.
 */
export function revocationsMark(namespace: string): string {
  return `${namespace}:revocations-shared`
}
