import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Whether this secret made the signature: HMAC-SHA256 in hexadecimal digits, compared in constant time. Without a
 * secret no signature is valid.
 */
export function isSignedWith(secret: string | undefined, content: string | Buffer, signature: string): boolean {
  if (secret === undefined) return false
  const given = Buffer.from(signature)
  const expected = Buffer.from(createHmac('sha256', secret).update(content).digest('hex'))
  return expected.length === given.length && timingSafeEqual(expected, given)
}
