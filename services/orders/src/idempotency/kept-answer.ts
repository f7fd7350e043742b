import { z } from 'zod'
import type { Seal } from '@storefront/chassis'

const Kept = z.object({ body: z.record(z.string(), z.unknown()), accessToken: z.string().optional() })

/** A response as it is sent, with its access token at the end whether it is new or stored. */
export function textOf(answer: object): string {
  const { token, body } = apart(answer)
  return JSON.stringify(token === undefined ? body : { ...body, accessToken: token })
}

/** A response as it is stored: its access token encrypted, or left out without an encryption key. */
export function toKeep(seal: Seal | undefined, id: Buffer, answer: object): string {
  const { token, body } = apart(answer)
  return JSON.stringify({
    body,
    ...(token === undefined || seal === undefined ? {} : { accessToken: seal.close(token, id.toString('hex')) }),
  })
}

/** @returns the response without its access token, and that token if it was stored and can be decrypted */
export function openKept(
  seal: Seal | undefined,
  id: Buffer,
  kept: string,
): { body: Record<string, unknown>; accessToken: string | undefined } {
  const { body, accessToken: sealed } = Kept.parse(JSON.parse(kept))
  if (sealed === undefined || seal === undefined) return { body, accessToken: undefined }
  try {
    return { body, accessToken: seal.open(sealed, id.toString('hex')) }
  } catch {
    // Encrypted under a key that is gone: the caller gets a new token.
    return { body, accessToken: undefined }
  }
}

function apart(answer: object): { token: string | undefined; body: Record<string, unknown> } {
  const { accessToken, ...body } = z.record(z.string(), z.unknown()).parse(answer)
  return { token: typeof accessToken === 'string' ? accessToken : undefined, body }
}
