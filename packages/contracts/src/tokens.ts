import { createHash } from 'node:crypto'

/**
 * How far the clocks of two machines may be apart. Identity signs with one clock and every gateway compares with another:
 * a token must count at once, and both must agree on when it is over. A minute is more than a machine is off whose clock
 * is kept at all, and adds nothing that matters to the hours and days that a token lasts.
 */
export const CLOCK_SKEW_MS = 60_000

export const TOKEN_ISSUER = 'storefront'
export const TOKEN_AUDIENCES = { customer: 'storefront', admin: 'admin' } as const

/** Machines show this instead of a token: 256 random bits that nothing but their digest is kept of. */
export const SECRET_API_KEY = /^sk_[\w-]{43}$/

/** @returns what a secret key is looked up by: base64url of the SHA-256 of all of it */
export function apiKeyDigest(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

/**
 * Key in Redis of a session or a secret key that was ended before its time, for as long as it could still be shown
 * somewhere. Written by identity, read by the gateway with every token and every key it meets.
 */
export function revokedKey(namespace: string, id: string): string {
  return `${namespace}:revoked:${id}`
}

/**
 * Key in Redis whose value names the run of the Redis server that holds all revocations. A server that was started again
 * may have lost some or all of them: until identity has written this key anew, what is not in Redis proves nothing.
 */
export function revocationsMark(namespace: string): string {
  return `${namespace}:revocations-shared`
}
