import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether one of these secrets made the signature: HMAC-SHA256 in hexadecimal digits, compared in constant time. */
export function isSignedWith(secrets: readonly string[], content: string | Buffer, signature: string): boolean {
  const given = Buffer.from(signature)
  return secrets.some((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(content).digest('hex'))
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
}
